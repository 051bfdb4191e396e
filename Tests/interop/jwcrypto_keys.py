"""jwcrypto reads the provider's published keys: public parts only, and a kid that is the RFC 7638 thumbprint."""

from surroundings import ISSUER  # first: it sets the environment

import requests
from jwcrypto import jwk

from person import passed

metadata = requests.get(ISSUER + "/.well-known/openid-configuration", timeout=10).json()
published = requests.get(metadata["jwks_uri"], timeout=10).json()["keys"]
assert {key["alg"] for key in published} >= {"ES256", "RS256"}, published
for members in published:
    key = jwk.JWK(**members)
    assert not key.has_private, "a private key is published"
    assert key.thumbprint() == members["kid"], (key.thumbprint(), members["kid"])
    assert members["use"] == "sig", members
    passed("jwcrypto-" + members["alg"].lower(), members["kid"])
