#!/usr/bin/python3
"""A client of docs/handoff-protocol.md in Python: logs a person in through the identity provider app of a home.

    client.py HOME APP login [NAME]    logs in, prints the account, and gives the tokens back: it keeps nothing on disk
    client.py HOME APP serve [NAME]    the same, and stays till SIGTERM: it answers pings, and logs out when told to
"""
import hashlib, hmac, json, re, secrets, signal, sys, time, uuid
from collections import deque
from pathlib import Path

import httpx, jeepney, yaml
from jeepney.io.blocking import Proxy, open_dbus_connection
from jwcrypto import jwe, jwk, jws
from jwcrypto.common import JWException, base64url_encode

PERSONAL = {"authrequest", "authresponse", "idpinit", "idpauthcodeinit", "logout"}
ENVELOPE = {"iss", "aud", "jti", "iat", "exp", "flow", "command"}
FIELDS = {  # what the commands to a client have beside that; "?" marks what may be missing
    "authresponse": "irt code issuer client_id state sub", "error": "irt errorCode", "cancel": "", "ping": "nonce",
    "pong": "irt nonce version enc_kid", "logout": "issuer sub scope sid? logout_token?", "logoutack": "irt outcome"}

class Refused(Exception):
    """A rule refused what arrived, or somebody refused what we asked; its text is the code."""

def require(holds, code):
    if not holds:
        raise Refused(code)

def without_repeated_names(pairs):
    require(len(dict(pairs)) == len(pairs), "command-malformed")
    return dict(pairs)

def sha256(text):
    return base64url_encode(hashlib.sha256(text.encode()).digest())

def sign(key, typ, claims, **header):
    """A compact JWS by the key's one algorithm."""
    token = jws.JWS(json.dumps({"jti": secrets.token_urlsafe(16), "iat": int(time.time()), **claims}))
    token.add_signature(key, None, json.dumps({"typ": typ, "alg": key["alg"], **header}))
    return token.serialize(compact=True)

def verified(token, keys):
    """Header and claims of a compact JWS: signed with the key of its kid, by that key's one algorithm, and live."""
    signed = jws.JWS()
    signed.deserialize(token)
    key = keys.get_key(signed.jose_header["kid"])
    require(key, "unknown-key")
    signed.allowed_algs = [key["alg"]]
    signed.verify(key)
    claims = json.loads(signed.payload, object_pairs_hook=without_repeated_names)
    require(claims["iat"] - 30 <= time.time() < claims["exp"] + 30, "command-expired")  # clocks differ
    return signed.jose_header, claims

def encryption_header(key, sender, receiver):
    return {"alg": "ECDH-ES", "enc": "A256GCM", "kid": key.thumbprint(), "apu": sha256(sender),
            "apv": sha256(receiver), "cty": "idp-command+jwt"}

class App:
    """Who we are and whom we trust: the folder that `apps add --export-keys` made. Seals and verifies commands."""
    def __init__(self, folder):
        manifest, keys = (yaml.safe_load((folder / name).read_text()) for name in ("app.yaml", "keys.json"))
        self.id, self.scheme, self.idp = manifest["id"], manifest["schemes"][0], manifest["identity-providers"][0]
        self.redirect_uri, self.scope = manifest["redirect-uris"][0], " ".join(manifest["scopes"])
        self.command, self.encryption, self.oauth = (jwk.JWK(**keys[use]) for use in ("command", "encryption", "oauth"))
        self.idp_encryption, self.idp_keys = jwk.JWK(**self.idp["encryption-key"]), jwk.JWKSet()
        self.idp_keys.add(jwk.JWK(**self.idp["command-key"]))

    def seal(self, command, fields):
        """The URL of a command to the identity provider app."""
        claims = {"iss": self.id, "aud": self.idp["id"], "command": command, "exp": int(time.time()) + 60, **fields}
        claims |= {"ekid": self.idp_encryption.thumbprint()} if command in PERSONAL else {}
        token = sign(self.command, "idp-command+jwt", claims, kid=self.command.thumbprint())
        if command in PERSONAL:
            sealed = jwe.JWE(token, json.dumps(encryption_header(self.idp_encryption, self.id, self.idp["id"])))
            sealed.add_recipient(self.idp_encryption)
            token = sealed.serialize(compact=True)
        return f"{self.idp['scheme']}://oauth2/v1.0/{command}?command={token}"

    def verify(self, url):
        """The claims of a command for us, by the table “Verifying a command”."""
        shape = re.fullmatch(re.escape(self.scheme) + r"://oauth2/v1\.0/([a-z]+)\?command=([A-Za-z0-9_.-]+)", url)
        require(shape and shape[1] in FIELDS and len(url) <= 8192, "command-shape")
        path, token, personal = *shape.groups(), shape[1] in PERSONAL
        require((token.count(".") == 4) == personal, "command-nesting")
        header, claims = verified(self.decrypt(token) if personal else token, self.idp_keys)
        require(header.keys() == {"typ", "alg", "kid"} and header["typ"] == "idp-command+jwt", "command-header")
        require(claims["iss"] == self.idp["id"], "unknown-sender")
        require(claims.get("ekid") == (self.encryption.thumbprint() if personal else None), "command-recipient-key")
        require(claims["aud"] == self.id, "command-audience")
        require(claims["command"] == path, "command-shape")
        require(0 < claims["exp"] - claims["iat"] <= 60, "command-lifetime")
        must = ENVELOPE | {field for field in FIELDS[path].split() if field[-1] != "?"}
        may = must | set(FIELDS[path].replace("?", "").split()) | {"irt", "ekid", "traceparent"}
        require(must <= claims.keys() <= may, "command-meaning")
        return claims

    def decrypt(self, token):
        sealed = jwe.JWE(algs=["ECDH-ES", "A256GCM"])
        sealed.deserialize(token, self.encryption)
        header = encryption_header(self.encryption, self.idp["id"], self.id)
        require(sealed.jose_header == {**header, "epk": sealed.jose_header["epk"]}, "undecryptable")
        return sealed.payload.decode()

