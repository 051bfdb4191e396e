import Basics
import JOSE
import OpenIDConnect
import Platform

/// What every endpoint works with.
struct ProviderContext: Sendable {
    let configuration: ProviderConfiguration
    let keys: ProviderKeys
    let store: any RecordStore
    let environment: Environment
    let journal: RequestJournal
    let boundary: BoundaryHook
    let clientKeys = ClientKeyCache()

    var issuer: Issuer { configuration.issuer }
    var now: Timestamp { environment.now() }

    /// A value that nobody can guess, as base64url.
    func randomText(bytes: Int = 32) -> String { Base64URL.encode(environment.randomBytes(bytes)) }

    /// The absolute address of an endpoint.
    func url(_ endpoint: Endpoint) -> String { configuration.issuer.url(endpoint.path) }
}

/// The form in which a credential is stored: nobody who reads the store can present it.
func storedDigest(_ credential: String) -> String { Base64URL.encode(Digest.sha256(Array(credential.utf8))) }

/// One hash over several texts, each with its length in front, so that no two lists give the same bytes.
func combinedDigest(_ parts: [String]) -> String {
    var bytes: [UInt8] = []
    for part in parts {
        bytes += Array("\(part.utf8.count):".utf8)
        bytes += Array(part.utf8)
    }
    return Base64URL.encode(Digest.sha256(bytes))
}
