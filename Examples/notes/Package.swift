// swift-tools-version: 6.2
import PackageDescription

let countersign = Context.environment["COUNTERSIGN_URL"] ?? "https://example.com/countersign.git"

let package = Package(
    name: "notes",
    dependencies: [.package(url: countersign, from: "0.1.0")],
    targets: [
        .executableTarget(
            name: "notes",
            dependencies: [
                .product(name: "IdentityClient", package: "countersign"),
                .product(name: "LinuxPlatform", package: "countersign"),
            ])
    ])
