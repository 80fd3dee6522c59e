"""Planted faults of a counter, each found by identities alone, without a second contender."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from backends.counters import search
from backends.counters.counted import CountAsk
from harness.judging.exhaustive import right_assignments
from harness.judging.identities import identities, weighed
from puzzles.formats import ReaderOptions, read
from puzzles.problem.columns import distinct
from tests.conftest import Harness
from tests.counting.formulas import Formula, tasks
from tests.effort import slow_after

Options = dict[str, int]
BIG = Formula(30, [[i, i + 1, -(i + 2)] for i in range(1, 25)])  # too large for exhaustive search
SHOWN = replace(BIG, shown=[1, 2, 3, 5, 8, 13, 27, 28])


def honest(asked: CountAsk, options: Options) -> Fraction:
    return search.ComponentSearch(asked).total()


def off_by_one(asked: CountAsk, options: Options) -> Fraction:
    return honest(asked, options) + (1 if asked.variables > 1 else 0)


def constant(number: int) -> Callable[[CountAsk, Options], Fraction]:
    """Return a counter that is right on the problem that loads the code alone."""
    return lambda asked, options: Fraction(number) if asked.variables > 1 else honest(asked, options)


def doubles_for_an_unused_variable(asked: CountAsk, options: Options) -> Fraction:
    return honest(asked, options) * (2 if len(asked.unused) > 10 else 1)


def drops_a_component(asked: CountAsk, options: Options) -> Fraction:
    parts = search.components(frozenset(map(frozenset, asked.clauses)))
    if len(parts) < 2:
        return honest(asked, options)
    return honest(replace(asked, clauses=[list(row) for row in parts[0]]), options) / (1 << len(parts[1]))


def wraps(asked: CountAsk, options: Options) -> Fraction:
    return Fraction(int(honest(asked, options)) % (1 << 64))


def ignores_show(asked: CountAsk, options: Options) -> Fraction:
    return honest(replace(asked, shown=None), options)


PLANTED: list[tuple[Callable[[CountAsk, Options], Fraction], Formula]] = [
    (off_by_one, BIG),
    (doubles_for_an_unused_variable, BIG),
    (drops_a_component, BIG),
    (wraps, BIG),
    (ignores_show, SHOWN),
]


@pytest.mark.parametrize(("fault", "formula"), slow_after(2, PLANTED), ids=lambda part: getattr(part, "__name__", ""))
def test_a_planted_fault_is_inconsistent_without_a_second_contender(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., Fraction], formula: Formula
) -> None:
    monkeypatch.setattr(search, "native", fault)
    path = formula.write(tmp_path / "a.cnf")
    words = "--count", "all", "--certify", "-b", "models:native", "--json", "-"
    done = harness("run", path, *words, "-o", tmp_path / "j.sqlite")
    found = json.loads(done.out)["agreement"]["disagreements"]
    alarms = {d["alarm"] for d in found}
    assert done.code == 1
    assert "inconsistent" in alarms, found
    said = next(d for d in found if d["alarm"] == "inconsistent")
    assert said["contenders"] == ["models:native/extended"]
    assert any(ch.isdigit() for ch in said["why"])
    assert harness("report", tmp_path / "j.sqlite").out.count("INCONSISTENT: models:native/extended: a.cnf:") >= 1


def test_a_right_count_breaks_no_identity(tmp_path: Path, harness: Harness) -> None:
    paths = [f.write(tmp_path / f"{i}.cnf") for i, f in enumerate((BIG, SHOWN, *tasks(5)))]
    words = "--count", "all", "--certify", "-b", "models:native", "--json", "-"
    done = harness("run", *paths, *words, "-o", tmp_path / "j.sqlite")
    summary = json.loads(done.out)
    assert done.code == 0
    assert summary["agreement"]["disagreements"] == []
    assert summary["certify"]["instance"]["exhaustive search"] == 4


@pytest.mark.slow
def test_exhaustive_search_convicts_a_wrong_count(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "native", constant(6))
    path = Formula(4, [[1, 2], [-1, 3]]).write(tmp_path / "a.cnf")
    words = "--count", "all", "--certify", "-b", "models:native", "-b", "models:pysat"
    done = harness("run", path, *words, "-o", tmp_path / "j.sqlite")
    assert done.code == 1
    assert "WRONG: models:native/extended: a.cnf: counts 6, but exhaustive search counts 8" in done.out
    assert "models:pysat/extended" not in done.out.partition("WRONG")[2].partition("\n")[0]


def test_checked_models_refute_a_smaller_count(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "native", constant(7))
    path = SHOWN.write(tmp_path / "a.cnf")
    done = harness("run", path, "--count", "all", "--certify", "-b", "models:native", "-o", tmp_path / "j.sqlite")
    assert done.code == 1
    assert "a.cnf: counts 7, but 50 were found and checked" in done.out


def test_a_checked_circuit_convicts_a_wrong_count(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "native", off_by_one)
    path = BIG.write(tmp_path / "a.cnf")
    done = harness("run", path, "--count", "all", "--certify", "-b", "models:native", "-o", tmp_path / "j.sqlite")
    right = 8227648
    assert done.code == 1
    assert f"a.cnf: counts {right + 1}, but a checked circuit gives {right}" in done.out


def test_counts_that_differ_are_a_conflict_and_no_vote(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "native", off_by_one)
    path = Formula(4, [[1, 2], [-1, 3]]).write(tmp_path / "a.cnf")
    words = "--count", "all", "-b", "models:native", "-b", "models:pysat"
    done = harness("run", path, *words, "-o", tmp_path / "j.sqlite")
    assert done.code == 1
    assert "CONFLICT: a.cnf: counts differ: " in done.out
    assert "9 says models:native/extended (1 lineage)" in done.out
    assert "8 says models:pysat/extended (1 lineage)" in done.out


@pytest.mark.parametrize("seed", range(0, 52, 3))
def test_identities_hold_of_brute_force(tmp_path: Path, seed: int) -> None:
    for formula in tasks(seed):
        if formula.variables > 5:
            continue
        (instance,) = read(formula.write(tmp_path / "a.cnf"), ReaderOptions(count_models=True))
        for identity in identities(instance):
            if all(len(problem.variables) < 12 for problem, _ in identity.parts):
                numbers = []
                for problem, domains in identity.parts:
                    right = right_assignments(problem, domains, 1 << 16)
                    assert right is not None
                    numbers.append(weighed(problem, distinct(problem, right)))
                assert identity.broken(formula.count(), numbers) == ""
