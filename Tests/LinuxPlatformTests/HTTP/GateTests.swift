import TestSupport
import Testing

@testable import LinuxPlatform

/// A request that is turned away, and its neighbour that is not.
struct GateCase: CustomTestStringConvertible, Sendable {
    let rule: String
    let status: Int
    let refused: String
    let accepted: String

    var testDescription: String { rule }

    static func head(_ fields: String..., method: String = "GET", target: String = "/", version: String = "HTTP/1.1")
        -> String
    {
        "\(method) \(target) \(version)\r\nHost: localhost:PORT\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
    }

    static let all: [GateCase] = [
        GateCase(
            rule: "no Host", status: 400, refused: "GET / HTTP/1.1\r\n\r\n", accepted: head()),
        GateCase(
            rule: "two Hosts", status: 400, refused: head("Host: localhost:PORT"), accepted: head("Hostess: x")),
        GateCase(
            rule: "another Host", status: 421, refused: "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            accepted: "GET / HTTP/1.1\r\nhost: LOCALHOST:PORT\r\n\r\n"),
        GateCase(
            rule: "Host without the port", status: 421, refused: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
            accepted: head()),
        GateCase(
            rule: "another authority in the target", status: 421, refused: head(target: "http://evil.example/"),
            accepted: head(target: "http://localhost:PORT/")),
        GateCase(
            rule: "two lengths", status: 400, refused: head("Content-Length: 1", "Content-Length: 1") + "x",
            accepted: head("Content-Length: 1") + "x"),
        GateCase(
            rule: "a list of lengths", status: 400, refused: head("Content-Length: 1, 1") + "x",
            accepted: head("Content-Length: 01") + "x"),
        GateCase(
            rule: "a length with a sign", status: 400, refused: head("Content-Length: +5") + "hello",
            accepted: head("Content-Length: 5") + "hello"),
        GateCase(
            rule: "a negative length", status: 400, refused: head("Content-Length: -1"),
            accepted: head("Content-Length: 0")),
        GateCase(
            rule: "length and coding", status: 400,
            refused: head("Content-Length: 3", "Transfer-Encoding: chunked") + "0\r\n\r\n",
            accepted: head("Transfer-Encoding: chunked") + "0\r\n\r\n"),
        GateCase(
            rule: "an unknown coding", status: 501, refused: head("Transfer-Encoding: gzip, chunked") + "0\r\n\r\n",
            accepted: head("transfer-encoding: Chunked") + "3\r\nabc\r\n0\r\n\r\n"),
        GateCase(
            rule: "a chunk extension", status: 400,
            refused: head("Transfer-Encoding: chunked") + "1;a=b\r\nx\r\n0\r\n\r\n",
            accepted: head("Transfer-Encoding: chunked") + "1\r\nx\r\n0\r\n\r\n"),
        GateCase(
            rule: "a chunk that is longer than it says", status: 400,
            refused: head("Transfer-Encoding: chunked") + "1\r\nxy\r\n0\r\n\r\n",
            accepted: head("Transfer-Encoding: chunked") + "2\r\nxy\r\n0\r\n\r\n"),
        GateCase(
            rule: "a trailer", status: 400, refused: head("Transfer-Encoding: chunked") + "0\r\nHost: a\r\n\r\n",
            accepted: head("Transfer-Encoding: chunked") + "0\r\n\r\n"),
        GateCase(
            rule: "a bare line feed", status: 400, refused: "GET / HTTP/1.1\nHost: localhost:PORT\n\n", accepted: head()
        ),
        GateCase(
            rule: "a bare carriage return", status: 400, refused: head("A: b\rc"), accepted: head("A: b c")),
        GateCase(
            rule: "a NUL in a value", status: 400, refused: head("A: b\0c"), accepted: head("A: b%00c")),
        GateCase(
            rule: "a control byte in a value", status: 400, refused: head("A: b\u{1}c"), accepted: head("A: b\tc")),
        GateCase(
            rule: "a value that is not UTF-8", status: 400, refused: head("A: RAW"), accepted: head("A: é")),
        GateCase(
            rule: "a folded field", status: 400, refused: head("A: b", " c"), accepted: head("A: b", "C: d")),
        GateCase(
            rule: "white space before the colon", status: 400, refused: head("A : b"), accepted: head("A:b")),
        GateCase(rule: "a field without a name", status: 400, refused: head(": b"), accepted: head("A:")),
        GateCase(rule: "a field without a colon", status: 400, refused: head("A"), accepted: head("A:")),
        GateCase(rule: "a name that is no token", status: 400, refused: head("A(B): c"), accepted: head("A!B: c")),
        GateCase(
            rule: "two credentials", status: 400, refused: head("Authorization: a", "Authorization: b"),
            accepted: head("Authorization: a", "DPoP: b")),
        GateCase(
            rule: "an unknown version", status: 505, refused: head(version: "HTTP/2.0"),
            accepted: head(version: "HTTP/1.0")),
        GateCase(
            rule: "a misspelt version", status: 400, refused: head(version: "http/1.1"),
            accepted: head(version: "HTTP/1.1")),
        GateCase(
            rule: "two spaces in the request line", status: 400, refused: head(method: "GET "), accepted: head()),
        GateCase(
            rule: "a target that is no path", status: 400, refused: head(target: "x"), accepted: head(target: "/x")),
        GateCase(
            rule: "a target that is not ASCII", status: 400, refused: head(target: "/é"),
            accepted: head(target: "/%C3%A9")),
        GateCase(
            rule: "a fragment in the target", status: 400, refused: head(target: "/a#b"),
            accepted: head(target: "/a?b%23")),
        GateCase(
            rule: "the asterisk for a method other than OPTIONS", status: 400, refused: head(target: "*"),
            accepted: head(method: "OPTIONS", target: "*")),
        GateCase(
            rule: "an unknown method", status: 501, refused: head(method: "BREW"), accepted: head(method: "DELETE")),
        GateCase(
            rule: "an unknown expectation", status: 417, refused: head("Expect: tea", "Content-Length: 0"),
            accepted: head("Expect: 100-continue", "Content-Length: 0")),
        GateCase(
            rule: "a long header", status: 431, refused: head("A: " + String(repeating: "a", count: 16 * 1024)),
            accepted: head("A: " + String(repeating: "a", count: 15 * 1024))),
        GateCase(
            rule: "a header without an end", status: 431,
            refused: "GET /" + String(repeating: "a", count: 17 * 1024),
            accepted: head(target: "/" + String(repeating: "a", count: 8 * 1024))),
        GateCase(
            rule: "a long body", status: 413, refused: head("Content-Length: 65537"),
            accepted: head("Content-Length: 65536") + String(repeating: "x", count: 65_536)),
        GateCase(
            rule: "a length beyond all numbers", status: 413,
            refused: head("Content-Length: 99999999999999999999999"), accepted: head("Content-Length: 3") + "abc"),
        GateCase(
            rule: "a long chunked body", status: 413,
            refused: head("Transfer-Encoding: chunked") + "10001\r\n",
            accepted: head("Transfer-Encoding: chunked") + "10000\r\n" + String(repeating: "x", count: 65_536)
                + "\r\n0\r\n\r\n"),
    ]
}

@Suite struct GateTests {
    @Test(.rule("A156"), arguments: GateCase.all)
    func `the gate refuses, and lets the neighbour through`(_ rule: GateCase) async throws {
        try await withServer { _, port in
            let fill = { @Sendable (text: String) -> [UInt8] in
                let bytes = Array(text.replacing("PORT", with: "\(port)").utf8)
                // A byte that no text can hold.
                return Array(bytes.split(separator: Array("RAW".utf8)).joined(separator: [0xFF]))
            }
            let (refused, accepted) = try await onOwnThread {
                let stranger = try RawPeer(port: port)
                stranger.send(fill(rule.refused))
                let refused = try stranger.readAll()
                let neighbour = try RawPeer(port: port)
                neighbour.send(fill(rule.accepted))
                return (refused, try neighbour.readResponse())
            }
            #expect(status(refused) == rule.status, "\(refused)")
            #expect(refused.contains("\r\nConnection: close\r\n"))
            #expect(status(accepted) == 200, "\(accepted)")
        }
    }

    @Test func `a refused request is not followed by another one`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send("GET / HTTP/1.1\r\n\r\n" + "GET / HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                return try peer.readAll()
            }
            #expect(text.split(separator: "HTTP/1.1 ").count == 1)
        }
    }

    @Test func `a header may arrive byte by byte`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                for byte in "POST /a?b=c HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: 3\r\n\r\nxyz".utf8 {
                    peer.send([byte])
                }
                return try peer.readResponse()
            }
            #expect(text.hasSuffix("POST /a?b=c [Host=localhost:\(port);Content-Length=3] xyz"))
        }
    }

    @Test func `a chunked body may arrive byte by byte`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send("POST / HTTP/1.1\r\nHost: localhost:\(port)\r\nTransfer-Encoding: chunked\r\n\r\n")
                for byte in "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n".utf8 { peer.send([byte]) }
                return try peer.readResponse()
            }
            #expect(text.hasSuffix("] abc0123456789"))
        }
    }
}
