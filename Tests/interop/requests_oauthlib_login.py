"""requests-oauthlib logs in, and PyJWT verifies: discovery, code with PKCE through the real pages, userinfo."""

from surroundings import CLIENT_ID, ISSUER, PASSWORD, REDIRECT_URI, SCOPE, USERNAME  # first: it sets the environment

import secrets

import jwt
import requests
from requests_oauthlib import OAuth2Session

from person import Person, parameters, passed

metadata = requests.get(ISSUER + "/.well-known/openid-configuration", timeout=10).json()
assert metadata["issuer"] == ISSUER, metadata["issuer"]
passed("requests-oauthlib-discovery", metadata["issuer"])

app = OAuth2Session(CLIENT_ID, redirect_uri=REDIRECT_URI, scope=SCOPE.split(), pkce="S256")
nonce = secrets.token_urlsafe(16)
address, state = app.authorization_url(metadata["authorization_endpoint"], nonce=nonce, prompt="login consent")
person = Person(USERNAME, PASSWORD)
answer = person.log_in(address, REDIRECT_URI)
assert person.saw == ["sign-in", "consent"], person.saw
passed("requests-oauthlib-pages", " and ".join(person.saw))

response = parameters(answer)
assert response["state"] == state
assert response["iss"] == ISSUER, "the response names another issuer (RFC 9207)"
passed("requests-oauthlib-response-issuer", response["iss"])

token = app.fetch_token(
    metadata["token_endpoint"], authorization_response=answer, include_client_id=True, timeout=10
)
passed("requests-oauthlib-code", f"{token['token_type']} for {token['expires_in']} s")

key = jwt.PyJWKClient(metadata["jwks_uri"], timeout=10).get_signing_key_from_jwt(token["id_token"])
rules = {"require": ["iss", "aud", "sub", "exp", "iat", "nonce"]}
claims = jwt.decode(
    token["id_token"], key, algorithms=["RS256"], audience=CLIENT_ID, issuer=ISSUER, leeway=5, options=rules
)
assert claims["nonce"] == nonce
passed("requests-oauthlib-id-token", claims["sub"])
for name, wrong in {"audience": {"audience": "com.example.other"}, "issuer": {"issuer": ISSUER + "/other"}}.items():
    expected = {"audience": CLIENT_ID, "issuer": ISSUER, **wrong}
    try:
        jwt.decode(token["id_token"], key, algorithms=["RS256"], leeway=5, options=rules, **expected)
        raise SystemExit(f"FAIL requests-oauthlib-other-{name}: it was accepted")
    except jwt.InvalidTokenError as error:
        passed(f"requests-oauthlib-other-{name}", type(error).__name__)

userinfo = app.get(metadata["userinfo_endpoint"], timeout=10)
assert userinfo.status_code == 200, userinfo.text
assert userinfo.json()["sub"] == claims["sub"]
passed("requests-oauthlib-userinfo", userinfo.json()["sub"])

# The same person in the same browser is not asked again, unless the app wants it so.
again, _ = app.authorization_url(metadata["authorization_endpoint"], nonce=secrets.token_urlsafe(16), prompt="none")
second = parameters(person.log_in(again, REDIRECT_URI))
assert "code" in second and person.saw == ["sign-in", "consent"], (sorted(second), person.saw)
passed("requests-oauthlib-prompt-none", "a code without a page")

stranger = Person(USERNAME, PASSWORD)
refused = parameters(stranger.log_in(again, REDIRECT_URI))
assert refused["error"] == "login_required" and refused["iss"] == ISSUER, refused
passed("requests-oauthlib-prompt-none-stranger", refused["error"])
