"""Makes docs/handoff-vectors.json, and the samples in docs/handoff-protocol.md, anew: scripts/vectors runs it.

The vectors are made with jwcrypto and read by the Swift code (VectorTests) and by the client in Python
(python_client.py), so that two implementations agree on every byte. Keys and signatures differ each time.
"""
import importlib.util, json, pathlib, re, sys

from jwcrypto import jwe, jwk

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("client", ROOT / "Examples/python-client/client.py")
client = importlib.util.module_from_spec(spec)
spec.loader.exec_module(client)

NOW, FLOW, OTHER_FLOW = 1_800_000_000, "0b54a4a5-2c3e-4c55-9d1b-5b6f0f5f3a11", "7c1de0a2-61d4-4f0b-8a5e-93a4c2f1b7d0"
ISSUER, CLIENT_ID, SUB = "http://localhost:8423", "com.example.notes", "8o5FNOgC2JtTN7pceC81Eg"
NONCE, JTI = "5f1c0a4be2d94d0f", {name: (name + "-0123456789abcdefgh")[:21] + "A" for name in sorted(
    client.PERSONAL | {"error", "authack", "cancel", "logoutack", "ping", "pong"})}


def app(id):
    def key(**about):
        made = jwk.JWK.generate(kty="EC", crv="P-256")
        return {**made.export(as_dict=True), "kid": made.thumbprint(), **about}
    return {"id": id, "scheme": id, "keys": {
        "schemaVersion": 1, "command": key(use="sig", alg="ES256"), "encryption": key(use="enc", alg="ECDH-ES"),
        "oauth": key(use="sig", alg="ES256")}}


APPS = {"client": app(CLIENT_ID), "identity-provider": app("org.example.idp")}


def key(role, use):
    return jwk.JWK(**APPS[role]["keys"][use])


def request_object():
    oauth = key("client", "oauth")
    return client.sign(oauth, "oauth-authz-req+jwt", {
        "iss": CLIENT_ID, "client_id": CLIENT_ID, "aud": ISSUER, "response_type": "code",
        "redirect_uri": CLIENT_ID + "://callback", "scope": "email offline_access openid profile",
        "state": "Zk0SpWw0Dhd4PCAu1w5VJQ", "nonce": "n-0S6_WzA2MjTB3xq9Lr4w",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        "dpop_jkt": oauth.thumbprint(), "jti": "cmVxdWVzdC1vYmplY3QtMQ", "iat": NOW, "nbf": NOW, "exp": NOW + 120,
    }, kid=oauth.thumbprint())


LOGOUT_TOKEN = client.sign(jwk.JWK.generate(kty="EC", crv="P-256", alg="ES256"), "logout+jwt", {
    "iss": ISSUER, "aud": CLIENT_ID, "sub": SUB, "jti": "bG9nb3V0LXRva2VuLTEwMA", "iat": NOW, "exp": NOW + 120,
    "events": {"http://schemas.openid.net/event/backchannel-logout": {}}})
HINT = {"user_hint": {"username": "alice"}}
CODE = {"code": "SplxlOBeZQQYbYS6WxSbIA", "issuer": ISSUER, "client_id": CLIENT_ID, "sub": SUB}
SAMPLES = [  # command, sender, fields beside the envelope
    ("ping", "client", {"nonce": NONCE, "flow": OTHER_FLOW}),
    ("pong", "identity-provider", {"nonce": NONCE, "version": "v1.0", "irt": JTI["ping"], "flow": OTHER_FLOW,
                                   "enc_kid": key("identity-provider", "encryption").thumbprint()}),
    ("authrequest", "client", {"request": request_object(), **HINT, "app_name": "Notes"}),
    ("authresponse", "identity-provider", {**CODE, "state": "Zk0SpWw0Dhd4PCAu1w5VJQ", "irt": JTI["authrequest"]}),
    ("authack", "client", {"outcome": "logged_in", "irt": JTI["authresponse"]}),
    ("error", "identity-provider", {"errorCode": "access_denied", "irt": JTI["authrequest"]}),
    ("cancel", "client", {}),
    ("idpinit", "identity-provider", {**HINT, "start_url": "https://notes.example.com/today"}),
    ("idpauthcodeinit", "identity-provider", {**CODE, "start_url": CLIENT_ID + "://today"}),
    ("logout", "identity-provider", {"issuer": ISSUER, "sub": SUB, "sid": "FDXHmCbmfBI73a-avfyxAg",
                                     "scope": "everywhere", "logout_token": LOGOUT_TOKEN}),
    ("logoutack", "client", {"outcome": "logged_out", "irt": JTI["logout"]})]


def other(role):
    return "client" if role == "identity-provider" else "identity-provider"


def parts(command, sender, fields):
    """A sound command in pieces: header, claims, header of the encryption."""
    receiver, encryption = other(sender), key(other(sender), "encryption")
    claims = {"iss": APPS[sender]["id"], "aud": APPS[receiver]["id"], "jti": JTI[command], "iat": NOW, "exp": NOW + 60,
              "flow": FLOW, "command": command, **fields}
    if command in client.PERSONAL:
        claims["ekid"] = encryption.thumbprint()
    return {"path": command, "sender": sender, "receiver": receiver, "nested": command in client.PERSONAL,
            "header": {"kid": key(sender, "command").thumbprint()}, "typ": "idp-command+jwt", "claims": claims,
            "signer": key(sender, "command"), "recipient": encryption, "raw": None,
            "outer": client.encryption_header(encryption, APPS[sender]["id"], APPS[receiver]["id"])}


