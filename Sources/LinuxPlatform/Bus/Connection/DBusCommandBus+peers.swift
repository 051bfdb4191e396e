import Basics
import Glibc
package import Platform

extension DBusCommandBus {
    package func owner(of name: String) async throws -> String? {
        guard BusName.isValid(name) else { return nil }
        do {
            let owner = try await call(.daemon("GetNameOwner", [.string(name)], timeout: limits.daemonTimeout)) {
                $0.readString()
            }
            if let owner, !BusName.isUnique(name) { peers.remember(name: name, of: owner) }
            return owner
        } catch let fault as Fault where BusFault.saysNoOwner(fault) {
            return nil
        }
    }

    package func evidence(of uniqueName: String) async throws -> PeerEvidence? {
        guard BusName.isUnique(uniqueName), BusName.isValid(uniqueName) else { return nil }
        return try await askEvidence(of: uniqueName).value()
    }

    package func departure(of uniqueName: String) async throws {
        guard BusName.isUnique(uniqueName), BusName.isValid(uniqueName) else { return }
        let departure = peers.departure(of: uniqueName)
        // Asked after the wait has begun, so a departure in between is not missed.
        if try await owner(of: uniqueName) == nil { peers.left(uniqueName) }
        try await departure.value()
    }

    /// Asks the daemon about a connection, once in its life.
    func askEvidence(of uniqueName: String) throws(Fault) -> Promise<PeerEvidence?> {
        if let known = peers.knownEvidence(of: uniqueName) { return known }
        let question = BusCall.daemon(
            "GetConnectionCredentials", [.string(uniqueName)], timeout: limits.daemonTimeout)
        let answer = try send(question) { message in
            DBusCommandBus.evidence(of: uniqueName, message.readNumbers())
        }
        let promise = Promise<PeerEvidence?>()
        peers.remember(promise, of: uniqueName)
        Task(name: "evidence of \(uniqueName)", executorPreference: loop) {
            do {
                promise.fulfil(try await answer.value())
            } catch let fault as Fault where BusFault.saysNoOwner(fault) {
                await self.forgetEvidence(of: uniqueName)
                promise.fulfil(nil)
            } catch {
                await self.forgetEvidence(of: uniqueName)
                promise.settle(.failure(error))
            }
        }
        return promise
    }

    private func forgetEvidence(of uniqueName: String) { peers.forgetEvidence(of: uniqueName) }

    private nonisolated static func evidence(
        of uniqueName: String, _ credentials: [String: UInt32]
    ) -> PeerEvidence {
        let processID = credentials["ProcessID"].flatMap { Int32(exactly: $0) }
        return PeerEvidence(
            uniqueName: uniqueName, userID: credentials["UnixUserID"], processID: processID,
            executable: processID.flatMap(executable))
    }

    /// The path of a process's program, where we may see it.
    private nonisolated static func executable(of processID: Int32) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(processID)/exe", &path, path.count)
        return count > 0 ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}
