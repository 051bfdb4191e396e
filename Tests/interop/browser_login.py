"""A real browser logs in: the provider's pages by keyboard, a wrong password first, and both kinds of redirect URI."""

from surroundings import CLIENT_ID, ISSUER, PASSWORD, SCOPE, USERNAME  # first: it limits this script's life

import base64
import hashlib
import os
import secrets
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import urlencode

from selenium.webdriver.common.keys import Keys

from browser import Browser
from person import parameters, passed


class App(BaseHTTPRequestHandler):
    """Where the app waits for the browser's return."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>app</title><main><h1>The app has it</h1></main>")

    def log_message(self, *_):
        pass


def request(client, redirect_uri, **more):
    """The address of an authorization request, and its state."""
    state = secrets.token_urlsafe(16)
    challenge = hashlib.sha256(secrets.token_urlsafe(48).encode()).digest()
    fields = {
        "response_type": "code",
        "client_id": client,
        "redirect_uri": redirect_uri,
        "scope": SCOPE,
        "state": state,
        "nonce": secrets.token_urlsafe(16),
        "code_challenge": base64.urlsafe_b64encode(challenge).rstrip(b"=").decode(),
        "code_challenge_method": "S256",
        **more,
    }
    return f"{ISSUER}/authorize?{urlencode(fields)}", state


app = HTTPServer(("127.0.0.1", 0), App)
threading.Thread(target=app.serve_forever, daemon=True).start()
# Registered without a port: on loopback any port fits (RFC 8252 §7.3).
redirect_uri = f"http://127.0.0.1:{app.server_port}/callback"

with Browser() as browser:
    browser.open(ISSUER + "/")
    browser.wait_for_heading("identity provider")
    passed("browser-home", ISSUER)

    address, state = request(CLIENT_ID, redirect_uri)
    browser.open(address)
    browser.wait_for_heading("Sign in")
    browser.wait_for_focus("username")
    order = browser.order(4)
    assert [name for name, _ in order] == ["username", "password", "choice", "choice"], order
    assert [value for _, value in order[2:]] == ["sign-in", "cancel"], order
    passed("browser-tab-order", "name, password, sign in, cancel")

    browser.open(address)
    browser.wait_for_focus("username")
    assert browser.focus_ring() >= 2, f"an outline of {browser.focus_ring()} px"
    passed("browser-focus-ring", f"{browser.focus_ring():.0f} px")
    browser.type(USERNAME, Keys.TAB, PASSWORD + "x", Keys.ENTER)
    browser.wait_for("the refusal", lambda: "do not match" in browser.words)
    browser.wait_for_focus("password")
    assert browser.focused[1] == "", "a password came back in the page"
    passed("browser-wrong-password", "refused in words; the name stays, the password has the focus")

    browser.type(PASSWORD, Keys.ENTER)
    browser.wait_for_heading("use your account?")
    assert CLIENT_ID in browser.words and "know who you are" in browser.words, browser.words
    browser.type(Keys.TAB)
    order = browser.order(3)
    assert [value for _, value in order] == ["allow", "other", "deny"], order
    passed("browser-consent", "allow, another account, do not allow")

    browser.press("allow")
    browser.wait_for_heading("The app has it")
    answer = parameters(browser.driver.current_url)
    assert answer["state"] == state and answer["iss"] == ISSUER and answer["code"], sorted(answer)
    passed("browser-redirect", ", ".join(sorted(answer)))

    # Browsers hold form-action against the redirect after a form as well (CSP Level 3 §6.4.1).
    scheme = os.environ["COUNTERSIGN_SCHEME_CLIENT_ID"]
    address, _ = request(scheme, f"{scheme}:/done", prompt="consent")
    browser.open(address)
    browser.wait_for_heading("use your account?")
    browser.requests()
    browser.press("allow")
    asked = browser.wait_for(
        "the custom scheme", lambda: [one for one in browser.requests() if one.startswith(f"{scheme}:/done?")]
    )
    assert parameters(asked[0])["code"]
    passed("browser-custom-scheme", f"{scheme}:/done")

    browser.listen()
    assert browser.complaints == [], browser.complaints
    passed("browser-console", "no complaint on any page")

    # The last page is an error in the console too, as its status is 400.
    address, _ = request(CLIENT_ID, "http://127.0.0.1/other")
    browser.open(address)
    browser.wait_for_heading("This cannot go on")
    assert browser.driver.current_url == address, "an address that is not registered was followed"
    passed("browser-unregistered-redirect", "a page, and no redirect")
