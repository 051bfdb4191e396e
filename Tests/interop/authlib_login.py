"""Authlib logs in: discovery, code with PKCE through the real pages, ID token, userinfo."""

from surroundings import CLIENT_ID, ISSUER, PASSWORD, REDIRECT_URI, SCOPE, USERNAME  # first: it sets the environment

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwk, jws, jwt
from joserfc.errors import JoseError

from person import Person, parameters, passed

metadata = requests.get(ISSUER + "/.well-known/openid-configuration", timeout=10).json()
assert metadata["issuer"] == ISSUER, metadata["issuer"]
assert "S256" in metadata["code_challenge_methods_supported"]
assert metadata["authorization_response_iss_parameter_supported"] is True
passed("authlib-discovery", metadata["issuer"])

app = OAuth2Session(
    CLIENT_ID, scope=SCOPE, redirect_uri=REDIRECT_URI, code_challenge_method="S256", token_endpoint_auth_method="none"
)
verifier, nonce = generate_token(48), generate_token(20)
address, state = app.create_authorization_url(
    metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce, prompt="login consent"
)
person = Person(USERNAME, PASSWORD)
answer = person.log_in(address, REDIRECT_URI)
assert person.saw == ["sign-in", "consent"], person.saw
passed("authlib-pages", " and ".join(person.saw))

response = parameters(answer)
assert response["state"] == state
assert response["iss"] == ISSUER, "the response names another issuer (RFC 9207)"
passed("authlib-response-issuer", response["iss"])

# The wrong verifier is refused, and takes nothing: the right one still works.
try:
    app.fetch_token(metadata["token_endpoint"], authorization_response=answer, code_verifier=generate_token(48), state=state)
    raise SystemExit("FAIL authlib-wrong-verifier: the code was redeemed")
except OAuthError as error:
    assert error.error == "invalid_grant", error.error
    passed("authlib-wrong-verifier", "invalid_grant")
token = app.fetch_token(
    metadata["token_endpoint"], authorization_response=answer, code_verifier=verifier, state=state
)
passed("authlib-code", f"{token['token_type']} for {token['expires_in']} s")

keys = jwk.KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())
id_token = jwt.decode(token["id_token"], keys, algorithms=["RS256"])
rules = jwt.JWTClaimsRegistry(
    leeway=5,
    iss={"essential": True, "value": ISSUER},
    aud={"essential": True, "value": CLIENT_ID},
    nonce={"essential": True, "value": nonce},
    sub={"essential": True},
    exp={"essential": True},
    iat={"essential": True},
)
rules.validate(id_token.claims)
passed("authlib-id-token", id_token.claims["sub"])

head, body, signature = token["id_token"].split(".")
tampered = ".".join([head, body, ("A" if signature[0] != "A" else "B") + signature[1:]])
try:
    jwt.decode(tampered, keys, algorithms=["RS256"])
    raise SystemExit("FAIL authlib-tampered-id-token: it was accepted")
except JoseError as error:
    passed("authlib-tampered-id-token", error.error)

userinfo = app.get(metadata["userinfo_endpoint"], timeout=10)
assert userinfo.status_code == 200, userinfo.text
assert userinfo.json()["sub"] == id_token.claims["sub"]
passed("authlib-userinfo", userinfo.json()["sub"])

try:
    app.fetch_token(metadata["token_endpoint"], authorization_response=answer, code_verifier=verifier, state=state)
    raise SystemExit("FAIL authlib-code-once: the code was redeemed twice")
except OAuthError as error:
    assert error.error == "invalid_grant", error.error
    passed("authlib-code-once", "invalid_grant")
after = requests.get(
    metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + token["access_token"]}, timeout=10
)
assert after.status_code == 401, after.status_code
passed("authlib-replay-revokes", "the first token is refused after the replay")
