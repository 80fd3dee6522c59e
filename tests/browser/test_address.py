"""The state of the page is in its address."""

from difflib import unified_diff
from typing import Any

from harness.reporting.writing.printable import printable
from tests.browser.conftest import Open, Opened
from tests.browser.journals import HOSTILE, Made

# The text of all panels; what names the whole table in sight depends on where it is scrolled.
TEXT = """() => ['header', '#filters', 'main', '#details'].map(s => document.querySelector(s).innerText).join('\\n')"""
PRESSED = "[...document.querySelectorAll('[aria-pressed=true]')].map(e => e.textContent)"
STATE = (
    f"[({TEXT})().split('\\n'), location.hash, {PRESSED}, document.querySelector('[aria-sort]')?.textContent ?? null]"
)


KEYS = frozenset(
    ["clock", "focus", "log", "more", "open", "rank", "score", "search", "sort", "theme", "where", "x", "y"]
)


def state(found: Opened) -> list[Any]:
    """Return what the page shows; the box of the search is a part of it, the fields that add filters are not."""
    found.settle()
    read: list[Any] = found.page.evaluate(STATE)
    return [*read, found.page.input_value("#filters input[type=search]")]


def test_a_loaded_address_shows_what_was_shown(open_page: Open, small: Made) -> None:
    found = open_page(small, "#more=true")
    found.page.click("#filters summary")
    found.page.fill("#filters input[type=search]", "made:")
    found.page.click("[data-contender='pysat:glucose4/extended'][data-field=solved] a")
    found.page.select_option("[data-focus=clock]", "cpu")
    found.page.select_option("[data-focus=rank]", "solved")
    found.page.select_option("[data-focus=theme]", "dark")
    found.page.click("#filters summary")
    found.page.select_option("#scatter [data-focus=pair-x]", "cpsat")
    found.page.select_option("#scatter [data-focus=pair-y]", "native")
    found.page.click("#cactus [data-focus=log-false]")
    found.page.click("#cactus [data-focus=score-true]")
    found.page.click("#cactus [data-focus='line pysat:cadical195/extended']")
    found.page.click("#instances [role=columnheader][data-column='3']")
    found.page.click("#instances .line[data-row='1']")
    before = state(found)
    again = open_page(small, f"#{found.page.evaluate('location.hash')[1:]}")
    assert state(again) == before
    keys = {part.partition("=")[0] for part in str(before[1])[1:].split("&")}
    assert keys == KEYS
    assert again.page.is_visible("#details")


def test_back_and_forward_go_through_the_states(open_page: Open, small: Made) -> None:
    found = open_page(small, "#more=true")
    states = [state(found)]
    for selector in ("[data-contender=cpsat][data-field=timeout] a", "#instances .line[data-row='0']"):
        found.page.click(selector)
        states.append(state(found))
    for expected in (states[1], states[0]):
        found.page.go_back()
        assert state(found) == expected
    found.page.go_forward()
    assert state(found) == states[1]


def test_hostile_names_go_through_the_address(open_page: Open, hostile: Made) -> None:
    found = open_page(hostile)
    for row, name in ((0, HOSTILE[0]), (3, f"made:{HOSTILE[3]}"), (6, HOSTILE[6])):
        found.page.focus(".grid")
        found.press("Control+Home", *["ArrowDown"] * row, "Enter")
        assert found.page.inner_text("#details .name") == printable(name)
        before = state(found)
        found.page.reload()
        after = state(found)
        assert list(unified_diff(before[0], after[0], n=0)) == []
        assert after == before
        found.press("Escape")


def test_a_part_of_the_page_is_an_address(open_page: Open, small: Made) -> None:
    found = open_page(small, "#heat&clock=cpu")
    top = "document.getElementById('heat').getBoundingClientRect().top"
    assert 0 <= found.page.evaluate(top) < 300
    assert found.page.input_value("[data-focus=clock]") == "cpu"
    found.page.click("nav a[href='#run']")
    found.settle()
    assert found.page.evaluate("location.hash") == "#run&clock=cpu"
    assert found.page.evaluate("document.activeElement.id") == "run-title"


def test_an_address_of_nonsense_shows_the_page_as_at_the_start(open_page: Open, small: Made) -> None:
    start = state(open_page(small))
    found = open_page(small, "#clock=moon&rank=&from=-1&to=x&log=7&journal=99&x=nobody&drawn=1e999&%zz=%&__proto__=1")
    assert state(found)[0] == start[0]
    assert found.said == []
