"""A filtered report is the report of a journal that has the chosen instances alone, in every figure."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from harness.model.errors import BadUsage
from harness.reporting.frame.filtering import InstanceFilter, chosen
from harness.reporting.frame.results import Results
from harness.reporting.frame.selecting import frame
from harness.reporting.frame.summary import summarise
from harness.reporting.page.report import page
from harness.reporting.views import deciding, grouping
from harness.reporting.views.comparing.measures import OBJECTIVE_SCORES, SCORES
from harness.reporting.views.ranking.portfolio import portfolio
from harness.reporting.views.ranking.rank_text import rank_table
from harness.reporting.views.ranking.ranks import rank
from harness.reporting.views.ranking.result import of_results
from harness.reporting.views.summary_table import report
from harness.reporting.writing.writers import written
from harness.showing.pictures import pictures
from puzzles.readers.selecting import Selection
from tests.conftest import Harness
from tests.journals import UNDECIDED, make, puzzle
from tests.searching import Made, optimised

TIMED = (*SCORES, "number:conflicts")
VALUED = (
    *(name for name in OBJECTIVE_SCORES if name != "count"),
    "target:10",
    "vbs:maxsat-anytime",
    "shapley:gap",
    "par2",
)
PATH = Path("the.sqlite")
Pair = tuple[Path, Path, InstanceFilter]  # a journal, one with the chosen rows alone, and the filter


def timed_pair(random: Random, folder: Path) -> Pair:
    """Draw a journal of decisions with failures, wrong answers and incomplete repeats, and its part."""
    n, repeats = random.randint(2, 14), random.randint(1, 3)
    names = random.sample(["a", "b", "c", "d"], random.randint(2, 4))
    numbers = np.random.default_rng(random.getrandbits(30))
    times = {name: numbers.uniform(0.001, 9, (repeats, n)) for name in names}
    kinds = (*UNDECIDED, "unsatisfiable", "wrong")
    odd = {name: {random.choice(kinds): random.sample(range(n), random.randint(0, n // 2))} for name in names}
    puzzles = [puzzle(i, random.choice([4, 9])) for i in range(n)]
    whole = make(folder / "whole", times, puzzles, odd=odd)
    by, kept = chosen_instances(random, whole, names)
    part = {name: {kind: [kept.index(i) for i in at if i in kept] for kind, at in odd[name].items()} for name in names}
    alone = make(folder / "alone", {k: v[:, kept] for k, v in times.items()}, [puzzles[i] for i in kept], odd=part)
    return whole, alone, by


def valued_pair(random: Random, folder: Path) -> Pair:
    """Draw a journal of searches for the best solution, and its part."""
    n, names = random.randint(2, 12), random.sample(["a", "b", "c", "d"], random.randint(2, 4))
    searches = {name: [search(random) for _ in range(n)] for name in names}
    maximise = random.random() < 0.4
    whole = optimised(folder / "whole", searches, maximise)
    by, kept = chosen_instances(random, whole, names)
    part = {name: [made[i] for i in kept] for name, made in searches.items()}
    return whole, optimised(folder / "alone", part, maximise, kept), by


def search(random: Random) -> Made:
    """Draw a search that improves some times, and may prove its last value."""
    times = sorted(random.uniform(0.01, 9) for _ in range(random.randint(0, 4)))
    values = sorted(random.sample(range(1, 200), len(times)), reverse=True)
    proved = random.uniform(9, 10) if values and values[-1] < 8 else None
    return Made(list(zip(times, values, strict=True)), proved=proved)


def chosen_instances(random: Random, journal: Path, names: Sequence[str]) -> tuple[InstanceFilter, list[int]]:
    """Draw a filter that some instances of a journal pass; return it with their positions."""
    with frame(journal) as results:
        while True:
            some = [f"made:{i}" for i in range(1, results.size + 1) if random.random() < 0.5]
            conditions = ("solved", "unsolved", "timeout", "unsatisfiable", "nobody", "alone", "time<5", "time>2")
            where = [f"{random.choice([*names, '*'])}={random.choice(conditions)}" for _ in range(random.randrange(2))]
            only, exclude = random.choice([(some, []), ([], some), (some, some[:1]), ([], [])])
            by = InstanceFilter(Selection(tuple(only), tuple(exclude)), where)
            with suppress(BadUsage):
                return by, (np.flatnonzero(chosen(results, by)) - 1).tolist()


def figures(results: Results, scores: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Yield each figure of results by name."""
    results.journal.path = PATH
    summary = summarise(results)
    for clock in ("wall", "cpu"):
        yield f"result {clock}", of_results(results, clock)
        yield f"report {clock}", report(summary, "table", clock)
        yield f"virtual best {clock}", portfolio(results, clock)
    yield "summary", summary
    yield "lists", deciding.as_data(results, ["unsolved", "alone", "family"])
    for score in scores:
        yield f"rank {score}", ranked(results, score)
        yield f"groups {score}", grouped(results, score)


