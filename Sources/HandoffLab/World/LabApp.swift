package import IdentityClient
package import Platform

/// What stays of an app of the world while its processes come and go: its manifest, its keys, its records.
package struct LabApp: Sendable {
    package let manifest: AppManifest
    package let keys: AppKeys
    package let secrets: any SecretStore
    package let store: any RecordStore

    package var id: String { manifest.id }
}
