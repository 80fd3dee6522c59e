"""A page of 572 contenders, which is made once: tests of a file run in one process."""

from tests.browser.conftest import Open
from tests.browser.journals import Made, ranking
from tests.browser.test_rankings import groups_shown, numbers_of, shown

CONTENDERS = 572


def test_a_page_of_572_contenders_is_drawn_and_scrolls(open_page: Open, many: Made) -> None:
    found = open_page(many)
    page = found.page
    assert page.locator("#cactus canvas").count() == 1
    assert page.locator("#heat svg path").count() > 5
    rows = page.locator("#ranking tbody tr")
    assert 10 < rows.count() < CONTENDERS
    found.click("#ranking [data-focus=all]")
    assert rows.count() == CONTENDERS
    assert int(page.get_attribute(".grid", "aria-colcount") or 0) == CONTENDERS + 2
    assert page.locator(".grid [role=gridcell]").count() < 40 * 30
    page.focus(".grid")
    found.press("End", "Control+End")
    last = ranking(many, "par2")["contenders"][-1]["name"]
    page.wait_for_selector(f'.grid .head .cell[title="{last}"]')
    assert found.said == []


def test_figures_of_572_contenders_are_those_of_json(open_page: Open, many: Made) -> None:
    found = open_page(many, "#rank=solved&more=true")
    found.click("#ranking [data-focus=all]")
    figures = found.values("#ranking")
    for c in many.summary["contenders"]:
        assert (figures[c["name"], "solved"], figures[c["name"], "par2"]) == (c["solved"], c["par2"])
    found.page.fill("#filters input[type=search]", "made:1")
    found.settle()
    assert found.page.inner_text("#filters .count") == "8 of 16 puzzles"
    assert found.said == []


def test_572_contenders_have_ranks_and_no_groups(open_page: Open, many: Made) -> None:
    found = open_page(many, "#rank=borda&more=true")
    found.click("#ranking [data-focus=all]")
    wanted, got = ranking(many, "borda"), shown(found)
    assert wanted["groups"] is None
    assert got == numbers_of(wanted["contenders"])
    assert groups_shown(found) == set()
    assert "too many contenders to test each pair" in found.page.inner_text("#ranking")
