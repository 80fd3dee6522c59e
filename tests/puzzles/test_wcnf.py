"""WCNF files of both forms: hard clauses are constraints, soft ones the objective, as an evaluation of the text says.

evaluated  a reading of its own: the best cost of a text by trying every assignment, None if no hard clause can hold
"""

import gzip
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.constraints.clauses import Clauses
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Instance, Problem
from puzzles.problem.columns import pack, valid
from puzzles.problem.dumped import dump
from puzzles.stored import load

OLD = "c a comment\np wcnf 4 5 16\n16 1 -2 0\n3 -1 0\nc another\n17 0\n1 2 3 0\n16 3 -4 4 0\n"
NEW = "c a comment\nc{\nc}\nh 1 -2 0\n3 -1 0\nc another\nh 0\n1 2 3 0\nh 3 -4 4 0\n"
HARD = ((1, -2), (), (3, -4, 4))
SOFT = [(3, [-1]), (1, [2, 3])]
MOST = (1 << 63) - 1
Row = tuple[int, list[int]]  # a weight, 0 for a hard clause, and literals


def instance(
    path: Path, content: str | bytes, notes: list[str] | None = None, ignored: bool = False
) -> Instance[Problem]:
    """Return the instance of a file."""
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    notify = notes.append if notes is not None else str
    (found,) = read(path, ReaderOptions(notify=notify, ignore_objective=ignored))
    return found


def hard(found: Instance[Problem]) -> tuple[tuple[int, ...], ...]:
    (clauses,) = found.problem.constraints
    assert isinstance(clauses, Clauses)
    return clauses.rows


def soft(found: Instance[Problem]) -> list[Row]:
    goal = found.problem.objective
    assert goal is None or isinstance(goal, SoftClauses)
    return goal.rows if goal else []


def best(found: Instance[Problem]) -> int | None:
    """Return the least value of a solution, of all that there are."""
    problem = found.problem
    every = np.array(list(product((0, 1), repeat=len(problem.variables))), np.uint16)
    held = every[valid(problem, pack(problem, [found.domains]), every)]
    if not len(held):
        return None
    return min(problem.objective.values(held, problem).tolist()) if problem.objective else 0


def evaluated(rows: list[Row], variables: int) -> int | None:
    costs = []
    for bits in product((False, True), repeat=variables):
        false = [weight for weight, literals in rows if not any(bits[abs(x) - 1] == (x > 0) for x in literals)]
        if 0 not in false:
            costs.append(sum(false))
    return min(costs, default=None)


def text_of(rows: list[Row], top: int | None) -> str:
    """Write clauses in the older form with a top, or else in the newer one."""
    mark = "h" if top is None else str(top)
    lines = [f"{weight or mark} {' '.join(map(str, [*literals, 0]))}\n" for weight, literals in rows]
    return ("" if top is None else f"p wcnf 4 {len(rows)} {top}\n") + "".join(lines)


@pytest.mark.parametrize("content", [OLD, NEW, gzip.compress(NEW.encode(), mtime=0), OLD.replace("\n", "\r\n")])
def test_hard_clauses_are_constraints_and_soft_ones_the_objective(tmp_path: Path, content: str | bytes) -> None:
    notes: list[str] = []
    path = tmp_path / "noname"
    found = instance(path, content, notes)
    assert (len(found.problem.variables), hard(found), soft(found)) == (4, HARD, SOFT)
    assert notes == []
    assert found.source is not None
    assert (found.source.path, found.source.format) == (path, "wcnf")
    again = load(dump(found.problem))
    assert again == found.problem
    assert again.objective is not None


