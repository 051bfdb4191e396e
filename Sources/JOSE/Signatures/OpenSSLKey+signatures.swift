import Basics
import COpenSSL

extension OpenSSLKey {
    func sign(_ message: [UInt8], _ algorithm: SignatureAlgorithm) throws(Fault) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw Fault.openSSL("sign") }
        defer { EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        guard EVP_DigestSignInit(context, &options, algorithm.digest, nil, pointer) == 1,
            algorithm.setPadding(options)
        else { throw Fault.openSSL("sign") }
        var count = Int(EVP_PKEY_get_size(pointer))
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
            throw Fault.openSSL("sign")
        }
        signature.removeLast(signature.count - count)
        guard algorithm == .es256 else { return signature }
        guard let raw = ECDSASignature.raw(fromDER: signature) else { throw Fault.openSSL("sign") }
        return raw
    }

    func isValid(_ signature: [UInt8], for message: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        var signature = signature
        if algorithm == .es256 {
            guard let der = ECDSASignature.der(fromRaw: signature) else { return false }
            signature = der
        }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        let isValid =
            EVP_DigestVerifyInit(context, &options, algorithm.digest, nil, pointer) == 1
            && algorithm.setPadding(options)
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !isValid { forgetOpenSSLErrors() }
        return isValid
    }
}

extension SignatureAlgorithm {
    /// The digest that OpenSSL is told; Ed25519 has its own inside.
    fileprivate var digest: OpaquePointer? { self == .edDSA ? nil : FetchedSHA256.pointer }

    /// Asks for PSS with a salt as long as the digest (RFC 7518 §3.5) where that is the algorithm.
    fileprivate func setPadding(_ options: OpaquePointer?) -> Bool {
        guard self == .ps256 else { return true }
        return EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
    }
}
