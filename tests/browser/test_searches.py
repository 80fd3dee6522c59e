"""Searches for the best solution on the page: curves, courses, and refuted bounds with their witnesses."""

from pathlib import Path

import pytest

from tests.browser.conftest import Open, Opened
from tests.browser.journals import Made, ranking, written
from tests.reporting.plots.test_anytime import MADE
from tests.searching import optimised


@pytest.fixture
def found(tmp_path: Path, open_page: Open) -> Opened:
    return open_page(written(optimised(tmp_path / "j.sqlite", MADE)), "#open=made:3")


def test_a_refuted_bound_is_in_the_strip_and_a_click_shows_its_witness(found: Opened) -> None:
    page = found.page
    assert "2 bounds refuted" in page.inner_text("#top .tiles")
    line = page.inner_text("#details li.wrong")
    assert line == "✗ three stated the bound 25 after 300 ms: refuted by the value 20 of two"
    page.evaluate("document.querySelector('#details').scrollTop = 0")
    page.click("#details li.wrong button")
    row = page.locator("#details tbody[data-contender='two']")
    assert row.evaluate("e => e.getAnimations().length") == 1, "its outcome is marked"
    box = row.bounding_box()
    assert box
    assert 0 <= box["y"] < 900
    assert found.said == []


def test_curves_and_courses_are_drawn_and_numbers_are_those_of_json(tmp_path: Path, open_page: Open) -> None:
    made = written(optimised(tmp_path / "j.sqlite", MADE))
    found = open_page(made)
    for kind in ("gap", "proved", "quality", "target"):
        assert found.page.locator(f"#{kind} canvas").count() == 1, kind
    label = found.page.get_attribute("#gap .plot", "aria-label") or ""
    assert "one 25 %" in label
    assert found.page.locator("#courses svg").count() == 3
    better = [found.page.locator("#differences summary", has_text=f"Better value by {name}") for name in ("one", "two")]
    assert [line.inner_text() for one in better for line in one.all()] == [
        "Better value by one: 2",
        "Better value by two: 1",
    ]
    better[1].click()
    assert found.page.locator("#differences details[open] tbody").inner_text().split() == ["made:3", "80", "20"]
    shown = found.values("#reached")
    for c in made.summary["contenders"]:
        for key in ("optimal", "feasible", "best", "gap", "to_best"):
            assert shown[c["name"], f"objective.{key}"] == c["objective"][key]
    assert found.said == []


def test_a_page_without_objectives_has_no_such_part(open_page: Open, small: Made) -> None:
    found = open_page(small)
    assert found.page.locator("#gap, #courses, #reached").count() == 0


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_scores_of_values_rank_as_in_json_and_the_first_opens_the_page(
    tmp_path: Path, open_page: Open, clock: str
) -> None:
    made = written(optimised(tmp_path / "j.sqlite", MADE))
    found = open_page(made, f"#clock={clock}&more=true")
    said = "one is the only contender without a wrong answer: it has the best value on 2 of 3 and proves 1"
    assert found.page.inner_text("h1") == said
    for score in ("best", "gap", "primal-integral", "target", "minizinc", "xcsp3"):
        found.page.select_option("#ranking select", score)
        found.settle()
        shown = found.values("#ranking")
        for c in ranking(made, score, clock)["contenders"]:
            for key in ("score", "low", "high", "rank", "rank_low", "rank_high"):
                assert shown[c["name"], key] == c[key], (score, c["name"], key)
    assert found.said == []