def ranked(results: Results, score: str) -> Any:
    """Return a ranking as data and text, or why there is none."""
    try:
        found = rank(results, score)
        return found.as_dict(), written(rank_table(found), "table")
    except BadUsage as e:
        return str(e)


def grouped(results: Results, score: str) -> Any:
    """Return the groups of a score as data, or why there are none."""
    try:
        return grouping.as_data(results, ["status"], score, "wall")
    except BadUsage as e:
        return str(e)


def differing(pair: Pair, scores: tuple[str, ...], with_page: bool = False) -> list[tuple[str, Any, Any]]:
    """Return the figures in which a filtered report differs from the report of the chosen rows alone."""
    whole, alone, by = pair
    with ExitStack() as stack:
        found, expected = (stack.enter_context(frame(*of)) for of in ((whole, None, by), (alone,)))
        assert found.shown.startswith(f" | only {found.size} instance")
        found = replace(found, shown="")
        pairs = zip(figures(found, scores), figures(expected, scores), strict=True)
        different = [(name, x, y) for (name, x), (_, y) in pairs if x != y]
        if with_page:
            pages = [page([r], [summarise(r)], None, None, "report", pictures) for r in (found, expected)]
            if pages[0] != pages[1]:
                different.append(("page", len(pages[0]), len(pages[1])))
        return different


def test_a_score_of_one_chosen_instance_of_four_is_that_of_one(tmp_path: Path, harness: Harness) -> None:
    times = {"a": np.array([[1.0, 3.0, 3.0, 3.0]]), "b": np.array([[2.0, 1.0, 1.0, 1.0]])}
    path = str(make(tmp_path / "j", times))
    data = harness("report", path, "--only", "made:1", "--rank", "vbs", "--vbs", "--json", "-").summary
    assert {c["name"]: c["score"] for c in data["ranking"]["contenders"]} == {"a": 1.0, "b": 0.0}
    assert {c["name"]: c["worth"] for c in data["portfolio"]["contenders"]} == {"a": 1.0, "b": 0.0}
    assert (data["agreement"]["puzzles"], data["corpora"]) == (1, [{"name": "made", "puzzles": 1}])
    text = harness("report", path, "--only", "made:1", "--rank", "vbs").out
    assert "over 1 instance" in text


@pytest.mark.parametrize("seed", range(4))
def test_a_filtered_report_is_that_of_the_chosen_rows_alone(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    assert differing(timed_pair(random, tmp_path), TIMED, with_page=True) == []
    (values := tmp_path / "values").mkdir()
    assert differing(valued_pair(random, values), VALUED, with_page=True) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 24, 8))  # 300 were drawn when the test was written
def test_many_filtered_reports_are_those_of_the_chosen_rows_alone(tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 8):
        random, folder = Random(f"filters {seed}"), tmp_path / str(seed)
        folder.mkdir()
        pair, scores = (timed_pair, TIMED) if seed % 2 else (valued_pair, VALUED)
        assert differing(pair(random, folder), scores, with_page=True) == [], seed
