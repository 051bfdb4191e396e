import Basics
import COpenSSL

/// A server's certificate and key as OpenSSL has them; makes the TLS side of each connection.
// Unchecked: an SSL_CTX that nobody changes any more may be used by several threads (SSL_new takes its own lock).
final class TLSServerContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// Reads the identity; refuses versions before TLS 1.2.
    init(_ identity: TLSIdentity) throws {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            throw Fault(.tlsIdentityUnusable, detail: "SSL_CTX_new failed")
        }
        self.context = context
        SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        // SSL_OP_NO_RENEGOTIATION and SSL_OP_NO_COMPRESSION: macros that are not imported. The first takes from a peer
        // the means to cost us a handshake for a few bytes, the second closes CRIME.
        SSL_CTX_set_options(context, 1 << 30 | 1 << 17)
        try useChain(identity.certificateChainPEM)
        try useKey(identity.privateKeyPEM)
        guard SSL_CTX_check_private_key(context) == 1 else { throw refusal("the key is another certificate's") }
    }

    deinit { SSL_CTX_free(context) }

    /// The TLS side of a new connection; the caller owns it.
    func makeConnection() -> OpaquePointer? { SSL_new(context) }

    private func useChain(_ pem: String) throws {
        try withMemory(pem) { memory in
            guard let leaf = PEM_read_bio_X509(memory, nil, nil, nil) else { throw refusal("no certificate") }
            defer { X509_free(leaf) }
            guard SSL_CTX_use_certificate(context, leaf) == 1 else { throw refusal("certificate not taken") }
            while let next = PEM_read_bio_X509(memory, nil, nil, nil) {
                // On success the context owns it.
                guard SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 0, UnsafeMutableRawPointer(next)) == 1 else {
                    X509_free(next)
                    throw refusal("chain not taken")
                }
            }
            // Reading on at the end of the text leaves an error behind, which the next reader would take for its own.
            ERR_clear_error()
        }
    }

    private func useKey(_ pem: Secret<String>) throws {
        try withMemory(pem.unmasked) { memory in
            guard let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil) else { throw refusal("no private key") }
            defer { EVP_PKEY_free(key) }
            guard SSL_CTX_use_PrivateKey(context, key) == 1 else { throw refusal("key not taken") }
        }
    }

    private func withMemory(_ text: String, _ body: (OpaquePointer) throws -> Void) throws {
        var text = text
        try text.withUTF8 { bytes in
            guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else {
                throw refusal("no memory")
            }
            defer { BIO_free(memory) }
            try body(memory)
        }
    }

    private func refusal(_ what: String) -> Fault {
        ERR_clear_error()
        return Fault(.tlsIdentityUnusable, detail: what)
    }
}
