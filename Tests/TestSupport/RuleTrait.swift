package import Testing

/// Names the rules that a test proves: take one out, and the test fails.
///
/// The rules stand in Tests/rules.tsv. `scripts/rules` reads the names from the source, makes docs/rules.md from both,
/// and takes the rules out in turn.
package struct RuleTrait: TestTrait {
    package let ids: [String]
}

extension Trait where Self == RuleTrait {
    /// The test proves these rules.
    package static func rule(_ ids: String...) -> RuleTrait { RuleTrait(ids: ids) }
}
