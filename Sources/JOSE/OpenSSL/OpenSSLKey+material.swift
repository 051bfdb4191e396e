import Basics
import COpenSSL

extension OpenSSLKey {
    /// The public key of these numbers.
    ///
    /// - Throws: `unfit-key` where they are no key, such as a point that is not on its curve.
    static func make(_ material: PublicKeyMaterial) throws(Fault) -> OpenSSLKey {
        let pointer: OpaquePointer? =
            switch material {
            case .p256(let x, let y): countersign_p256_key([4] + x + y, nil)
            case .rsa(let modulus, let exponent):
                countersign_rsa_key(modulus + exponent, [modulus.count, exponent.count], 0)
            case .ed25519(let bytes): EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
            }
        guard let key = OpenSSLKey(adopting: pointer) else {
            forgetOpenSSLErrors()
            throw Fault(.unfitKey, "The key's numbers are no key: for EC, the point must be on the curve.")
        }
        return key
    }

    /// The private key of these numbers: `d`, and for RSA also `p q dp dq qi`.
    ///
    /// - Throws: `invalid-key` where the private numbers are not those of the public key.
    static func make(_ material: PublicKeyMaterial, privateNumbers: [[UInt8]]) throws(Fault) -> OpenSSLKey {
        let pointer: OpaquePointer?
        switch material {
        case .p256(let x, let y): pointer = countersign_p256_key([4] + x + y, privateNumbers[0])
        case .rsa(let modulus, let exponent):
            let numbers = [modulus, exponent] + privateNumbers
            pointer = countersign_rsa_key(numbers.flatMap { $0 }, numbers.map(\.count), 1)
        case .ed25519:
            pointer = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, privateNumbers[0], privateNumbers[0].count)
        }
        guard let key = OpenSSLKey(adopting: pointer), key.isPair(with: material) else {
            forgetOpenSSLErrors()
            throw Fault(.invalidKey, "The private part of the JWK does not belong to its public part.")
        }
        return key
    }

    private func isPair(with material: PublicKeyMaterial) -> Bool {
        switch material {
        case .ed25519:
            // OpenSSL worked the public half out itself.
            return publicMaterial() == material
        case .rsa:
            return countersign_rsa_numbers_fit(pointer) == 1
        case .p256:
            guard let context = EVP_PKEY_CTX_new(pointer, nil) else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            return EVP_PKEY_pairwise_check(context) == 1
        }
    }

    /// The numbers of the public half; nil for a type or curve that is not ours.
    func publicMaterial() -> PublicKeyMaterial? {
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_EC:
            guard isOnP256, let x = number(OSSL_PKEY_PARAM_EC_PUB_X, width: 32),
                let y = number(OSSL_PKEY_PARAM_EC_PUB_Y, width: 32)
            else { return nil }
            return .p256(x: x, y: y)
        case EVP_PKEY_RSA:
            guard let n = number(OSSL_PKEY_PARAM_RSA_N), let e = number(OSSL_PKEY_PARAM_RSA_E) else { return nil }
            return .rsa(modulus: n, exponent: e)
        case EVP_PKEY_ED25519:
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = 32
            guard EVP_PKEY_get_raw_public_key(pointer, &bytes, &count) == 1, count == 32 else { return nil }
            return .ed25519(bytes)
        default:
            return nil
        }
    }

    private var isOnP256: Bool {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return false }
        return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) == "prime256v1"
    }

    /// The private numbers by their names in a JWK.
    func privateNumbers() throws(Fault) -> [(name: String, bytes: [UInt8])] {
        switch EVP_PKEY_get_base_id(pointer) {
        case EVP_PKEY_EC:
            if let d = number(OSSL_PKEY_PARAM_PRIV_KEY, width: 32) { return [("d", d)] }
        case EVP_PKEY_RSA:
            // Swift does not see the macros that paste a number to these names.
            let names = [
                ("d", OSSL_PKEY_PARAM_RSA_D), ("p", OSSL_PKEY_PARAM_RSA_FACTOR + "1"),
                ("q", OSSL_PKEY_PARAM_RSA_FACTOR + "2"),
                ("dp", OSSL_PKEY_PARAM_RSA_EXPONENT + "1"), ("dq", OSSL_PKEY_PARAM_RSA_EXPONENT + "2"),
                ("qi", OSSL_PKEY_PARAM_RSA_COEFFICIENT + "1"),
            ]
            let numbers = names.compactMap { name, parameter in number(parameter).map { (name, $0) } }
            if numbers.count == names.count { return numbers }
        case EVP_PKEY_ED25519:
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = 32
            if EVP_PKEY_get_raw_private_key(pointer, &bytes, &count) == 1, count == 32 { return [("d", bytes)] }
        default:
            break
        }
        throw Fault.openSSL("read a private key")
    }
}
