package import Basics

/// The keys of an app in a form that a program in any language reads: `keys.json` beside its manifest.
extension Home {
    /// Writes the keys, which are JSON.
    package func write(exportedKeys: Secret<String>, of id: String) throws(Fault) {
        try exportFile(of: id).write(Array(exportedKeys.unmasked.utf8))
    }

    /// Whether the app has such a file: then whoever changes its keys writes them again.
    package func hasExportedKeys(of id: String) throws(Fault) -> Bool {
        try FileStatus.of(path: exportFile(of: id).path) != nil
    }

    private func exportFile(of id: String) throws(Fault) -> PrivateFile {
        try GroupName.require(id)
        return try PrivateDirectory(creating: layout.app(id)).file("keys.json")
    }
}
