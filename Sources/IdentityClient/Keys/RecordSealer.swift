package import Basics
import FoundationEssentials
import JOSE

/// Seals the secret parts of an app's records, so that they change in the same commit as the records themselves.
package struct RecordSealer: Sendable {
    private let key: Secret<[UInt8]>

    /// Makes a sealer over the app's key for records.
    package init(key: Secret<[UInt8]>) { self.key = key }

    /// Seals a text; `purpose` (the kind of record and its key) must be given again to open it.
    package func seal(_ text: Secret<String>, purpose: String) throws(Fault) -> String {
        Base64URL.encode(
            try SealedBox.seal(Array(text.unmasked.utf8), key: key, associatedData: Array(purpose.utf8)))
    }

    /// Seals a value as JSON.
    package func seal(json value: some Encodable, purpose: String) throws -> String {
        try seal(Secret(String(decoding: try JSONEncoder().encode(value), as: UTF8.self)), purpose: purpose)
    }

    /// Opens a value that was sealed as JSON.
    package func open<Value: Decodable>(_: Value.Type, _ sealed: String, purpose: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(try open(sealed, purpose: purpose).unmasked.utf8))
    }

    /// Opens a sealed text.
    ///
    /// - Throws: `undecryptable` when it was sealed with another key or for another purpose.
    package func open(_ sealed: String, purpose: String) throws(Fault) -> Secret<String> {
        let bytes = try SealedBox.open(try Base64URL.decode(sealed), key: key, associatedData: Array(purpose.utf8))
        return Secret(String(decoding: bytes, as: UTF8.self))
    }
}
