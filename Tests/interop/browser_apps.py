"""A real browser is all that this machine's apps ask with: local login, and a hand-off by two prompts."""

from surroundings import ISSUER, PASSWORD, USERNAME  # first: it limits this script's life

import os
import re
import subprocess
import tempfile
import time

from selenium.webdriver.common.keys import Keys

from browser import PATIENCE, Browser
from person import passed

PROGRAM, HOME = os.environ["COUNTERSIGN_CLIENT_PROGRAM"], os.environ["COUNTERSIGN_HOME"]
PROVIDER_WORDS = os.environ["COUNTERSIGN_PROVIDER_WORDS"]


class Words:
    """What a program writes, as it grows."""

    def __init__(self, path):
        self.path, self.place = path, 0

    def next_address(self):
        """The next address that it asks the person to open."""
        for _ in range(PATIENCE * 20):
            with open(self.path, encoding="utf-8") as file:
                said = file.read()
            if found := re.compile(r"http://\S+(?=\s)").search(said, self.place):
                self.place = found.end()
                return found.group()
            time.sleep(0.05)
        raise AssertionError(f"no address to open; it said: {said}")


class Login:
    """`countersign-client login`, without a display and without a terminal."""

    def __init__(self, *options):
        self.file = tempfile.NamedTemporaryFile(suffix=".out")
        command = [PROGRAM, "login", "--home", HOME, "--timeout", "90s", *options]
        self.child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self.file, stderr=self.file, env={"PATH": os.environ["PATH"]}
        )
        self.words = Words(self.file.name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.terminate()
            self.child.wait(PATIENCE)
        self.file.close()

    def account(self):
        """What the program prints at its end."""
        status = self.child.wait(PATIENCE)
        with open(self.file.name, encoding="utf-8") as file:
            said = file.read()
        assert status == 0, f"exit {status}: {said}"
        assert f"Logged in as {USERNAME}." in said and ISSUER in said, said
        return re.search(r"subject\s+(\S+)", said).group(1)


def sign_in(browser, *keys):
    browser.wait_for_heading("Sign in")
    browser.type(*keys)


with Browser() as browser, Login("--via", "local") as login:
    browser.open(login.words.next_address())
    sign_in(browser, USERNAME, Keys.TAB, PASSWORD, Keys.ENTER)
    browser.wait_for_heading("use your account?")
    browser.press("allow")
    browser.wait_for_heading("You can return to")
    local = login.account()
    browser.listen()
    assert browser.complaints == [], browser.complaints
    passed("browser-local-login", local)

identity_provider = Words(PROVIDER_WORDS)
with Browser() as browser, Login("--prompt", "web", "--add") as login:
    browser.open(login.words.next_address())
    browser.wait_for_heading("How would you like to log in")
    browser.wait_for_focus("choice")
    assert browser.focused[1] == "idp", browser.focused
    browser.type(Keys.ENTER)
    browser.wait_for_heading("Done")
    passed("browser-login-flow", "the identity provider app, by Return")

    browser.open(identity_provider.next_address())
    sign_in(browser, USERNAME, Keys.TAB, PASSWORD, Keys.ENTER)
    browser.wait_for_heading("Done")
    browser.open(identity_provider.next_address())
    browser.wait_for_heading("use your account?")
    browser.press("allow")
    browser.wait_for_heading("Done")
    handed = login.account()
    assert handed == local, "the same person has two subjects at one provider"
    browser.listen()
    assert browser.complaints == [], browser.complaints
    passed("browser-hand-off", handed)
