"""Headless Chromium and the tests that run in it, one after the other."""

import os
import time
import traceback

from playwright.sync_api import sync_playwright

# its sandbox wherever it can have it: not as root
FLAGS = (["--no-sandbox"] if os.geteuid() == 0 else []) + ["--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def run(path, tests):
    """How many of the tests failed; each is told as it ends."""
    failed = 0
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        print(f"browser: {path} {chromium.version}")
        for test in tests:
            start = time.time()
            try:
                test(chromium)
                print(f"ok {test.__name__} {time.time() - start:.1f} s", flush=True)
            except Exception:
                failed += 1
                traceback.print_exc()
                print(f"FAILED {test.__name__}", flush=True)
        chromium.close()
    return failed
