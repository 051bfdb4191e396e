package import Basics
import FoundationEssentials

/// The scripts that a command line names.
package enum ScriptFiles {
    private static let endings = [".yaml", ".yml", ".json"]

    /// Reads files, and all scripts in folders and below them, sorted by path. Every one is read before any is played.
    ///
    /// - Parameter tags: only scripts that have one of these; all, where there are none.
    /// - Throws: `script-missing` for a path that is not there, and where nothing is left to play; `invalid-yaml`.
    package static func read(_ paths: [String], tags: [String] = []) throws(Fault) -> [HandoffScript] {
        var scripts: [HandoffScript] = []
        for path in paths {
            for file in try files(at: path) {
                guard let bytes = FileManager.default.contents(atPath: file) else {
                    throw Fault(.scriptMissing, "\(file) cannot be read.")
                }
                scripts.append(try HandoffScript(parsing: bytes, file: file))
            }
        }
        let chosen = tags.isEmpty ? scripts : scripts.filter { !Set($0.tags).isDisjoint(with: tags) }
        guard !chosen.isEmpty else {
            throw Fault(
                .scriptMissing,
                "There is no script" + (tags.isEmpty ? "" : " with the tag \(tags.joined(separator: " or "))")
                    + " in \(paths.joined(separator: ", ")).")
        }
        return chosen
    }

    private static func files(at path: String) throws(Fault) -> [String] {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Fault(.scriptMissing, "\(path) is not there.")
        }
        guard isFolder else { return [path] }
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted().map { "\(folder)/\($0)" }
    }
}