@pytest.mark.parametrize(
    ("content", "expected", "soft_rows"),
    [
        ("p wcnf 2 2\n3 1 0\n4 -2 0\n", (), [(3, [1]), (4, [-2])]),
        ("p wcnf 2 2 18446744073709551615\n18446744073709551615 1 0\n7 -2 0\n", ((1,),), [(7, [-2])]),
        (
            "p wcnf 2 2 9223372036854775808\n0009223372036854775808 1 0\n9223372036854775807 -2 0\n",
            ((1,),),
            [(MOST, [-2])],
        ),
        ("5 1 0\n\n6 2 -1 0\nh 1 2 0\n", ((1, 2),), [(5, [1]), (6, [2, -1])]),
        ("h 1 0\nh 2 0", ((1,), (2,)), []),
        ("c{\n5 1 0\nc h 9 0\n007 2 0", (), [(5, [1]), (7, [2])]),
        ("0 -2 0\n0 0\nh 1 0\n3 0\n", ((1,),), [(3, [])]),
        ("c nothing but these\n0 2 0\n0 0\n", (), []),
        (f"{MOST} 1 -2 0\n{MOST} 2 0\n{MOST - 1} 0\n", (), [(MOST, [1, -2]), (MOST, [2]), (MOST - 1, [])]),
        ("c\t\n h\t1\t 2 0 \r\n\t3  1 -1 0\n", ((1, 2),), [(3, [1, -1])]),
    ],
    ids=[
        "without a top",
        "the largest top",
        "a top beyond 64 bits with zeros",
        "soft clauses first",
        "hard clauses alone",
        "soft clauses alone, without a minus",
        "weight 0, empty soft clauses",
        "weight 0 alone",
        "the largest weights",
        "blanks and a tautology",
    ],
)
def test_forms_of_wcnf(tmp_path: Path, content: str, expected: object, soft_rows: list[Row]) -> None:
    notes: list[str] = []
    found = instance(tmp_path / "a.wcnf", content, notes)
    assert (len(found.problem.variables), hard(found), soft(found)) == (2, expected, soft_rows)
    assert notes == []
    assert found.source is not None
    assert found.problem.objective is not None


def test_sums_are_exact_at_any_size(tmp_path: Path) -> None:
    found = instance(tmp_path / "a.wcnf", f"{MOST} 0\n{MOST} 1 0\n{MOST - 4} -1 0\n")
    assert best(found) == 2 * MOST - 4
    assert found.problem.objective is not None
    assert found.problem.objective.bounds(found.domains, found.problem) == (0, 3 * MOST - 4)


def test_the_first_clause_tells_a_wcnf_file_or_else_its_name(tmp_path: Path) -> None:
    rows: list[Row] = [(3, [1, 2]), (4, [2, -1])]
    assert soft(instance(tmp_path / "noname", "c 1\n" + text_of(rows, None))) == rows
    assert soft(instance(tmp_path / "a.WCNF", text_of(rows[:1], None))) == rows[:1]
    assert soft(instance(tmp_path / "a.wcnf.gz", gzip.compress(text_of(rows[:1], None).encode()))) == rows[:1]
    board = "4 3 2 0\n0 0 0 0\n0 0 0 1\n0 0 4 0\n"
    (tmp_path / "b.txt").write_text(board)
    assert len(next(read(tmp_path / "b.txt")).domains) == 16


def test_a_file_without_clauses_is_an_instance_with_a_note(tmp_path: Path) -> None:
    notes: list[str] = []
    path = tmp_path / "a.wcnf"
    for content in ("", "c nothing\n"):
        found = instance(path, content, notes)
        assert (len(found.problem.variables), hard(found), soft(found)) == (0, (), [])
    assert notes == [f"{path}: no clauses"] * 2


literals = st.lists(st.integers(1, 4).flatmap(lambda x: st.sampled_from([x, -x])), max_size=4)
clauses = st.lists(st.tuples(st.integers(0, 4) | st.integers(MOST - 9, MOST), literals), min_size=1, max_size=9)


