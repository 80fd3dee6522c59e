"""Differences to a golden file: only a contradiction is a change."""

import pytest

from harness.reporting.golden import Entry, difference, natural_key


def entry(name: str, count: str, solution: str = "") -> Entry:
    return {"puzzle": name, "hash": name, "count": count} | ({"solution": solution} if solution else {})


@pytest.mark.parametrize(
    ("golden", "today", "kind"),
    [
        ("1", "2+", "changed"),
        ("0", "1+", "changed"),
        ("1", "?", "weaker"),
        ("2+", "1+", "weaker"),
        ("?", "0", "stronger"),
        ("1+", "1", "stronger"),
    ],
)
def test_only_a_contradiction_is_a_change(golden: str, today: str, kind: str) -> None:
    found = difference([entry("a", golden)], [entry("a", today)])
    assert {k for k in ("changed", "weaker", "stronger") if getattr(found, k)} == {kind}


def test_an_undecided_answer_keeps_the_older_entry() -> None:
    assert difference([entry("a", "1", "12")], [entry("a", "?")]).kept == [entry("a", "1", "12")]


def test_another_solution_of_a_unique_puzzle_is_a_change() -> None:
    assert difference([entry("a", "1", "12")], [entry("a", "1", "21")]).changed == ["a: solution 12 -> 21"]


def test_new_and_missing_puzzles_are_named() -> None:
    found = difference([entry("a", "1")], [entry("b", "1")])
    assert found.changed == ["b: not in the golden file", "a: only in the golden file"]
    assert found.same == 0
    assert difference([entry("a", "1"), entry("b", "?")], [entry("a", "1"), entry("b", "0")]).same == 1


def test_line_10_sorts_after_line_9() -> None:
    names = ["c.txt:10", "c.txt:9", "b.txt:11"]
    assert sorted(names, key=lambda n: natural_key(entry(n, "1"))) == ["b.txt:11", "c.txt:9", "c.txt:10"]
