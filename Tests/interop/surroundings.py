"""What scripts/interop tells the scripts through the environment, and a limit on their life."""

import os
import signal

# Both libraries insist on https. The provider of a test is on this machine's loopback, where nobody else listens.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

ISSUER = os.environ["COUNTERSIGN_ISSUER"]
CLIENT_ID = os.environ["COUNTERSIGN_CLIENT_ID"]
USERNAME = os.environ["COUNTERSIGN_USERNAME"]
# Registered without a port: on loopback any port fits (RFC 8252 §7.3).
REDIRECT_URI = "http://127.0.0.1:8123/callback"
SCOPE = "openid profile email"

with open(os.environ["COUNTERSIGN_PASSWORD_FILE"], encoding="utf-8") as file:
    PASSWORD = file.read().rstrip("\n")

signal.alarm(120)
