import OpenIDConnect
import OpenIDProvider
import Platform
import Synchronization

/// The provider of a world. It can end without a word and start again over the same keys and rows, as its process can.
final class LabProvider: Sendable {
    private struct Running {
        var environment: Environment
        var life: Life
    }

    private let configuration: ProviderConfiguration
    private let keys: ProviderKeys
    private let store: any RecordStore
    private let network: InMemoryNetwork
    private let journal: any Journal
    private let boundary: BoundaryHook
    private let environment: Environment
    private let running = Mutex<Running?>(nil)

    init(
        configuration: ProviderConfiguration, keys: ProviderKeys, store: any RecordStore, network: InMemoryNetwork,
        journal: any Journal, boundary: @escaping BoundaryHook, environment: Environment
    ) {
        self.configuration = configuration
        self.keys = keys
        self.store = store
        self.network = network
        self.journal = journal
        self.boundary = boundary
        self.environment = environment
    }

    /// Serves from now on, if it does not yet.
    func start() {
        guard running.withLock({ $0 == nil }) else { return }
        let party = environment.party()
        let life = Life()
        let server = AuthorizationServer(
            configuration: configuration, keys: keys, store: life.bounding(store), environment: party,
            journal: life.bounding(journal), boundary: boundary)
        running.withLock { $0 = Running(environment: party, life: life) }
        network.serve(configuration.issuer.text, in: party, server)
    }

    /// Ends without a word: nothing that it still does has an effect.
    func kill() async {
        let ending = running.withLock { running in
            defer { running = nil }
            return running
        }
        guard let ending else { return }
        network.stopServing(configuration.issuer.text)
        ending.life.end()
        await ending.environment.stop()
    }
}
