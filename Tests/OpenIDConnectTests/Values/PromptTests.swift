import Basics
import OpenIDConnect
import Testing

struct PromptTests {
    @Test func `values come in any order and go out in one`() throws {
        let prompt = try Prompt("select_account login login")
        #expect(prompt.text == "login select_account")
        #expect(prompt.contains(.login) && prompt.contains(.selectAccount) && !prompt.contains(.consent))
        #expect(try Prompt("none").contains(.none))
        #expect(try Prompt([.login]).text == "login")
    }

    @Test(arguments: ["", " ", "none login", "consent none", "Login", "create", "login  consent", "login "])
    func `none stands alone and unknown values are refused`(text: String) {
        #expect(throws: Fault(.invalidPrompt)) { try Prompt(text) }
    }
}
