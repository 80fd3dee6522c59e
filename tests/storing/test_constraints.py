"""Problems of a journal with constraints of every kind: read again, and refused if their data are not a kind's."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backends.contract.kind_cases import KIND_CASES
from harness.cli import main
from harness.model.errors import BadUsage
from harness.storing.journal import Journal
from puzzles.constraints import kinds
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import Integers

SUM = ("gt", ("add", ("var", 0), ("number", 1)), ("var", 1))
EVERY: tuple[Constraint, ...] = (
    AllDifferent(((0, 1),)),
    Automaton(((0, 1),), ((0, 1, 1), (1, 2, 10**12)), 0, (10**12,)),
    Cardinality((((0, 1), (1,), (2,), False),)),
    Circuit((((0, 1), 1, ">", 2),)),
    Clauses.of([(1, -2)]),
    Count((((0, 1), (1, 2), ">=", 2),)),
    Cumulative((((0, 1), (2, 2), (1, 2), 0),)),
    Element((((0, 1), 2, 0, 0),)),
    Expression((SUM, ("in", ("var", 0), ("set", 1, 2)))),
    Lex((((0,), (1,), "<="),)),
    Linear.of([((1, 1), (0, 1), "<=", 3)]),
    MinMax((("minimum", (0, 1), "=", 2),)),
    NoOverlap(((((0, 1), (1, 2)), ((2, 2), (0, 1)), False),)),
    NValues((((0, 1), (), "=", 2),)),
    Table.of([(0, 1)], [(1, STAR), (0, 2)]),
    UnsupportedParts(("stretch",)),
)


def stored(path: Path, *constraints: Constraint) -> Path:
    """Return a journal with one problem of three variables from 0 to 2."""
    problem = Problem("p", ("a", "b", "c"), Integers(range(3)), constraints)
    with Journal.create(path) as journal:
        journal.corpora.add("corpus", [Instance("p", problem, problem.open)])
    return path


def test_a_journal_with_every_kind_is_opened_again(tmp_path: Path) -> None:
    problems = [Problem("p", ("a", "b", "c"), Integers(range(3)), EVERY), *(case.problem for case in KIND_CASES)]
    assert {part.kind for problem in problems for part in problem.constraints} == set(kinds())
    with Journal.create(tmp_path / "j") as journal:
        journal.corpora.add("corpus", [Instance(problem.name, problem, problem.open) for problem in problems])
    with Journal.open(tmp_path / "j") as journal:
        for number, problem in enumerate(problems, 1):
            assert journal.instances.get(number).problem == problem


def test_a_problem_without_variables_may_have_a_solution(tmp_path: Path) -> None:
    (tmp_path / "empty.cnf").write_text("p cnf 0 0\n")
    journal = str(tmp_path / "j")
    assert main(["run", str(tmp_path / "empty.cnf"), "-b", "native", "-o", journal]) == 0
    assert main(["report", journal]) == 0


def deep(depth: int) -> Any:
    tree: Any = ("var", 0)
    for _ in range(depth):
        tree = ("neg", tree)
    return tree


@pytest.mark.parametrize(
    "constraint",
    [
        AllDifferent(((0, 3),)),
        Automaton(((0, 3),), ((0, 1, 1),), 0, (1,)),
        Automaton(((0, 1),), ((0, 1),), 0, (1,)),  # type: ignore[arg-type]
        Automaton(((0, 1),), (), "a", ()),  # type: ignore[arg-type]
        Cardinality((((0, 1), (1, 2), (2,), False),)),
        Cardinality((((0, 1), (1,), (2,), 1),)),  # type: ignore[arg-type]
        Circuit((((0, 3), 0, "=", 2),)),
        Circuit((((0, 1), 0, "~", 2),)),
        Circuit((((0, 1), 1 << 64, "=", 2),)),
        Clauses.of([(4,)]),
        Count((((0, 1), (1,), "~", 2),)),
        Count((((0, 1), (1 << 64,), "=", 2),)),
        Cumulative((((0, 1), (2, 2), (1, 2), 3),)),
        Cumulative((((0, 1), (2,), (1, 2), 0),)),
        Cumulative((((0, 1), (2, 2), (1, 0.5), 0),)),  # type: ignore[arg-type]
        Element((((0, 1), -1, 0, 0),)),
        Expression((("system", ("var", 0)),)),
        Expression((("sub", ("var", 0)),)),
        Expression((("var", 7),)),
        Expression(((),)),
        Expression((deep(300),)),
        Expression((("gt", ("pow", ("number", 10), ("pow", ("number", 9), ("number", 9))), ("var", 0)),)),
        Expression((("pow", ("number", 1 << 62), ("number", 1 << 62)),)),
        Lex((((0,), (1, 2), "<="),)),
        MinMax((("minimum", (), "=", 2),)),
        NoOverlap(((((0,), (1,)), ((2,), (3,)), False),)),
        NoOverlap(((((0,), (1,)), ((2,),), False),)),
        NoOverlap(((((0,), (1, 2)), ((2,), (0, 1)), False),)),
        NoOverlap(((((0,), (1,)), ((2,), (2,)), 1),)),  # type: ignore[arg-type]
        NValues((((0, 1), (), "=", 0.5),)),  # type: ignore[arg-type]
        Table(((0, 1),), np.arange(3)),
        Table((), np.arange(2)),
        Table(((),), np.arange(2)),
        Table(((0,),), [1, 2]),  # type: ignore[arg-type]
    ],
)
def test_a_constraint_that_no_reader_writes_is_refused_in_one_line(tmp_path: Path, constraint: Constraint) -> None:
    path = stored(tmp_path / "j", constraint)
    with pytest.raises(BadUsage, match="damaged one") as refused, Journal.open(path):
        pass
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace(json.dumps(SUM[1], separators=(",", ":")), '["neg",' * 100_000 + "1" + "]" * 100_000),
        lambda text: text.replace('"expression"', '"no such kind"'),
        lambda text: text.replace('"range":[0,3]', '"integers":[0,0.5,2]'),
        lambda text: text.replace('"range":[0,3]', '"integers":["0","1","2"]'),
        lambda text: text.replace('"range":[0,3]', '"range":[0,1000000000000]'),
    ],
)
def test_damaged_text_of_a_problem_is_refused_in_one_line(tmp_path: Path, damage: Callable[[str], str]) -> None:
    path = stored(tmp_path / "j", Expression((SUM,)))
    db = sqlite3.connect(path)
    (text,) = db.execute("select content from problems").fetchone()
    text = bytes(text).decode()
    assert damage(text) != text
    db.execute("update problems set content = ?", (damage(text).encode(),))
    db.commit()
    db.close()
    with pytest.raises(BadUsage) as refused, Journal.open(path):
        pass
    assert len(str(refused.value).splitlines()) == 1
