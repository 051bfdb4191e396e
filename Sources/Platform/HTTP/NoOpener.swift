import Basics

/// Opens nothing: for machines without a browser, and for tests.
package struct NoOpener: URLOpener {
    package init() {}

    package var isAvailable: Bool { false }

    package func open(_ url: String) async throws { throw Fault(.noOpener) }
}
