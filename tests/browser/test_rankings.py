"""Rankings on the page: those of `report --rank --json`, and under a filter those of Python over the same rows."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.reporting.frame.results import State
from harness.reporting.statistics.workers import workers_of
from harness.reporting.views.comparing.measures import SCORES
from harness.reporting.views.ranking.ranks import RankedColumns, mean_ranks_of, ranked
from harness.reporting.views.ranking.scores import SCORE
from tests.browser.conftest import Open, Opened
from tests.browser.journals import LIMIT, Made, ranking, written
from tests.journals import make, noisy, puzzle

FIELDS = ("rank", "score", "low", "high", "rank_low", "rank_high", "mean_rank")
GROUPS = "all => Object.fromEntries(all.map(e => [e.dataset.contender, e.textContent]))"
PRINTED = """() => {
    const select = document.querySelector("#ranking select");
    select.focus();  // a focused panel is drawn at once, however slow the machine
    select.value = "shapley";
    select.dispatchEvent(new Event("change"));
    const before = document.querySelector("#ranking").textContent;
    dispatchEvent(new Event("beforeprint"));
    return [before, document.querySelector("#ranking").textContent];
}"""
Numbers = dict[str, dict[str, Any]]


def choose(found: Opened, score: str) -> None:
    found.page.select_option("#ranking select", score)
    found.settle()


def shown(found: Opened) -> Numbers:
    """Return the numbers of each contender in the order of the page, without fields that it leaves open."""
    numbers: Numbers = {}
    for (name, field), value in found.values("#ranking").items():
        if field not in FIELDS:
            continue
        numbers.setdefault(name, {}).update({} if value is None else {field: value})
    return numbers


def numbers_of(contenders: list[dict[str, Any]]) -> Numbers:
    """Return the same of Python; integers are exact, sums agree but for rounding."""
    known = {c["name"]: [key for key in FIELDS if c[key] is not None] for c in contenders}
    return {
        c["name"]: {key: pytest.approx(c[key], rel=1e-9, abs=1e-12) for key in known[c["name"]]} for c in contenders
    }


def groups_shown(found: Opened) -> set[frozenset[str]]:
    """Return the contenders that share a letter, of each letter."""
    letters: dict[str, str] = found.page.eval_on_selector_all("#ranking .groups", GROUPS)
    every = {letter for text in letters.values() for letter in text if letter.isalpha()}
    return {frozenset(name for name, text in letters.items() if letter in text) for letter in every}


@pytest.mark.parametrize("clock", ["wall", "cpu"])
def test_every_ranking_is_that_of_json(open_page: Open, small: Made, clock: str) -> None:
    found = open_page(small, f"#clock={clock}&more=true")
    for score in SCORES:
        choose(found, score)
        wanted, got = ranking(small, score, clock), shown(found)
        assert list(got) == [c["name"] for c in wanted["contenders"]], score
        assert got == numbers_of(wanted["contenders"]), score
        assert groups_shown(found) == {frozenset(group) for group in wanted["groups"]}
        wrong = [c["name"] for c in wanted["contenders"] if c["wrong"]]
        assert found.page.locator("#ranking th .wrong").count() == len(wrong) == 1
    assert found.said == []


def test_a_ranking_of_some_instances_and_contenders_is_computed_as_python_does(open_page: Open, small: Made) -> None:
    keep = np.array(["1" in name for name in small.names])
    names = tuple(name for name in small.columns if name != "cpsat")
    found = open_page(small, "#search=1&hidden=cpsat&more=true")
    times = np.array(
        [np.where(small.columns[n]["state"] == State.DECIDED, small.columns[n]["wall"], np.nan) for n in names]
    )
    states = np.array([small.columns[name]["state"] for name in names])[:, keep]
    levels = [small.columns[name]["steady"] for name in names]
    workers = workers_of([small.columns[name]["effects"] for name in names], [level.deviation for level in levels])
    kept = tuple(replace(level, seconds=level.seconds[keep]) for level in levels)
    parts = times[:, keep], states != State.NONE, (states == State.WRONG).any(axis=1), workers
    columns = RankedColumns(names, *parts, small.blocks[keep], kept)
    means = mean_ranks_of(columns, LIMIT)
    for score in SCORES:
        choose(found, score)
        ranks, groups = ranked(columns, SCORE[score], LIMIT)
        wanted = [vars(c) | {"mean_rank": means[c.name]} for c in ranks]
        assert list(shown(found)) == [c["name"] for c in wanted]
        assert shown(found) == numbers_of(wanted), score
        assert groups_shown(found) == {frozenset(group) for group in groups or ()}, score
    text = found.page.inner_text("#ranking .filtered")
    assert f"over {keep.sum()} of 60 puzzles" in text
    assert "4 of 5 contenders" in text


def test_rankings_over_families_are_those_of_json(open_page: Open, tmp_path: Path) -> None:
    times = {name: noisy(k, 2, 40, factor=1.5**k) for k, name in enumerate("abc")}
    odd = {"c": {"undecided": [3, 17]}}
    families = {f"made:{i}": f"family {i % 11}" for i in range(1, 41)}
    made = written(make(tmp_path / "j.sqlite", times, odd=odd, families={"column family": families}))
    found = open_page(made, "#more=true")
    for score in ("par2", "sgm", "solved", "borda"):
        choose(found, score)
        wanted = ranking(made, score, "wall")
        assert wanted["families"] == ["column family", 11]
        assert shown(found) == numbers_of(wanted["contenders"]), score
        assert groups_shown(found) == {frozenset(group) for group in wanted["groups"]}
    assert "for families like these 11 (column family), which are resampled" in found.page.inner_text("#ranking")


def test_the_summary_and_the_plots_follow_the_score(open_page: Open, small: Made) -> None:
    found = open_page(small, "#rank=borda")
    order = [c["name"] for c in ranking(small, "borda")["contenders"]]
    assert list(dict.fromkeys(name for name, _ in found.values("#ranking"))) == order
    choose(found, "vbs")
    assert "rank=vbs" in found.page.evaluate("location.hash")
    assert found.page.input_value("[data-focus=rank]") == "vbs"


def test_a_printer_gets_all_intervals_at_once(open_page: Open, small: Made) -> None:
    before, printed = open_page(small).page.evaluate(PRINTED)
    assert "…" in before
    assert "…" not in printed


def test_filters_that_leave_nothing_say_what_was_asked_and_a_button_clears_them(open_page: Open, small: Made) -> None:
    found = open_page(small, "#search=nowhere&where=cpsat%3Dtimeout")
    said = found.page.inner_text("#ranking .nothing")
    assert said.startswith("Nothing matches cpsat: timeout; name: nowhere.")
    assert found.page.locator("#agreement .nothing, #run .nothing").count() == 0
    found.click("#ranking .nothing button")
    assert found.page.locator(".nothing").count() == 0
    assert found.page.inner_text("#filters .count") == "60 of 60 puzzles"
    assert found.said == []


def test_a_liar_keeps_its_mark_where_a_filter_leaves_out_its_wrong_answers(open_page: Open, small: Made) -> None:
    (liar,) = (c["name"] for c in small.summary["contenders"] if c["wrong"])
    found = open_page(small, f"#where={liar.replace('/', '%2F')}%3Dsatisfiable")
    marks = found.page.locator("#ranking .name .wrong")
    assert marks.count() == 1
    assert marks.inner_text().strip() == "✗ wrong elsewhere"


def test_a_small_plot_names_a_winner_by_the_rule_of_the_headline(tmp_path: Path, open_page: Open) -> None:
    names, shape = ("clear", "close", "again"), (1, 40)
    wall = {name: noisy(k, *shape, noise=0.3, factor=(1.0, 9.0, 9.0)[k]) for k, name in enumerate(names)}
    wall["close"][0, 20:] = wall["clear"][0, 20:] * np.exp(np.random.default_rng(1).normal(0, 0.3, 20))
    puzzles = [replace(puzzle(i), name=f"{'near' if i >= 20 else 'far'}/{i}") for i in range(40)]
    found = open_page(written(make(tmp_path / "j.sqlite", wall, puzzles, limit=LIMIT)))
    said = dict(zip(("far", "near"), found.page.locator("#families .first").all_inner_texts(), strict=True))
    assert said == {"far": "clear wins", "near": "open: clear or close"}
