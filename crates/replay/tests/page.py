"""A page of a recording, opened in a browser."""

import os
import re
import sys

FOLDER = os.path.abspath(sys.argv[2])
PATIENCE = 30_000  # ms; the machine may be busy


class Page:
    """A page, what it complained of, and what it asked the network for."""

    def __init__(self, browser, scene, address="", size=(900, 600), **context):
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **context)
        self.page = self.context.new_page()
        self.complaints, self.requests = [], []
        self.page.on("console", lambda m: m.type == "error" and self.complaints.append(m.text))
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.goto(f"file://{FOLDER}/{scene}.html{address}")
        self.wait("document.documentElement.dataset.ready")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            assert not self.complaints, self.complaints
            outside = [r for r in self.requests if not re.match("file:|data:|blob:", r)]
            assert not outside, outside
        self.context.close()

    def js(self, expression):
        return self.page.evaluate(expression)

    def g(self, call):
        return self.js(f"gudgeon.{call}")

    def wait(self, condition):
        self.page.wait_for_function(condition, timeout=PATIENCE)

    def key(self, key):
        self.page.keyboard.press(key)

    def drawn(self):
        """Until a new picture is on the canvas."""
        before = self.g("pictures()") or 0
        self.js("gudgeon.player.dirty = true")
        self.wait(f"gudgeon.pictures() > {before}")
