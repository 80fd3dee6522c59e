"""Problems whose domains are ranges: content, columns, the exact check, and what readers make of wide variables."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from harness.judging.exhaustive import right_assignments
from puzzles.constraints.linear import Linear
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.generating.problems import ranged_problem
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.check import violations
from puzzles.problem.columns import index_type, pack, unpack, valid
from puzzles.problem.content import values_from_json, values_to_json
from puzzles.problem.dumped import dump
from puzzles.problem.values import IntegerRange, Integers, bounded, ends_of, holds, size_of
from puzzles.stored import load
from tests.conftest import Harness
from tests.puzzles.test_flatzinc import one

FAR = 1 << 62
DRAWN = [ranged_problem(Random(f"columns {seed}")) for seed in range(40)]


def wide(*rows: tuple[list[int], list[int], str, int]) -> Problem:
    """Return sums of three variables over -2 ** 62 + 2 to 2 ** 62."""
    goal = LinearObjective.of({0: 5, 1: -(1 << 40)})
    return Problem("wide", ("x", "y", "z"), IntegerRange(range(2 - FAR, FAR + 1)), (Linear.of(rows),), objective=goal)


def index(number: int) -> int:
    return number + FAR - 2


def test_a_range_is_the_same_again_from_its_content_and_is_no_table_of_the_same_numbers() -> None:
    problem = wide(([1, 1], [0, 1], ">=", 3))
    assert load(dump(problem)) == problem
    assert values_from_json(values_to_json(problem.values)) == problem.values
    few = Problem("few", ("x",), Integers(range(9)), ())
    assert replace(few, values=IntegerRange(range(9))).digest != few.digest
    assert problem.ranged
    assert not few.ranged


def test_bounds_of_a_domain_are_a_pair_of_words() -> None:
    problem = wide()
    first, last = index(-7), index(FAR)
    domains = (bounded(first, last), problem.full, 0)
    column = pack(problem, [domains])
    assert column.tolist() == [[[first, last + 1], [0, 2 * FAR - 1], [0, 0]]]
    assert unpack(column) == [domains]
    assert ends_of(domains[0], problem.values) == (first, last)
    assert size_of(domains[0], problem.values) == FAR + 8
    found = [holds(domains[0], v, problem.values) for v in (first - 1, first, last, last + 1)]
    assert found == [False, True, True, False]
    assert problem.open == (problem.full,) * 3


def test_sums_are_exact_beyond_64_bits() -> None:
    """3 * (2 ** 62) + 1 wraps to a small number in 64 bits."""
    problem = wide(([3, 1], [0, 1], "=", 3 * FAR + 1))
    good, bad = ((index(FAR), index(n), index(0)) for n in (1, 2))
    solutions = np.array([good, bad], index_type(problem))
    assert valid(problem, pack(problem, [problem.open] * 2), solutions).tolist() == [True, False]
    assert violations(problem, problem.open, bad) == [f"sum 1 is {3 * FAR + 2}: +3 x +1 y = {3 * FAR + 1}"]
    assert problem.objective is not None
    assert problem.objective.values(solutions, problem).tolist() == [5 * FAR - n * (1 << 40) for n in (1, 2)]


@pytest.mark.parametrize("instance", DRAWN)
def test_columns_are_checked_as_single_solutions_are(instance: Instance[Problem]) -> None:
    problem, random = instance.problem, Random(0)
    right = right_assignments(problem, instance.domains, 1000)
    assert right is not None
    some = [tuple(random.randrange(len(problem.values)) for _ in instance.domains) for _ in range(5)]
    tried = [*map(tuple, right.tolist()), *some, (len(problem.values),) * len(instance.domains)]
    column = np.array(tried, index_type(problem))
    found = valid(problem, pack(problem, [instance.domains] * len(tried)), column).tolist()
    assert found == [not violations(problem, instance.domains, solution) for solution in tried]
    assert all(found[: len(right)])


WEEK = """
var 0..604800: a :: output_var;
var {0, 5, 600000}: b :: output_var;
var int: end :: output_var;
constraint int_lin_le([1,-1],[a,b],-100);
constraint int_lin_eq([1,1,-1],[a,b,end],0);
constraint array_int_maximum(end,[a,b]);
solve satisfy;
"""


def test_a_wide_variable_makes_ranges_of_all_and_gaps_a_constraint(tmp_path: Path) -> None:
    problem = (instance := one(tmp_path / "a.fzn", WEEK)).problem
    values = problem.values
    assert isinstance(values, IntegerRange)
    ends = [tuple(values.numbers[v] for v in ends_of(domain, values)) for domain in instance.domains[:3]]
    assert dict(zip(problem.variables, ends, strict=False)) == {
        "a": (0, 599900),
        "b": (0, 600000),
        "end": (100, 600000),
    }
    assert ("in", ("var", 1), ("set", 0, 5, 600000)) in problem.constraints[-1].rows  # type: ignore[attr-defined]


def test_variables_that_nothing_bounds_are_named(tmp_path: Path) -> None:
    text = "var int: x;\nvar int: y;\nconstraint int_lin_le([1,-1],[x,y],5);\nsolve satisfy;\n"
    assert unsupported_parts(one(tmp_path / "a.fzn", text).problem) == "integer variables without bounds, such as x"


def test_a_file_of_clauses_and_a_trace_name_the_binary_digits_of_a_wide_integer(
    tmp_path: Path, harness: Harness
) -> None:
    (tmp_path / "a.fzn").write_text(
        "var 7..1000000: x;\nvar 0..1: y;\nconstraint int_lin_le([-1,-1],[x,y],-12);\nsolve minimize x;\n"
    )
    assert harness("encode", tmp_path, "--to", "wcnf", "-o", f"{tmp_path}/out/").code == 0
    made = json.loads((tmp_path / "out" / "a.fzn.wcnf.map.json").read_text())["variables"]
    first, digits = made["x"]["from"], made["x"]["bits"]
    assert first >= 7
    assert first + 2 ** len(digits) > 1_000_000
    assert f"c x {first} {' '.join(map(str, digits))}\n" in (tmp_path / "out" / "a.fzn.wcnf").read_text()
    traced = harness("trace", tmp_path / "a.fzn", "-b", "native:cdcl")
    assert (traced.code, "optimum 11" in traced.out) == (0, True), traced.err
