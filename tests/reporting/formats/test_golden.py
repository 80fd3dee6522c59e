"""Differences to a golden file: only a contradiction is a change."""

import pytest

from harness.reporting.formats.golden import Entry, Today, difference, natural_key


def entry(name: str, count: str, solution: str = "") -> Entry:
    return {"puzzle": name, "hash": name, "count": count} | ({"solution": solution} if solution else {})


def today(name: str, count: str, solution: str = "", said: str = "") -> Today:
    """Return an answer of today, settled unless something else is said."""
    return Today(entry(name, count, solution if not said else ""), said or count, solution or None)


@pytest.mark.parametrize(
    ("golden", "found", "kind"),
    [
        ("1", "2+", "changed"),
        ("0", "1+", "changed"),
        ("1", "?", "weaker"),
        ("2+", "1+", "weaker"),
        ("?", "0", "stronger"),
        ("1+", "1", "stronger"),
    ],
)
def test_only_a_contradiction_is_a_change(golden: str, found: str, kind: str) -> None:
    different = difference([entry("a", golden)], [today("a", found)])
    assert {k for k in ("changed", "weaker", "stronger") if getattr(different, k)} == {kind}


def test_an_undecided_answer_keeps_the_older_entry() -> None:
    assert difference([entry("a", "1", "12")], [today("a", "?")]).kept == [entry("a", "1", "12")]


def test_another_solution_of_a_unique_puzzle_is_a_change() -> None:
    assert difference([entry("a", "1", "12")], [today("a", "1", "21")]).changed == ["a: solution 12 -> 21"]


def test_new_and_missing_puzzles_are_named() -> None:
    found = difference([entry("a", "1")], [today("b", "1")])
    assert found.changed == ["b: not in the golden file", "a: only in the golden file"]
    assert found.same == 0
    assert difference([entry("a", "1"), entry("b", "?")], [today("a", "1"), today("b", "0")]).same == 1


def test_line_10_sorts_after_line_9() -> None:
    names = ["c.txt:10", "c.txt:9", "b.txt:11"]
    assert sorted(names, key=lambda n: natural_key(entry(n, "1"))) == ["b.txt:11", "c.txt:9", "c.txt:10"]


def test_the_word_of_one_contender_can_refute_an_entry_but_never_make_one() -> None:
    alone = difference([entry("a", "1", "12")], [today("a", "?", said="0")])
    assert alone.changed == ["a: number of solutions 1 -> 0, by unconfirmed answers"]
    assert alone.kept == [entry("a", "1", "12")]
    same = difference([entry("a", "1", "12")], [today("a", "1+", "12", said="1")])
    assert (same.same, same.kept) == (1, [entry("a", "1", "12")])
    assert difference([entry("a", "2+")], [today("a", "1+", "12", said="1")]).changed
    assert difference([entry("a", "1", "12")], [today("a", "1+", "21", said="1")]).changed == ["a: solution 12 -> 21"]
    weaker = difference([entry("a", "1+")], [today("a", "1+", "12", said="1")])
    assert (weaker.stronger, weaker.same) == ([], 1)
