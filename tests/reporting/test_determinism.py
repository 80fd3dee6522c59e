"""Determinism: what differs between repeats is listed; only what cannot both be right accuses anybody."""

import shlex
import sys
from pathlib import Path

import pytest

from harness.reporting.views.determinism import RepeatAnswer, differences
from tests.conftest import Harness
from tests.programs import OPB

# With two cores the first solution is "the optimum" of the one file with five variables.
WORSE = OPB.replace("text = open(", "worse = sys.argv[1] == '2'\ntext = open(").replace(
    "value(goal, found) < least:", "value(goal, found) < least and not (worse and size == 5):"
)
# With two cores each second run of a file has another one of the solutions that are equally good.
ORDER = """\
import os, sys
seen = sys.argv[2] + os.path.basename(sys.argv[-1])
again = sys.argv[1] == '2' and os.path.exists(seen)
if sys.argv[1] == '2': os.remove(seen) if again else open(seen, 'w').close()
""" + OPB.replace("value(goal, found) < least:", "value(goal, found) < least + again:")


def answer(status: str, value: str = "", solution: str = "", decided: bool = True, **counters: int) -> RepeatAnswer:
    return RepeatAnswer(status, decided, value, solution, counters)


def test_fields_that_differ_are_listed_and_contradictions_told_apart() -> None:
    found = differences("a", "i", [answer("satisfiable", solution="x"), answer("satisfiable", solution="y")])
    assert [(d.field, d.values, d.contradiction) for d in found] == [("solution", ("x", "y"), False)]
    found = differences("a", "i", [answer("satisfiable", conflicts=1), answer("unsatisfiable", conflicts=2)])
    assert [(d.field, d.contradiction) for d in found] == [("status", True), ("conflicts", False)]
    found = differences("a", "i", [answer("optimal", "3"), answer("optimal", "4")])
    assert [(d.field, d.contradiction) for d in found] == [("value", True)]


def test_undecided_repeats_and_unproved_values_are_no_contradictions() -> None:
    found = differences("a", "i", [answer("timeout", decided=False), answer("unsatisfiable")])
    assert [(d.field, d.values, d.contradiction) for d in found] == [("undecided", ("timeout", "unsatisfiable"), False)]
    found = differences("a", "i", [answer("satisfiable", "3", decided=False), answer("optimal", "2")])
    assert [(d.field, d.contradiction) for d in found] == [("undecided", False), ("value", False)]
    assert differences("a", "i", [answer("timeout", decided=False)] * 2) == []


@pytest.mark.slow
def test_planted_faults_of_two_cores_are_found_and_an_order_of_threads_is_not_accused(
    harness: Harness, tmp_path: Path
) -> None:
    words = ["--audit-determinism", 2, "--no-pin", "-w", 0]
    for name, text in (("worse", WORSE), ("order", ORDER)):
        (tmp_path / f"{name}.py").write_text(text)
        state = f" {tmp_path / 'seen'}" if name == "order" else ""
        words += ["--program", f"{name}={shlex.quote(sys.executable)} -S {tmp_path / name}.py {{cores}}{state} {{opb}}"]
    (tmp_path / "opb").mkdir()
    for i in range(20):
        n = 5 if i == 13 else 4
        costs = " ".join(f"+{1 + i % 2 * j} x{j + 1}" for j in range(n))  # equal ones in each second file
        rows = f"min: {costs} ;\n+1 x1 +1 x2 >= 1 ;\n+1 x3 +1 x{n} >= 1 ;\n"
        (tmp_path / "opb" / f"{i:02}.opb").write_text(f"* #variable= {n} #constraint= 2\n{rows}")
    done = harness("run", "opb", "-b", "opb:worse[cores=1|2],opb:order[cores=1|2]", *words, "--json", "-", "-o", "j")
    assert done.code == 1
    (wrong,) = done.summary["agreement"]["disagreements"]
    assert (wrong["puzzle"], wrong["contenders"], wrong["alarm"]) == ("13.opb", ["opb:worse[cores=2]"], "optimum")
    audited = {a["contender"]: a for a in done.summary["determinism"]}
    assert all(a["instances"] == 20 for a in audited.values())
    assert not any(d["contradiction"] for a in audited.values() for d in a["differences"])
    assert {name for name, a in audited.items() if a["differences"]} == {"opb:order[cores=2]"}
    assert {d["field"] for d in audited["opb:order[cores=2]"]["differences"]} == {"solution"}
    (shrink,) = [line for line in harness("report", "j").out.splitlines() if line.startswith("WRONG:")]
    assert "13.opb: says that" in shrink
    programs = words[5:7]
    small = harness(
        "shrink", "opb/13.opb", "-b", "opb:worse[cores=2]", "-b", "opb:worse[cores=1]", *programs, "--seconds", 3
    )
    assert (small.code, "opb:worse[cores=2]: not optimal" in small.out, "blame:" in small.out) == (1, True, False)
