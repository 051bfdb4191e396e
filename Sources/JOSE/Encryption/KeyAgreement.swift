import COpenSSL

extension OpenSSLKey {
    /// The shared secret of this private key and another's public key: the x coordinate, 32 bytes (RFC 7518 §4.6).
    func sharedSecret(with peer: OpenSSLKey) -> [UInt8]? {
        guard let context = EVP_PKEY_CTX_new(pointer, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var secret = [UInt8](repeating: 0, count: 32)
        var count = secret.count
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer.pointer) == 1,
            EVP_PKEY_derive(context, &secret, &count) == 1, count == 32
        else {
            forgetOpenSSLErrors()
            return nil
        }
        return secret
    }
}
