import Basics
import FoundationEssentials
import JOSE
import OpenIDConnect
import Platform

/// The last answer of a family, sealed under a key that only the holder of the credential can derive.
///
/// A client that proved a key and lost the connection asks again, with the same request and a fresh proof, and gets the
/// same tokens. Anyone else finds a replay.
struct SealedAnswer: Codable, Sendable {
    /// The credential that was answered.
    var credential: String
    /// The request that was answered, without what must be fresh in each.
    var request: String
    /// The access token in it; its first use ends the answer.
    var accessTokenID: String
    var box: Data
    var expires: Timestamp

    static func seal(
        _ response: [UInt8], under credential: Secret<String>, request: String, accessTokenID: String,
        expires: Timestamp
    ) throws -> SealedAnswer {
        let box = try SealedBox.seal(response, key: key(credential), associatedData: Array(request.utf8))
        return SealedAnswer(
            credential: storedDigest(credential.unmasked), request: request, accessTokenID: accessTokenID,
            box: Data(box), expires: expires)
    }

    /// The answer, where this is the credential and the request that it was for, and there is still time.
    func opened(with credential: Secret<String>, request: String, at now: Timestamp) -> [UInt8]? {
        guard now < expires, self.credential == storedDigest(credential.unmasked),
            constantTimeEqual(self.request, request)
        else { return nil }
        return try? SealedBox.open([UInt8](box), key: Self.key(credential), associatedData: Array(request.utf8))
    }

    private static func key(_ credential: Secret<String>) -> Secret<[UInt8]> {
        Secret(
            KeyDerivation.hkdfSHA256(
                secret: Array(credential.unmasked.utf8), salt: [], info: Array("countersign sealed answer".utf8),
                count: 32))
    }

    /// Ends the answer of a family whose access token is used for the first time.
    static func end(family: String, accessTokenID: String, _ context: ProviderContext) async throws {
        let waiting = try context.store.read { try ProviderTables.answers.find(family, in: $0) }
        guard let waiting, waiting.accessTokenID == accessTokenID else { return }
        try await context.store.write(.normal) { transaction in
            // A rotation may have put the next answer here meanwhile.
            let now = try ProviderTables.answers.find(family, in: transaction)
            if now?.accessTokenID == accessTokenID { try ProviderTables.answers.remove(family, in: transaction) }
        }
    }
}
