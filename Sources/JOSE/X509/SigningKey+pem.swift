package import Basics
import COpenSSL

extension SigningKey {
    /// The private key as unencrypted PKCS #8 in PEM, for TLS.
    ///
    /// - Throws: `cryptography-failed`.
    package func privateKeyPEM() throws(Fault) -> Secret<String> {
        let text = PEM.text { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) == 1 }
        guard let text else { throw Fault.openSSL("write a private key") }
        return Secret(text)
    }
}
