"""Chromium, without a window, driven through the pages as a person would: by what is focused, by keys, by buttons."""

import json
import os
import signal

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

# How long a page may take. A slow machine needs some of it, and nothing waits for all of it.
PATIENCE = 20


def end(*_):
    raise TimeoutError("this script's time is over")


# The limit that surroundings.py sets would leave the browser behind; an error passes by everything that closes it.
signal.signal(signal.SIGALRM, end)


class Browser:
    """One profile of its own, which ends with the `with`."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ["COUNTERSIGN_CHROMIUM"]
        options.add_argument("--headless=new")
        options.add_argument("--disable-gpu")
        options.add_argument("--disable-dev-shm-usage")
        # Chromium's own sandbox does not start for root.
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.ChromeService(os.environ["COUNTERSIGN_CHROMEDRIVER"])
        self.driver = webdriver.Chrome(options=options, service=driver)
        self.complaints = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, address):
        self.listen()
        self.driver.get(address)

    @property
    def words(self):
        """What the page says."""
        return self.driver.find_element(By.TAG_NAME, "main").text

    @property
    def focused(self):
        """What the next key goes to, by name and value."""
        element = self.driver.switch_to.active_element
        return element.get_attribute("name"), element.get_attribute("value")

    def wait_for(self, what, holds):
        """Waits until something holds, and returns it; a page that is just changing is looked at again."""

        def looked_at(_):
            try:
                return holds()
            except WebDriverException:
                return False

        try:
            return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.05).until(looked_at)
        except WebDriverException:
            raise AssertionError(f"{what} did not come; {self.driver.current_url} shows: {self.words}") from None

    def wait_for_heading(self, text):
        self.wait_for(text, lambda: text in self.driver.find_element(By.TAG_NAME, "h1").text)

    def wait_for_focus(self, name):
        self.wait_for(f"the focus on {name}", lambda: self.focused[0] == name)

    def type(self, *keys):
        """Presses keys, wherever the focus is."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def press(self, value):
        """Presses the button that sends the value."""
        self.driver.find_element(By.CSS_SELECTOR, f'button[value="{value}"]').click()

    def order(self, steps):
        """What the Tab key comes by, from here on."""
        seen = []
        for _ in range(steps):
            seen.append(self.focused)
            self.type(Keys.TAB)
        return seen

    def focus_ring(self):
        """The width of the outline around what is focused, in pixels."""
        element = self.driver.switch_to.active_element
        return float(element.value_of_css_property("outline-width").removesuffix("px"))

    def listen(self):
        """Keeps what the console has said so far: a blocked style, a refused form, a script that failed."""
        for entry in self.driver.get_log("browser"):
            self.complaints.append(f"{entry['source']}: {entry['message']}")

    def requests(self):
        """The addresses that pages were asked from since the last look, those that no browser can open as well."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["documentURL"] for event in events if event["method"] == "Network.requestWillBeSent"]