@given(clauses, st.sampled_from([None, MOST + 1, (1 << 64) - 1]))
def test_the_optimum_is_that_of_the_text(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row], top: int | None
) -> None:
    path = tmp_path_factory.mktemp("w") / "a.wcnf"
    used = max((abs(x) for _, row in rows for x in row), default=0)
    found = instance(path, text_of(rows, top))
    assert len(found.problem.variables) == (used if top is None else 4)
    assert best(found) == evaluated(rows, len(found.problem.variables))
    assert hard(found) == tuple(tuple(row) for weight, row in rows if not weight)
    assert soft(found) == [(weight, row) for weight, row in rows if weight]


@given(clauses, st.integers(1, 40))
def test_blocks_of_any_size_give_the_same_instance(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row], block: int
) -> None:
    path, text = tmp_path_factory.mktemp("w") / "a.wcnf", text_of(rows, None)
    whole = instance(path, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzles.readers.wcnf.BLOCK_BYTES", block)
        assert instance(path, text).problem == whole.problem


@pytest.mark.parametrize(
    ("content", "place", "why"),
    [
        ("p wcnf 2 2 5\n5 1 0\n5 3 0\n", "3:3", "literal 3, but variables are 1 to 2"),
        ("p wcnf 2 2 5\n5 1 0\nh 1 0\n", "3:1", "'h' is not a weight"),
        ("5 1 0\n1 2 0\np wcnf 2 1 5\n", "3", "'p wcnf' after the first clause"),
        ("p wcnf 2 1 5\np wcnf 2 1 5\n", "2", "expected 'p wcnf VARIABLES CLAUSES [TOP]', once"),
        ("h 1 0\n-1 2 0\n", "2:1", "'-1' is not a weight or h"),
        ("h 1 0\n1.5 2 0\n", "2:1", "'1.5' is not a weight or h"),
        ("h 1 0\nc\n3 x1 0\n", "3:3", "'x1' is not a literal"),
        ("h 1 0\n3 h 0\n", "2:3", "'h' is not a literal"),
        ("h 1 0\nh3 1 0\n", "2:1", "'h3' is not a weight or h"),
        ("h 1 0\n3h 1 0\n", "2:1", "'3h' is not a weight or h"),
        ("h 1 0\n3 1 2\n", "2", "ends in 0 on each line"),
        ("h 1 0\n3 1 0 2 0\n", "2", "ends in 0 on each line"),
        ("h 1 0\n3\n", "2", "ends in 0 on each line"),
        ("h 1 0\nh", "2", "ends in 0 on each line"),
        (f"h 1 0\n{MOST + 1} 1 0\n", "2:1", f"weight '{MOST + 1}': at most {MOST} is read"),
        (f"h 1 0\n{'9' * 5000} 1 0\n", "2:1", f"at most {MOST} is read"),
        (f"p wcnf 2 1 {MOST + 2}\n{MOST + 1} 1 0\n", "2:1", f"at most {MOST} is read"),
        ("h 1 0\n3 9223372036854775807 0\n", "2:3", "'9223372036854775807' is not a literal"),
        ("h 1 0\np cnf 1 1\n", "2", "expected 'p wcnf"),
        ("p wcnf 99999999999 1 5\n", "1", "at most"),
        ("5 3 . .\n", "1:5", "'.' is not a literal"),
    ],
)
def test_wrong_files_are_refused_with_their_place(tmp_path: Path, content: str, place: str, why: str) -> None:
    path = tmp_path / "a.wcnf"
    with pytest.raises(BadInput) as refused:
        instance(path, content)
    assert str(refused.value).startswith(f"{path}:{place}: ")
    assert why in str(refused.value)


def test_an_ignored_objective_leaves_the_hard_clauses_and_no_file_for_programs(tmp_path: Path) -> None:
    path = tmp_path / "a.wcnf"
    found = instance(path, NEW, ignored=True)
    assert (hard(found), soft(found), found.source) == (HARD, [], None)
    assert found.problem != instance(path, NEW).problem
