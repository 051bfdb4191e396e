// swift-tools-version: 6.2
// Countersign: an identity-provider broker for the apps on one machine, and the laboratory to test it.
// The targets below are in the order of their arrows: each imports only what stands above it.
import PackageDescription

let libraries: [Target] = [
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CEvent", pkgConfig: "libevent_openssl", providers: [.apt(["libevent-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CLinux"),

    .target(name: "Basics"),
    .target(name: "HTML"),
    .target(name: "StrictYAML", dependencies: ["CYAML", "Basics"]),
    .target(name: "JOSE", dependencies: ["COpenSSL", "Basics"]),
    .target(name: "OpenIDConnect", dependencies: ["JOSE", "Basics"]),
    .target(name: "Handoff", dependencies: ["OpenIDConnect", "JOSE", "Basics"]),
    .target(name: "Platform", dependencies: ["Basics"]),
    .target(
        name: "IdentityClient",
        dependencies: ["Handoff", "OpenIDConnect", "JOSE", "Platform", "HTML", "Basics"]),
    .target(
        name: "IdentityBroker",
        dependencies: ["IdentityClient", "Handoff", "OpenIDConnect", "JOSE", "Platform", "Basics"]),
    .target(name: "OpenIDProvider", dependencies: ["OpenIDConnect", "JOSE", "Platform", "HTML", "Basics"]),
    .target(
        name: "LinuxPlatform",
        dependencies: [
            "Platform", "StrictYAML", "JOSE", "HTML", "Basics",
            "COpenSSL", "CCurl", "CSQLite", "CEvent", "CSystemd", "CLinux",
        ]),
    .target(name: "CommandLineInterface", dependencies: ["Platform", "Basics"]),
    .target(
        name: "HandoffLab",
        dependencies: [
            "IdentityClient", "IdentityBroker", "OpenIDProvider", "Handoff", "OpenIDConnect", "JOSE", "Platform",
            "LinuxPlatform", "StrictYAML", "HTML", "Basics",
        ]),
]

let programs: [Target] = [
    .executableTarget(
        name: "IDPApp",
        dependencies: [
            "IdentityBroker", "IdentityClient", "OpenIDProvider", "Handoff", "OpenIDConnect", "JOSE", "Platform",
            "LinuxPlatform", "CommandLineInterface", "Basics",
        ]),
    .executableTarget(
        name: "ClientApp",
        dependencies: [
            "IdentityClient", "Handoff", "OpenIDConnect", "JOSE", "Platform", "LinuxPlatform", "CommandLineInterface",
            "Basics",
        ]),
    .executableTarget(
        name: "LabTool",
        dependencies: ["HandoffLab", "Platform", "LinuxPlatform", "CommandLineInterface", "Basics"]),
]

let tests: [Target] = [
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .target(name: "PlatformConformance", dependencies: ["Platform", "Basics"], path: "Tests/PlatformConformance"),
    .target(
        name: "StageConformance",
        dependencies: ["HandoffLab", "IdentityBroker", "IdentityClient", "Handoff", "Platform", "Basics"],
        path: "Tests/StageConformance"),
    .testTarget(name: "BasicsTests", dependencies: ["Basics"]),
    .testTarget(name: "HTMLTests", dependencies: ["HTML"]),
    .testTarget(name: "StrictYAMLTests", dependencies: ["StrictYAML", "Basics"]),
    .testTarget(name: "JOSETests", dependencies: ["JOSE", "Basics"]),
    .testTarget(name: "OpenIDConnectTests", dependencies: ["OpenIDConnect", "JOSE", "Basics"]),
    .testTarget(name: "HandoffTests", dependencies: ["Handoff", "OpenIDConnect", "JOSE", "Basics"]),
    .testTarget(name: "PlatformTests", dependencies: ["PlatformConformance", "Platform", "Basics"]),
    .testTarget(
        name: "IdentityClientTests",
        dependencies: ["IdentityClient", "Handoff", "OpenIDConnect", "JOSE", "Platform", "Basics"]),
    .testTarget(
        name: "IdentityBrokerTests",
        dependencies: ["IdentityBroker", "IdentityClient", "Handoff", "OpenIDConnect", "JOSE", "Platform", "Basics"]),
    .testTarget(
        name: "OpenIDProviderTests",
        dependencies: ["OpenIDProvider", "OpenIDConnect", "JOSE", "Platform", "HTML", "Basics"]),
    .testTarget(
        name: "LinuxPlatformTests",
        dependencies: [
            "PlatformConformance", "LinuxPlatform", "Platform", "StrictYAML", "JOSE", "HTML", "Basics", "CLinux",
        ]),
    .testTarget(name: "CommandLineInterfaceTests", dependencies: ["CommandLineInterface", "Platform", "Basics"]),
    .testTarget(
        name: "HandoffLabTests",
        dependencies: [
            "StageConformance", "HandoffLab", "IdentityClient", "IdentityBroker", "OpenIDProvider", "Handoff",
            "OpenIDConnect", "JOSE", "Platform", "StrictYAML", "LinuxPlatform", "Basics",
        ]),
    .testTarget(
        name: "EndToEndTests",
        dependencies: [
            "IDPApp", "ClientApp", "LabTool", "StageConformance", "HandoffLab", "IdentityBroker", "IdentityClient",
            "LinuxPlatform", "CommandLineInterface", "JOSE", "Platform", "Basics",
        ]),
]

// What every test may use: the names of the rules that it proves.
for target in tests where target.type == .test { target.dependencies.append("TestSupport") }

// Fuzzing needs the compiler's own flags, so those targets exist only when it is asked for, in a scratch path apart:
// COUNTERSIGN_FUZZ=1 swift build --scratch-path .build/fuzz --product CommandFuzzer
let isFuzzing = Context.environment["COUNTERSIGN_FUZZ"] == "1"
let fuzzers: [Target] =
    isFuzzing
    ? [
        .executableTarget(
            name: "CommandURLFuzzer", dependencies: ["Handoff", "Basics"], path: "Tests/Fuzz/CommandURLFuzzer"),
        .executableTarget(
            name: "CommandFuzzer", dependencies: ["Handoff", "OpenIDConnect", "JOSE", "Basics"],
            path: "Tests/Fuzz/CommandFuzzer"),
        .executableTarget(name: "JSONFuzzer", dependencies: ["Basics"], path: "Tests/Fuzz/JSONFuzzer"),
        .executableTarget(name: "JOSEFuzzer", dependencies: ["JOSE", "Basics"], path: "Tests/Fuzz/JOSEFuzzer"),
    ] : []

let package = Package(
    name: "Countersign",
    products: [
        .library(name: "IdentityClient", targets: ["IdentityClient"]),
        .library(name: "LinuxPlatform", targets: ["LinuxPlatform"]),
        .library(name: "HandoffLab", targets: ["HandoffLab"]),
        .executable(name: "countersign-idp", targets: ["IDPApp"]),
        .executable(name: "countersign-client", targets: ["ClientApp"]),
        .executable(name: "countersign", targets: ["LabTool"]),
    ],
    targets: libraries + programs + tests + fuzzers,
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    if !isFuzzing { target.swiftSettings?.append(.treatAllWarnings(as: .error)) }
}

if isFuzzing {  // COUNTERSIGN_FUZZ alone
    for target in package.targets where target.type != .system {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer"]))
    }
    for target in fuzzers { target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer"])] }
}
