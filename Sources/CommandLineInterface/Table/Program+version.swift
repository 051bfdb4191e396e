extension Program {
    /// The version of the product, the same for all its programs.
    package static let productVersion = "0.1.0"
}
