"""A person with a browser: opens an address, fills in the forms that the provider shows, and stops where the app waits.

Only what a page says is used: its form's action, its fields and its buttons. Nothing runs scripts, as the pages have
none.
"""

from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

import requests

STEPS = 12


class Form(HTMLParser):
    """The first form of a page: where it goes, its fields and its buttons."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields, self.buttons, self._inside, self._seen = "", {}, [], False, False
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and not self._seen:
            self._inside, self._seen = True, True
            self.action = attributes.get("action", "")
            assert attributes.get("method", "get").lower() == "post", "a form that is not posted"
        if not self._inside or "name" not in attributes:
            return
        if tag == "input" and attributes.get("type") != "submit":
            self.fields[attributes["name"]] = attributes.get("value", "")
        if tag == "button":
            self.buttons.append((attributes["name"], attributes.get("value", "")))

    def handle_endtag(self, tag):
        if tag == "form":
            self._inside = False


class Person:
    """Has a name and a password, a cookie jar of their own, and says yes."""

    def __init__(self, username, password):
        self.username, self.password = username, password
        self.browser = requests.Session()
        # What this person was shown, by the kind of form.
        self.saw = []

    def log_in(self, address, redirect_uri):
        """Follows the address through the pages, and returns where the app would have been opened."""
        method, fields = "GET", None
        for _ in range(STEPS):
            answer = self.browser.request(method, address, data=fields, allow_redirects=False, timeout=10)
            if answer.is_redirect:
                address, method, fields = urljoin(address, answer.headers["Location"]), "GET", None
                if same_target(address, redirect_uri):
                    return address
                continue
            assert answer.status_code == 200, f"{address} answered {answer.status_code}: {answer.text[:600]}"
            form = Form(answer.text)
            address, method, fields = urljoin(address, form.action), "POST", self.fill_in(form)
        raise AssertionError(f"no end after {STEPS} steps; saw {self.saw}")

    def fill_in(self, form):
        """The fields that go back: what is hidden as it is, name and password typed, the first button pressed."""
        fields = dict(form.fields)
        if "password" in fields:
            self.saw.append("sign-in")
            fields.update(username=self.username, password=self.password)
        else:
            self.saw.append("consent")
        assert form.buttons, "a page without a button"
        name, value = form.buttons[0]
        return {**fields, name: value}


def same_target(address, redirect_uri):
    """Whether an address is the redirect URI with something added to its query."""
    here, there = urlsplit(address), urlsplit(redirect_uri)
    return (here.scheme, here.netloc, here.path) == (there.scheme, there.netloc, there.path)


def parameters(address):
    """The parameters of an authorization response, each of which comes once."""
    values = parse_qs(urlsplit(address).query, keep_blank_values=True, strict_parsing=True)
    assert all(len(value) == 1 for value in values.values()), f"a repeated parameter in {sorted(values)}"
    return {name: value[0] for name, value in values.items()}


def passed(name, said=""):
    """Says that one thing holds."""
    print(f"PASS {name}: {said}" if said else f"PASS {name}", flush=True)
