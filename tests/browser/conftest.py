"""Pages in a real browser: Debian's Chromium, without a network."""

import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import journals
from tests.browser.journals import Made

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

DEAD_PROXY = {"server": "http://127.0.0.1:9"}  # a request that leaves the machine fails
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
HANGS_MS = 120_000  # of waits for what comes unless something hangs
SETTLED = "body:has(main[aria-busy=false]):not(:has([aria-busy=true]))"
READ = """selector => [...document.querySelectorAll(selector)].map(e =>
    [e.dataset.contender ?? "", e.dataset.field, e.dataset.value ?? null])"""


@dataclass
class Opened:
    """A page, with what it asked for and what it said: console messages, errors, dialogs."""

    page: "Page"
    requests: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def go(self, address: str) -> None:
        """Load an address, and wait until all is drawn."""
        self.page.goto(address)
        self.settle()

    def settle(self) -> None:
        """Wait until all is drawn, out of sight too."""
        self.page.wait_for_selector(SETTLED)

    def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition on what the page asked for and said holds."""
        end = time.monotonic() + HANGS_MS / 1000
        while not condition():
            assert time.monotonic() < end, (self.requests, self.failed, self.said)
            self.page.wait_for_timeout(20)

    def dismiss(self, dialog: "Dialog") -> None:
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def press(self, *keys: str) -> None:
        """Press keys, and wait until all is drawn: how much is drawn at once depends on the machine."""
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def click(self, selector: str) -> None:
        """Click on an element, and wait until all is drawn."""
        self.page.click(selector)
        self.settle()

    def values(self, selector: str) -> dict[tuple[str, str], float | None]:
        """Return the exact values of figures under a selector, by contender and field."""
        rows = self.page.evaluate(READ, f"{selector} [data-field][data-value], {selector} [data-contender][data-field]")
        return {(name, key): None if value is None else float(value) for name, key, value in rows}


Open = Callable[..., Opened]


@pytest.fixture(scope="package")
def browser() -> "Iterator[Browser]":
    """Chromium. Tests are skipped where it or playwright is missing."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is missing: pip install -e '.[browser]'")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is missing: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=program, args=ARGUMENTS, proxy=DEAD_PROXY, timeout=HANGS_MS
        )
        yield running
        running.close()


@pytest.fixture
def open_page(browser: "Browser") -> Iterator[Open]:
    """Return what opens a page; options are those of a browser's context."""
    contexts = []

    def opened(made: Made, fragment: str = "", **options: Any) -> Opened:
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}} | options)
        contexts.append(context)
        context.set_default_timeout(HANGS_MS)
        context.set_offline(True)
        found = Opened(context.new_page())
        context.on("request", lambda request: found.requests.append(request.url))
        context.on("requestfailed", lambda request: found.failed.update({request.url: request.failure}))
        found.page.on("console", lambda message: found.said.append(f"{message.type}: {message.text}"))
        found.page.on("pageerror", lambda error: found.said.append(f"error: {error}"))
        found.page.on("dialog", found.dismiss)
        found.go(made.page.as_uri() + fragment)
        return found

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="package")
def small(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A journal with every state, five contenders in two encodings."""
    return journals.small(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="package")
def hostile(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A journal whose names and texts would do harm if they were taken for markup, formulas or right-to-left text."""
    return journals.hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="package")
def many(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A journal of 572 contenders."""
    return journals.many(tmp_path_factory.mktemp("many"))
