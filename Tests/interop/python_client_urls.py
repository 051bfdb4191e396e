"""URLs that the client in Python makes, good and bad: HOME APP; a line of JSON for each.

`rule` and `code` are what the table “Verifying a command” of docs/handoff-protocol.md refuses it by; null where a
command is taken. PythonClientTests gives each to `countersign explain`.
"""
import importlib.util, json, pathlib, secrets, sys, time, uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("client", ROOT / "Examples/python-client/client.py")
client = importlib.util.module_from_spec(spec)
spec.loader.exec_module(client)

app = client.App(pathlib.Path(sys.argv[1], "apps", sys.argv[2]))
provider = client.Provider.__new__(client.Provider)
provider.app, provider.issuer, provider.client_id = app, app.idp["issuer"], app.idp["client-id"]


def show(name, url, rule=None, code=None):
    print(json.dumps({"name": name, "url": url, "rule": rule, "code": code}))


def seal(command, **fields):
    """A command in a flow of its own."""
    return app.seal(command, {"flow": str(uuid.uuid4()), **fields})


def request():
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    return provider.request_object(
        time.time() + 120, state=state, nonce=nonce, code_challenge=client.sha256(verifier))


def some_id():
    return secrets.token_urlsafe(16)


def signed(key, typ="idp-command+jwt", **claims):
    """A ping that is signed as `seal` does it, but for what is said here."""
    claims = {"iss": app.id, "aud": app.idp["id"], "command": "ping", "nonce": "1", "flow": str(uuid.uuid4()),
              "exp": int(time.time()) + 60, **claims}
    kid = claims.pop("kid", key.thumbprint())
    token = client.sign(key, typ, claims, kid=kid)
    return f"{app.idp['scheme']}://oauth2/v1.0/ping?command={token}"


show("a request", seal("authrequest", request=request()))
show("a request with a hint", seal("authrequest", request=request(), user_hint={"username": "alice"}))
show("a ping", seal("ping", nonce="1"))
show("a ping that is signed by hand", signed(app.command))

show("a receipt of nothing", seal("authack", irt=some_id(), outcome="logged_in"), "correlation", "flow-unknown")
show("a cancel of nothing", seal("cancel"), "correlation", "flow-unknown")
show("a pong that nobody asked for", seal(
    "pong", irt=some_id(), nonce="1", version="v1.0", enc_kid=app.encryption.thumbprint()),
    "correlation", "command-uncorrelated")
show("a receipt that answers nothing", seal("authack", outcome="logged_in"), "reply", "command-uncorrelated")
show("a command of the other role", seal("idpinit", user_hint={"username": "alice"}), "role", "command-role")
show("a request without its object", seal("authrequest"), "meaning", "command-meaning")
show("an unknown field", seal("ping", nonce="1", colour="red"), "meaning", "command-meaning")
show("a longer life", seal("ping", nonce="1", exp=int(time.time()) + 90), "lifetime", "command-lifetime")
show("an old command", seal("ping", nonce="1", iat=int(time.time()) - 120, exp=int(time.time()) - 60),
     "freshness", "command-expired")
show("another receiver", seal("ping", nonce="1", aud="com.example.other"), "audience", "command-audience")
show("a stranger", seal("ping", nonce="1", iss="com.example.other"), "sender", "unknown-sender")
show("another type", signed(app.command, typ="JWT"), "header", "command-header")
show("the OAuth key", signed(app.oauth), "signature", "unknown-key")
show("another key under the name of the right one", signed(
    client.jwk.JWK.generate(kty="EC", crv="P-256", alg="ES256"), kid=app.command.thumbprint()),
    "signature", "command-signature")
client.PERSONAL.remove("authrequest")
show("a request that is not encrypted", seal("authrequest", request=request()), "nesting", "command-nesting")
client.PERSONAL.update({"authrequest", "ping"})
show("a ping that is encrypted", seal("ping", nonce="1"), "nesting", "command-nesting")
show("two items", seal("ping", nonce="1").replace("?", "?more=1&"), "shape", "command-shape")
