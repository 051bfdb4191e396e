"""What the client in Python makes of docs/handoff-vectors.json, and of answers that are not the one it waits for.

Prints a line for each; ends with 1 where one is not as it must be. PythonClientTests runs it.
"""
import contextlib, importlib.util, io, json, pathlib, sys, tempfile
from collections import deque

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("client", ROOT / "Examples/python-client/client.py")
client = importlib.util.module_from_spec(spec)
spec.loader.exec_module(client)
vectors = json.loads((ROOT / "docs/handoff-vectors.json").read_text())
client.time.time = lambda: vectors["now"]
failed = []


def check(name, holds):
    print("ok    " if holds else "FAILED", name)
    failed.extend([] if holds else [name])


def public(key):
    return {name: value for name, value in key.items() if name != "d"}


def app():
    """The client of the vectors, from files as `apps add` writes them."""
    own, idp = vectors["apps"]["client"], vectors["apps"]["identity-provider"]
    pin = {"id": idp["id"], "scheme": idp["scheme"], "issuer": "http://localhost:8423", "client-id": own["id"],
           "command-key": public(idp["keys"]["command"]), "encryption-key": public(idp["keys"]["encryption"])}
    manifest = {"id": own["id"], "schemes": [own["scheme"]], "redirect-uris": [own["id"] + "://callback"],
                "scopes": ["openid"], "identity-providers": [pin]}
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "app.yaml").write_text(json.dumps(manifest))
        pathlib.Path(folder, "keys.json").write_text(json.dumps(own["keys"]))
        return client.App(pathlib.Path(folder))


class Daemon:
    def GetNameOwner(self, name):
        return (":1.7",)


def waiting(*urls, sender=":1.7"):
    """A client whose bus has these URLs for it, and then nothing more."""
    made = client.Client.__new__(client.Client)
    made.app, made.urls, made.taken, made.account = app(), deque((url, sender) for url in urls), set(), None
    made.daemon, made.sent = Daemon(), []
    made.send = lambda name, command, **fields: made.sent.append((name, command, fields))

    def next_url(deadline):
        if not made.urls:
            raise TimeoutError
        return made.urls.popleft()
    made.next_url = next_url
    return made


def outcome(waiter, **wanted):
    """What it took of them, and the reasons that it gave for the rest."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            taken = waiter.receive(**wanted)[0]["command"]
        except TimeoutError:
            taken = None
    return taken, said.getvalue().replace("refused: ", "").split()


own = app()
for vector in vectors["accepted"]:
    if vector["receiver"] == "client" and vector["command"] in client.FIELDS:
        check("takes " + vector["command"], own.verify(vector["url"]) == vector["claims"])
for vector in vectors["refused"]:
    if vector["receiver"] == "client":
        try:
            own.verify(vector["url"])
            check("refuses " + vector["why"], False)
        except Exception:
            check("refuses " + vector["why"], True)

url = {vector["command"]: vector["url"] for vector in vectors["accepted"]}
claims = {vector["command"]: vector["claims"] for vector in vectors["accepted"]}
answer = claims["authresponse"]
right = {"flow": answer["flow"], "irt": answer["irt"], "state": answer["state"]}
check("takes the answer that it waits for", outcome(waiting(url["authresponse"]), **right) == ("authresponse", []))
check("leaves an answer with another state", outcome(
    waiting(url["authresponse"]), **{**right, "state": "x"}) == (None, ["answer-state-mismatch"]))
check("leaves an answer to another request", outcome(
    waiting(url["authresponse"]), **{**right, "irt": "x"}) == (None, ["command-uncorrelated"]))
check("leaves an answer of another flow", outcome(
    waiting(url["authresponse"]), **{**right, "flow": "x"}) == (None, ["command-uncorrelated"]))
check("leaves an answer that somebody else brings", outcome(
    waiting(url["authresponse"], sender=":1.8"), **right) == (None, ["delivery-direct-only"]))
check("takes an answer once", outcome(
    waiting(url["authresponse"], url["authresponse"]), **{**right, "state": "x"})
    == (None, ["answer-state-mismatch", "command-replayed"]))
check("takes a refusal of its request", outcome(waiting(url["error"]), **right) == ("error", []))
asked = waiting(url["logout"])
asked.provider = type("Provider", (), {"claims": lambda self, token, **expected: {"events": {}, **expected}})()
outcome(asked)
check("acknowledges a logout of nobody", asked.sent == [(":1.7", "logoutack", {
    "flow": claims["logout"]["flow"], "irt": claims["logout"]["jti"], "outcome": "not_logged_in"})])
sys.exit(1 if failed else 0)
