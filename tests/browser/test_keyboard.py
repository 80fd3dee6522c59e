"""All of the page by keyboard."""

from tests.browser.conftest import Open, Opened
from tests.browser.journals import Made

# Every element that takes clicks or text, and is shown: what Tab has to reach.
CONTROLS = """() => {
    const all = document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]');
    const shown = [...all].filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true }));
    shown.forEach((e, k) => { e.dataset.stop = k; });
    return shown.length;
}"""
ACTIVE = "document.activeElement.dataset.stop ?? null"
CELL = "document.getElementById(document.querySelector('.grid').getAttribute('aria-activedescendant'))"


def focused(found: Opened) -> str:
    text: str = found.page.evaluate("document.activeElement.dataset.focus ?? document.activeElement.tagName")
    return text


def test_tab_reaches_every_control_in_the_order_of_the_page(open_page: Open, small: Made) -> None:
    found = open_page(small)
    found.page.click("#filters summary")
    found.page.evaluate("document.activeElement.blur(); getSelection().removeAllRanges()")
    found.page.evaluate("document.querySelector('.skip').focus()")
    stops = found.page.evaluate(CONTROLS)
    assert stops > 60
    reached = []
    for _ in range(stops):
        stop = found.page.evaluate(ACTIVE)
        if stop is None:
            break
        reached.append(int(stop))
        found.press("Tab")
    assert reached == list(range(stops))


def test_the_first_stop_skips_to_the_content(open_page: Open, small: Made) -> None:
    found = open_page(small)
    found.press("Tab")
    assert found.page.evaluate("document.activeElement.textContent") == "Skip to content"
    assert found.page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    found.press("Enter")
    assert found.page.evaluate("document.activeElement.id") == "ranking-title"
    found.press("Tab")
    assert found.page.evaluate("document.activeElement.closest('section').id") == "ranking"


def test_arrows_move_in_the_table_enter_opens_and_escape_returns(open_page: Open, small: Made) -> None:
    found = open_page(small)
    found.page.focus(".grid")
    found.press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight")
    assert found.page.evaluate(f"{CELL}.closest('.line').dataset.row") == "2"
    assert found.page.evaluate(f"{CELL}.dataset.column") == "2"
    found.press("Enter")
    assert found.page.inner_text("#details .name") == small.names[2]
    assert found.page.evaluate("document.activeElement.id") == "details-title"
    found.press("Escape")
    assert not found.page.is_visible("#details")
    assert focused(found) == "grid"
    assert found.page.evaluate(f"{CELL}.closest('.line').dataset.row") == "2"
    found.press("Control+End")
    assert found.page.evaluate(f"{CELL}.closest('.line').dataset.row") == str(len(small.names) - 1)
    assert found.page.evaluate(f"{CELL}.checkVisibility()")


def test_the_table_is_sorted_from_its_header_by_keyboard(open_page: Open, small: Made) -> None:
    found = open_page(small)
    found.page.focus(".grid")
    found.press("ArrowUp", "ArrowRight", "ArrowRight")
    for order, hash_ in (("ascending", "sort=time%3Anative"), ("descending", "sort=-time%3Anative")):
        found.press("Enter")
        assert found.page.get_attribute("[role=columnheader][aria-sort]", "aria-sort") == order
        assert found.page.evaluate("location.hash") == f"#{hash_}"
    assert focused(found) == "grid"


def test_a_contender_is_coloured_by_keyboard(open_page: Open, small: Made) -> None:
    found = open_page(small)
    button = "#cactus [data-focus='line native']"
    assert found.page.get_attribute(button, "aria-pressed") == "true"
    found.page.focus(button)
    found.press("Enter")
    assert found.page.get_attribute(button, "aria-pressed") == "false"
    assert focused(found) == "line native"
    assert "focus=cpsat" in found.page.evaluate("location.hash")
    assert found.page.get_attribute("#ranking [data-focus='colour native']", "aria-pressed") == "false"


def test_a_link_of_the_summary_filters_and_keeps_the_focus(open_page: Open, small: Made) -> None:
    found = open_page(small, "#more=true")
    found.page.focus("[data-contender=cpsat][data-field=error] a")
    found.press("Enter")
    errors = next(c for c in small.summary["contenders"] if c["name"] == "cpsat")["error"]
    assert found.page.inner_text("#filters .count") == f"{errors} of {len(small.names)} puzzles"
    assert focused(found) == "error cpsat"
    found.page.focus(".chips button")
    found.press("Space")
    assert found.page.inner_text("#filters .count") == f"{len(small.names)} of {len(small.names)} puzzles"