def url(part):
    token = client.sign(part["signer"], part["typ"], part["claims"], **part["header"])
    if part["raw"]:
        signed = client.jws.JWS(part["raw"])
        signed.add_signature(part["signer"], None, json.dumps({"typ": part["typ"], "alg": "ES256", **part["header"]}))
        token = signed.serialize(compact=True)
    if part["nested"]:
        sealed = jwe.JWE(token, json.dumps(part["outer"]))
        sealed.add_recipient(part["recipient"])
        token = sealed.serialize(compact=True)
    return f"{APPS[part['receiver']]['scheme']}://oauth2/v1.0/{part['path']}?command={token}"


def accepted(command, sender, fields):
    part = parts(command, sender, fields)
    header = {"alg": "ES256", "kid": part["header"]["kid"], "typ": part["typ"]}
    vector = {"command": command, "receiver": part["receiver"], "header": header, "claims": part["claims"],
              "url": url(part)}
    return vector | ({"encryption_header": part["outer"]} if part["nested"] else {})


def refused():
    sample = {name: (name, sender, fields) for name, sender, fields in SAMPLES}

    def case(why, code, name, change):
        part = parts(*sample[name])
        made = change(part)
        return {"why": why, "code": code, "receiver": part["receiver"], "url": made or url(part)}

    def claims(**changes):
        def change(part):
            part["claims"] = {k: v for k, v in {**part["claims"], **changes}.items() if v is not None}
        return change

    def put(name, **changes):
        def change(part):
            part[name] = changes["value"] if "value" in changes else {**part[name], **changes}
        return change

    stranger = jwk.JWK.generate(kty="EC", crv="P-256", alg="ES256")
    duplicate = lambda part: part.update(raw=json.dumps(part["claims"])[:-1] + ', "nonce": "twice"}')
    flipped = lambda part: re.sub(r".(.)$", r"A\1", url(part)) if (made := url(part))[-2] != "A" else made[:-2] + "BA"
    bare, nested = put("nested", value=False), put("nested", value=True)
    return [
        case("longer than 8192 bytes", "command-too-large", "ping", lambda part: url(part) + "A" * 8192),
        case("a second query item", "command-shape", "ping", lambda part: url(part) + "&x=y"),
        case("another command in the path than was signed", "command-shape", "error", put("path", value="pong")),
        case("an authentication tag that was changed", "undecryptable", "authresponse", flipped),
        case("encrypted to another key", "undecryptable", "authresponse", put("recipient", value=stranger)),
        case("apu of another app", "undecryptable", "authresponse", put("outer", apu=client.sha256("org.example.x"))),
        case("another cty", "undecryptable", "authresponse", put("outer", cty="JWT")),
        case("a claim of the envelope is missing", "command-malformed", "ping", claims(flow=None)),
        case("a name that stands twice", "command-malformed", "ping", duplicate),
        case("a personal command that is not encrypted", "command-nesting", "authresponse", bare),
        case("an encrypted command that is not personal", "command-nesting", "error", nested),
        case("another typ", "command-header", "pong", put("typ", value="JWT")),
        case("a header member too many", "command-header", "pong", put("header", jku="https://example.com")),
        case("a sender that is not registered", "unknown-sender", "pong", claims(iss="org.example.stranger")),
        case("a kid that is not pinned", "unknown-key", "pong", put("header", kid=stranger.thumbprint())),
        case("signed with a key that is not pinned", "command-signature", "pong", put("signer", value=stranger)),
        case("ekid of another key", "command-recipient-key", "authresponse", claims(ekid=stranger.thumbprint())),
        case("for another app", "command-audience", "pong", claims(aud="com.example.mail")),
        case("from an app of the receiver's own role", "command-role", "authack", lambda part: part.update(
            receiver="client", signer=key("identity-provider", "command"),
            header={"kid": key("identity-provider", "command").thumbprint()},
            claims={**part["claims"], "iss": "org.example.idp", "aud": CLIENT_ID})),
        case("a life of 61 s", "command-lifetime", "pong", claims(exp=NOW + 61)),
        case("expired, with 30 s for the clocks", "command-expired", "pong", claims(iat=NOW - 90, exp=NOW - 30)),
        case("made later than 30 s from now", "command-not-yet-valid", "pong", claims(iat=NOW + 31, exp=NOW + 60)),
        case("an answer to nothing", "command-uncorrelated", "authresponse", claims(irt=None)),
        case("a field too many", "command-meaning", "authresponse", claims(redirect_uri="https://example.com")),
        case("a field is missing", "command-meaning", "authresponse", claims(state=None))]


def shown(value):
    """As the page shows it: what is longer than a line is cut."""
    if isinstance(value, dict):
        return {name: shown(member) for name, member in value.items()}
    return value[:40] + "…" if isinstance(value, str) and len(value) > 60 else value


def samples(vectors):
    blocks = [f"`{vector['command']}`:\n\n```json\n"
              + json.dumps(shown(vector["claims"]), indent=2, sort_keys=True, ensure_ascii=False) + "\n```\n"
              for vector in vectors]
    return "\n".join(blocks)


def main():
    vectors = [accepted(*sample) for sample in SAMPLES]
    whole = {"schemaVersion": 1, "now": NOW, "apps": APPS, "accepted": vectors, "refused": refused()}
    (ROOT / "docs/handoff-vectors.json").write_text(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    page = ROOT / "docs/handoff-protocol.md"
    begin, end = "<!-- samples: scripts/vectors -->\n", "<!-- end of samples -->"
    before, rest = page.read_text().split(begin)
    page.write_text(before + begin + "\n" + samples(vectors) + "\n" + end + rest.split(end)[1])


if __name__ == "__main__":
    sys.exit(main())
