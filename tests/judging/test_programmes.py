"""Rows that a solver received, made again and compared with the instance's own."""

from pathlib import Path
from typing import Any

import pytest

import encoders.zero_one
from encoders.formula import Constraints
from encoders.registry import spec
from encoders.zero_one.rows import ZeroOneRows
from harness.judging.checkers.pseudo_boolean import check as pseudo_boolean
from harness.judging.checkers.pseudo_boolean.programme import improving, row
from harness.judging.formulas import programmes
from harness.judging.formulas.programmes import ReceivedAs, instance_rows, opb_text, received
from harness.model.outcome import CERTIFIED, REFUSED
from puzzles.formats import read
from puzzles.problem import Instance

WCNF = "h 1 2 0\nh -1 3 0\n3 -1 0\n4 -2 -3 0\n5 1 2 3 0\n2 2 0\n"
OPB = "* #variable= 2 #constraint= 2\nmax: +3 x1 -2 ~x2 ;\n+2 x1 +1 x2 <= 2 ;\n+1 x1 +1 x2 = 1 ;\n"


def instance_of(folder: Path, name: str, text: str) -> Instance[Any]:
    (folder / name).write_text(text)
    (instance,) = read(folder / name)
    return instance


def found(instance: Instance[Any], source: ReceivedAs = ReceivedAs.ROWS) -> programmes.Received:
    formula = spec("alldifferent").formula(instance.problem, instance.domains)
    assert isinstance(formula, Constraints)
    return received(instance.problem, instance.domains, formula, (), source)


@pytest.mark.parametrize(("name", "text"), [("a.wcnf", WCNF), ("a.opb", OPB)])
def test_the_rows_of_our_encoders_are_of_the_instance(tmp_path: Path, name: str, text: str) -> None:
    assert found(instance_of(tmp_path, name, text)).derived


@pytest.mark.parametrize(("name", "text"), [("a.wcnf", WCNF), ("a.opb", OPB)])
def test_a_row_that_the_instance_lacks_leaves_a_proof_of_the_formula(
    tmp_path: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = encoders.zero_one.programme_of

    def stricter(*arguments: Any) -> tuple[ZeroOneRows, Any]:
        rows, goal = made(*arguments)
        rows.rows[-1] = rows.rows[-1]._replace(bound=rows.rows[-1].bound + 1)
        return rows, goal

    monkeypatch.setattr(programmes, "programme_of", stricter)
    assert not found(instance_of(tmp_path, name, text)).derived


def test_a_soft_clause_of_several_literals_has_a_variable_and_one_literal_its_own(tmp_path: Path) -> None:
    instance = instance_of(tmp_path, "a.wcnf", WCNF)
    own = instance_rows(instance.problem, instance.domains)
    assert own
    assert own.goal
    assert (own.variables, own.goal.constant) == (5, 4 + 5 + 2)  # 3 -1: x1 costs 3; 2 2: x2 saves 2
    assert own.goal.terms == {1: 3, 4: -4, 5: -5, 2: -2}
    assert row([(1, -2), (1, -3), (-1, 4)], 0) in own.rows


def test_the_file_of_an_instance_has_its_rows_in_order_equations_as_two(tmp_path: Path) -> None:
    programme = found(instance_of(tmp_path, "a.opb", OPB), ReceivedAs.ORIGINAL).programme
    assert programme.rows == (row([(-2, 1), (-1, 2)], -2), row([(1, 1), (1, 2)], 1), row([(-1, 1), (-1, 2)], -1))
    assert opb_text(programme).decode().splitlines()[1:] == [
        "min: -3 x1 -2 x2 ;",
        "+2 ~x1 +1 ~x2 >= 1 ;",
        "+1 x1 +1 x2 >= 1 ;",
        "+1 ~x1 +1 ~x2 >= 1 ;",
    ]


def test_the_bound_excludes_solutions_of_the_best_value() -> None:
    assert improving({1: 3, 2: -2}, 1) == row([(-3, 1), (2, 2)], 0)


@pytest.mark.parametrize("value", [1, 0, 2])
def test_bounds_in_a_proof_have_the_constant_of_negated_literals(tmp_path: Path, value: int) -> None:
    """A file's objective of negated literals has a constant, which the values in a proof about that file have too."""
    instance = instance_of(
        tmp_path, "a.opb", "* #variable= 2 #constraint= 1\nmin: +1 ~x1 +1 ~x2 ;\n-1 x1 -1 x2 >= -1 ;\n"
    )
    formula = spec("alldifferent").formula(instance.problem, instance.domains)
    assert isinstance(formula, Constraints)
    programme, derived = received(instance.problem, instance.domains, formula, [(0, 1)], ReceivedAs.ORIGINAL)
    assert (derived, programme.best, programme.offset) == (True, -1, 2)
    end = f"output NONE ;\nconclusion BOUNDS {value} 1 : ~x1 x2 ;\nend pseudo-Boolean proof ;\n"
    proof = f"pseudo-Boolean proof version 3.0\nf 1 ;\n{end}".encode()
    for check in (pseudo_boolean.check, pseudo_boolean.check_exactly):
        assert check(programme, proof)[0] == (CERTIFIED if value == 1 else REFUSED)