class Provider:
    """The OpenID provider, over the home's own socket: who takes its port while it is away hears nothing."""
    def __init__(self, home, app):
        socket = json.loads((home / "run" / "sockets.json").read_text())["provider"]
        self.http = httpx.Client(transport=httpx.HTTPTransport(uds=socket, verify=str(home / "ca" / "ca.pem")))
        self.app, self.issuer, self.client_id, self.tokens = app, app.idp["issuer"], app.idp["client-id"], {}
        self.metadata = self.call("GET", self.issuer + "/.well-known/openid-configuration")
        require(self.metadata["issuer"] == self.issuer, "issuer-mismatch")

    def call(self, method, url, access=None, **form):
        """The answer to a request, which carries a DPoP proof by our key, and perhaps an access token."""
        proof = {"htm": method, "htu": url, **({"ath": sha256(access)} if access else {})}
        headers = {"DPoP": sign(self.app.oauth, "dpop+jwt", proof, jwk=self.app.oauth.export_public(as_dict=True))}
        headers |= {"Authorization": "DPoP " + access} if access else {}
        form = {"client_id": self.client_id, **form} if form else None
        response = self.http.request(method, url, headers=headers, data=form, timeout=30)
        body = response.json() if response.content else {}
        require(response.is_success, body.get("error", "provider-answer"))
        return body

    def request_object(self, deadline, **claims):
        claims |= {"iss": self.client_id, "client_id": self.client_id, "aud": self.issuer, "response_type": "code",
                   "redirect_uri": self.app.redirect_uri, "scope": self.app.scope, "code_challenge_method": "S256",
                   "dpop_jkt": self.app.oauth.thumbprint(), "nbf": int(time.time()), "exp": int(deadline)}
        return sign(self.app.oauth, "oauth-authz-req+jwt", claims, kid=self.app.oauth.thumbprint())

    def redeem(self, answer, verifier, nonce):
        """The account that a code is for. A mixed-up issuer never learns the code: it is compared before all else."""
        require(answer["issuer"] == self.issuer and answer["client_id"] == self.client_id, "answer-issuer-mismatch")
        self.tokens = self.call("POST", self.metadata["token_endpoint"], grant_type="authorization_code",
                                redirect_uri=self.app.redirect_uri, code=answer["code"], code_verifier=verifier)
        claims = self.claims(self.tokens["id_token"], nonce=nonce, sub=answer["sub"])
        info = self.call("GET", self.metadata["userinfo_endpoint"], self.tokens["access_token"])
        require(info["sub"] == claims["sub"], "subject-mismatch")
        return {"issuer": self.issuer, "sub": info["sub"], "sid": claims["sid"], "userinfo": info}

    def claims(self, token, **expected):
        keys = jwk.JWKSet.from_json(json.dumps(self.call("GET", self.metadata["jwks_uri"])))
        claims, expected = verified(token, keys)[1], {"iss": self.issuer, "aud": self.client_id, **expected}
        require(expected.items() <= claims.items(), "invalid-claims")
        return claims

    def revoke(self):
        if "refresh_token" in self.tokens:
            self.call("POST", self.metadata["revocation_endpoint"], token=self.tokens.pop("refresh_token"))

