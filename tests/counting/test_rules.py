"""Rules of the Model Counting Competition: the four rankings of 2022 allow different errors."""

import json
import sys
from pathlib import Path

import pytest

from harness.reporting.views.comparing.measures import score_name
from harness.reporting.views.ranking.objective_scores import is_near
from tests.conftest import Harness
from tests.counting.formulas import Formula

FORMULAS = (Formula(8, [[1, 2], [-1, 3]]), Formula(9, [[1, 2, 3]]), Formula(2, [[1], [-1]]))
# Prints its own number for each file: exact, 5 % more, and 50 % more.
PROGRAM = """import sys
number = {"a": 128, "b": 448, "c": 0}[sys.argv[2][-5]]
factor = {"exact": 1, "five": 1.05, "half": 1.5}[sys.argv[1]]
print("s SATISFIABLE" if number else "s UNSATISFIABLE")
print(f"c s {'exact' if factor == 1 else 'approx'} arb int {round(number * factor)}" if number else "c o none")
"""
SCORES = {  # of each ranking, for programs that err by nothing, 5 % and 50 %
    "A, exact, arbitrary precision": (3, 1, 1),
    "B, exact, small loss of precision": (3, 1, 1),
    "C, approximate": (3, 3, 3),
    "D, heuristic": (3, 3, 1),
}


def test_each_ranking_has_its_error(tmp_path: Path, harness: Harness) -> None:
    for name, formula in zip("abc", FORMULAS, strict=True):
        formula.write(tmp_path / f"{name}.cnf")
    (tmp_path / "p.py").write_text(PROGRAM)
    names = ("exact", "five", "half")
    command = f"{sys.executable} {tmp_path}/p.py"
    words = [w for n in names for w in ("-b", f"mcc:{n}", "--program", f"{n}={command} {n} {{cnf}}")]
    files = [tmp_path / f"{name}.cnf" for name in "abc"]
    harness("run", *files, "--count", "all", *words, "-o", tmp_path / "j.sqlite")
    done = harness("report", tmp_path / "j.sqlite", "--rules", "mcc-2022", "--json", "-")
    found = {
        one["event"]: {c["name"].partition("/")[0]: (c["score"], c["wrong"]) for c in one["contenders"]}
        for one in json.loads(done.out)["competition"]["rankings"]
    }
    assert {event: tuple(found[event][f"mcc:{n}"][0] for n in names) for event in SCORES} == SCORES
    out = {event: tuple(found[event][f"mcc:{n}"][1] for n in names) for event in SCORES}
    assert out.pop("A, exact, arbitrary precision") == (False, True, True)
    assert set(out.values()) == {(False, False, False)}


NEAR = {
    "near:0": ({100}, {101}),
    "near:20": ({80, 120}, {79, 121}),
    "near:x1.8": ({56, 180}, {55, 181, -100}),
}


@pytest.mark.parametrize("margin", NEAR)
def test_a_value_is_near_within_its_margin(margin: str) -> None:
    for values, near in zip(NEAR[margin], (True, False), strict=True):
        assert all(is_near(value, 100, score_name(margin)) == near for value in values)


@pytest.mark.parametrize("text", ["near:x0.5", "near:-1", "near:x", "near:1e3"])
def test_other_margins_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no score"):
        score_name(text)
