"""MiniZinc: its answers in all forms, its solvers, and small problems of every kind of constraint."""

import shutil
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.answer import Reason, Status, Unsupported
from backends.contract.conformance import Effort, check
from backends.minizinc import MiniZinc, ModelNotation, backends
from backends.programs.process import ProgramFailed
from encoders.direct import constraints
from encoders.minizinc import minizinc
from puzzles.constraints.expression import Expression
from puzzles.problem import Problem
from puzzles.problem.values import Integers, Numbered
from tests.backends.kind_checks import answered, faults_of_kinds, hard_pigeons

installed = pytest.mark.skipif(shutil.which("minizinc") is None, reason="minizinc is not on the PATH")
PAIR = constraints(Problem("pair", Numbered("x", 2), Integers((-1, 0, 4)), ()))


def test_answers_of_minizinc_are_read() -> None:
    notation = ModelNotation(PAIR)
    assert notation.parse(b"v 4 -1\n----------\n==========\n", (7, 7), False) == (10, [2, 0])
    assert notation.parse(b"v 4 9\n----------\n", (7, 7), False) == (10, [2, 3]), "a wrong value is left to the judge"
    assert notation.parse(b"=====UNSATISFIABLE=====\n", (7, 7), False) == (20, [])
    assert notation.parse(b"=====UNKNOWN=====\n", (7, 7), False) == (0, [])
    assert notation.parse(b"Error: no such solver\n", (7, 7), False) == (None, [])


@pytest.mark.parametrize("line", [b"v 4", b"v 4 0 0", b"4 0", b""])
def test_a_line_of_the_wrong_length_is_an_error(line: bytes) -> None:
    with pytest.raises(ProgramFailed, match=r"values? for 2 variables"):
        ModelNotation(PAIR).parse(line + b"\n----------\n", (7, 7), False)


def test_what_a_division_needs_is_a_constraint_of_its_own() -> None:
    tree = ("or", ("eq", ("div", ("var", 0), ("var", 1)), ("number", 2)), ("eq", ("var", 0), ("number", -1)))
    form = constraints(Problem("p", Numbered("x", 2), Integers((-1, 0, 4)), (Expression((tree,)),)))
    lines = minizinc(form, (7, 6)).decode().splitlines()
    assert lines == [
        "var {-1, 0, 4}: v1;",
        "var {0, 4}: v2;",
        "constraint v2 != (0);",
        "constraint ((v1 div v2) = (2)) \\/ (v1 = (-1));",
        "solve satisfy;",
        'output ["v", " ", show(v1), " ", show(v2), "\\n"];',
    ]


def test_without_minizinc_it_is_listed_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (missing,) = backends()
    assert getattr(missing, "why", "") == "not found: apt install minizinc"


def test_numbers_beyond_its_integers_are_refused_by_name() -> None:
    form = constraints(Problem("p", Numbered("x", 1), Integers((0, 1 << 31)), ()))
    backend = MiniZinc("minizinc:some", "1", "some")
    with pytest.raises(Unsupported, match="minizinc:some takes no numbers above 2147483646"):
        backend.open(form)


@installed
@pytest.mark.programs
def test_gecode_conforms() -> None:
    assert check(registry.find("minizinc:gecode"), effort=Effort(1, False)) == []


@installed
@pytest.mark.programs
@pytest.mark.parametrize("kind", ["automaton", "circuit", "count", "cumulative", "expression", "nvalues"])
def test_all_solutions_are_found(kind: str) -> None:
    assert faults_of_kinds("minizinc:gecode", [kind], range(8), most=2) == []


@installed
@pytest.mark.programs
def test_a_search_without_end_is_a_timeout() -> None:
    answer = answered("minizinc:gecode", hard_pigeons(13), seconds=0.5)
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)
