"""`trace` of an instance with an objective prints cores, bounds and solutions of ever lower value."""

import re
from pathlib import Path

import pytest

pytest.importorskip("numba")

from puzzles.corpora import find
from tests.conftest import ROOT, Harness

TEAM = "h 1 2 0\nh 2 3 4 0\nh 1 4 0\nh 3 5 0\n30 -1 0\n45 -2 0\n20 -3 0\n35 -4 0\n25 -5 0\n"
SOFT_CLAUSES = "5 1 2 0\n4 -1 0\n3 -2 -3 0\n2 3 0\n2 2 0\n"


def bounds(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"bound ([\d,]+)", text)]


def test_a_search_is_printed_core_by_core(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "team.wcnf").write_text(TEAM)
    done = harness("trace", "team.wcnf")
    assert done.code == 0
    assert done.out.endswith("\nv x1 -x2 x3 -x4 -x5\n\noptimum 50: 8 steps, 2 cores, 2 conflicts\n")
    assert "CORE 1   one of 2 literals is false, which costs 30: bound 30\n         not x2, not x1\n" in done.out
    assert "fewer than 2 of core 2 are false" in done.out
    assert f"```\n{done.out}```\n" in (ROOT / "docs/reference/optimisation.md").read_text()


def test_soft_clauses_have_names_and_brief_leaves_them_out(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "soft.wcnf").write_text(SOFT_CLAUSES)
    assert "(x1 or x2)" in harness("trace", "soft.wcnf").out
    assert "(x1 or x2)" not in harness("trace", "soft.wcnf", "--brief").out


def test_steps_stop_a_trace(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "team.wcnf").write_text(TEAM)
    out = harness("trace", "team.wcnf", "--steps", "3").out
    assert out.endswith("stopped here (--steps): 3 steps, 1 core\n")
    assert "v x1" not in out


@pytest.mark.parametrize(
    ("name", "rises"),
    [("wcnf/queens-6.wcnf", True), ("opb-opt/knapsack-15-2-20.opb", False), ("cop/golomb-4.xml", True)],
)
def test_bounds_close_in_on_the_optimum_with_the_sign_of_the_source(harness: Harness, name: str, rises: bool) -> None:
    corpus, _, file = name.partition("/")
    out = harness("trace", find(corpus) / file).out
    (optimum,) = map(int, re.findall(r"^optimum (\d+)", out, re.MULTILINE))
    found = bounds(out)
    assert found == sorted(found, reverse=not rises)
    assert all(bound <= optimum if rises else bound >= optimum for bound in found)
    assert max(map(len, out.splitlines())) <= 80


def test_without_a_solution_that_is_said(harness: Harness) -> None:
    assert "\nno solution: 0 steps" in harness("trace", find("wcnf") / "pigeonhole-5.wcnf").out


@pytest.mark.parametrize("words", [("-b", "native:norvig"), ("--until", "search"), ("--count", "2")])
def test_what_does_not_go_with_an_objective_is_one_line(
    harness: Harness, tmp_path: Path, words: tuple[str, str]
) -> None:
    (tmp_path / "team.wcnf").write_text(TEAM)
    done = harness("trace", "team.wcnf", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