class Client:
    """One app on the bus: its name, its object, and its login."""
    def __init__(self, home, app):
        self.app, self.calls, self.urls, self.taken = App(home / "apps" / app), deque(), deque(), set()
        self.provider, self.account = Provider(home, self.app), None
        self.bus = open_dbus_connection(json.loads((home / "run" / "bus.json").read_text())["address"], auth_timeout=30)
        self.bus.filter(jeepney.MatchRule(type="method_call"), queue=self.calls)
        self.daemon = Proxy(jeepney.message_bus, self.bus, timeout=30)
        require(self.daemon.RequestName(self.app.id, 4) == (1,), "bus-name-taken")  # 4: without waiting for it

    def send(self, name, command, **fields):
        """Sends a command to the object of the identity provider app, at a unique name or at the app's own."""
        path = "/" + self.app.idp["id"].replace(".", "/").replace("-", "_")
        place = jeepney.DBusAddress(path, name, "org.freedesktop.Application")
        call = jeepney.new_method_call(place, "Open", "asa{sv}", ([self.app.seal(command, fields)], {}))
        jeepney.wrappers.unwrap_msg(self.bus.send_and_get_reply(call, timeout=30))

    def next_url(self, deadline):
        """The next URL that arrives, and the unique name of its sender."""
        while not self.urls:
            call = self.bus.recv_until_filtered(self.calls, timeout=deadline and max(0, deadline - time.time()))
            self.bus.send(jeepney.new_method_return(call))  # at once, empty, and the same whatever came
            if call.header.fields.get(jeepney.HeaderFields.signature) == "asa{sv}":
                self.urls.extend((url, call.header.fields[jeepney.HeaderFields.sender]) for url in call.body[0][:16])
        return self.urls.popleft()

    def receive(self, deadline=None, flow=None, irt=None, **expected):
        """Waits for a command of that flow, in answer to that one, with those fields; returns it and its sender."""
        while True:
            url, sender = self.next_url(deadline)
            try:
                command = self.app.verify(url)
                require(self.daemon.GetNameOwner(self.app.idp["id"]) == (sender,), "delivery-direct-only")
                require(command["jti"] not in self.taken, "command-replayed")
                self.taken.add(command["jti"])
                if reply := self.reply(command):
                    self.send(sender, flow=command["flow"], irt=command["jti"], **reply)
                    continue
                require((command["flow"], command.get("irt", irt)) == (flow, irt), "command-uncorrelated")
                for name, value in expected.items():
                    require(hmac.compare_digest(command.get(name, value), value), f"answer-{name}-mismatch")
                return command, sender
            except Exception as error:  # whatever it was that came: nothing has changed
                print("refused:", error, file=sys.stderr)

    def reply(self, command):
        match command["command"]:
            case "ping":
                key = self.app.encryption.thumbprint()
                return {"command": "pong", "nonce": command["nonce"], "version": "v1.0", "enc_kid": key}
            case "logout":
                return {"command": "logoutack", "outcome": self.log_out(command)}

    def ping(self):
        """The unique name of the identity provider app; the bus may start it for this."""
        flow, jti, nonce = str(uuid.uuid4()), secrets.token_urlsafe(16), secrets.token_hex(16)
        self.send(self.app.idp["id"], "ping", flow=flow, jti=jti, nonce=nonce)
        return self.receive(time.time() + 10, flow, jti, command="pong", nonce=nonce)[1]

    def log_in(self, seconds, username):
        deadline, peer, flow, jti = time.time() + seconds, self.ping(), str(uuid.uuid4()), secrets.token_urlsafe(16)
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        request = self.provider.request_object(deadline, state=state, nonce=nonce, code_challenge=sha256(verifier))
        hint = {"user_hint": {"username": username}} if username else {}
        self.send(peer, "authrequest", flow=flow, jti=jti, request=request, **hint)
        answer, outcome = self.receive(deadline, flow, jti, state=state)[0], "failed"
        require(answer["command"] == "authresponse", answer.get("errorCode", "cancelled"))
        try:
            self.account = self.provider.redeem(answer, verifier, nonce)
            outcome = "logged_in"
        finally:
            self.send(peer, "authack", flow=flow, irt=answer["jti"], outcome=outcome)

    def log_out(self, about):
        if about["scope"] == "everywhere":  # is the provider's to say
            require("events" in self.provider.claims(about["logout_token"], sub=about["sub"]), "logout-unproved")
        named = {name: about[name] for name in ("issuer", "sub", "sid") if name in about}
        if not self.account or not named.items() <= self.account.items():
            return "not_logged_in"
        self.account = None
        print("logged out", flush=True)
        self.provider.revoke()
        return "logged_out"

def main(home, app, what, username=None):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    client = Client(Path(home), app)
    try:
        client.log_in(120, username)
        print(json.dumps(client.account), flush=True)
        if what == "serve":
            client.receive()
    finally:
        client.provider.revoke()

if __name__ == "__main__":
    try:
        main(*sys.argv[1:]) if len(sys.argv) > 3 else sys.exit(__doc__)
    except (Refused, JWException, OSError, LookupError, httpx.HTTPError, jeepney.DBusErrorResponse) as error:
        sys.exit(f"error: {type(error).__name__} {error}")
