"""Answers for the interoperability tests, by an independent JOSE library (jwcrypto).

One JSON request per line on standard input, one JSON answer per line on standard output. A request that the library
refuses is answered with {"error": ...}. Bytes are base64url.

    {"do": "generate", "alg": A}                                 -> {"private": JWK, "thumbprint": T}
    {"do": "sign", "private": JWK, "alg": A, "payload": B}       -> {"token": T}
    {"do": "verify", "public": JWK, "alg": A, "token": T}        -> {"payload": B}
    {"do": "encrypt", "public": JWK, "header": {...}, "payload": B} -> {"token": T}
    {"do": "decrypt", "private": JWK, "token": T}                -> {"payload": B}
    {"do": "thumbprint", "public": JWK}                          -> {"thumbprint": T}
"""

import json
import signal
import sys

from jwcrypto import jwe, jwk, jws
from jwcrypto.common import base64url_decode, base64url_encode

KINDS = {
    "ES256": {"kty": "EC", "crv": "P-256"},
    "RS256": {"kty": "RSA", "size": 2048},
    "PS256": {"kty": "RSA", "size": 2048},
    "EdDSA": {"kty": "OKP", "crv": "Ed25519"},
    "ECDH-ES": {"kty": "EC", "crv": "P-256"},
}


def generate(request):
    key = jwk.JWK.generate(**KINDS[request["alg"]])
    return {"private": json.loads(key.export_private()), "thumbprint": key.thumbprint()}


def sign(request):
    token = jws.JWS(base64url_decode(request["payload"]))
    token.add_signature(jwk.JWK(**request["private"]), None, json.dumps({"alg": request["alg"]}))
    return {"token": token.serialize(compact=True)}


def verify(request):
    token = jws.JWS()
    token.allowed_algs = [request["alg"]]
    token.deserialize(request["token"], jwk.JWK(**request["public"]))
    return {"payload": base64url_encode(token.payload)}


def encrypt(request):
    header = {"alg": "ECDH-ES", "enc": "A256GCM", **request["header"]}
    token = jwe.JWE(base64url_decode(request["payload"]), json.dumps(header), recipient=jwk.JWK(**request["public"]))
    return {"token": token.serialize(compact=True)}


def decrypt(request):
    token = jwe.JWE(algs=["ECDH-ES", "A256GCM"])
    token.deserialize(request["token"], jwk.JWK(**request["private"]))
    return {"payload": base64url_encode(token.payload)}


def thumbprint(request):
    return {"thumbprint": jwk.JWK(**request["public"]).thumbprint()}


def main():
    signal.alarm(120)
    does = {f.__name__: f for f in (generate, sign, verify, encrypt, decrypt, thumbprint)}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = does[request["do"]](request)
        except Exception as error:  # whatever the library raises is its refusal
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


main()
