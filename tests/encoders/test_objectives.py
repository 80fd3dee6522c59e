"""Written objectives: in every model of a formula or file, what it costs is the value of its solution."""

from collections.abc import Iterator
from itertools import count
from math import prod
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.sat.python import cp_model
from ortools.sat.python.cp_model import LinearExpr
from pysat.solvers import Solver

from backends.programs.known_programs import KNOWN
from backends.shared.literal_map import LiteralMap
from encoders.direct import constraints
from encoders.formula import Cnf, Constraints, Unsupported, Wcnf
from encoders.opb import opb, opb_programme
from encoders.registry import spec
from encoders.wcnf import shared_lines, wcnf
from encoders.xcsp3 import xcsp3
from encoders.zero_one.rows import Terms, literal_table
from puzzles.constraints.clauses import Clauses, split_clauses
from puzzles.constraints.expression import variables_of
from puzzles.constraints.linear import Linear
from puzzles.formats import read
from puzzles.generating.problems import KINDS, OBJECTIVES, random_problem
from puzzles.objectives import stated
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import BOOLEAN, Instance, Objective, Problem
from puzzles.problem.values import Integers, Numbered, Solution
from tests.definitions import solutions
from tests.effort import examples
from tests.optima import best_of_xcsp3

seeds = st.integers(0, 1 << 32)
X, Y, Z = (("var", x) for x in range(3))
FORMULA = Clauses.of([(1, 2, 3)])


def values(instance: Instance[Problem]) -> dict[Solution, int]:
    """Return the value of each solution by brute force."""
    found, goal = sorted(solutions(instance.problem, instance.domains)), instance.problem.objective
    assert goal is not None
    columns = np.array(found, np.uint32).reshape(len(found), len(instance.domains))
    return dict(zip(found, goal.values(columns, instance.problem).tolist(), strict=True))


def costs(instance: Instance[Problem], encoding: str) -> dict[Solution, set[int]]:
    """Return what the models of a formula with soft clauses cost, by solution."""
    form = spec(encoding).formula(instance.problem, instance.domains)
    assert isinstance(form, Wcnf)
    literals, every = LiteralMap(form.hard.literal), dict[Solution, set[int]]()
    soft = form.soft_rows()
    with Solver("minisat22", bootstrap_with=split_clauses(form.hard.clauses)) as solver:
        solver.append_formula([[k] for k in literals.true(instance.domains)])
        for k in range(1, form.hard.variables + 1):
            solver.add_clause([k, -k])
        while solver.solve():
            model = solver.get_model()
            true = set(model)
            cost = form.offset + sum(weight for weight, row in soft if true.isdisjoint(row))
            every.setdefault(literals.decode(model, instance.domains), set()).add(cost)
            solver.add_clause([-k for k in model])
    return every


def sums(instance: Instance[Problem]) -> dict[Solution, set[int]]:
    """Return the sums of an OPB file's objective, which is minimised, in the models of its rows, by solution."""
    form = constraints(instance.problem, instance.domains)
    literals = literal_table(form, instance.domains)
    rows, goal = opb_programme(form, instance.domains, literals)
    model, decoder, every = cp_model.CpModel(), LiteralMap(literals), dict[Solution, set[int]]()
    booleans = [model.new_bool_var("") for _ in range(rows.last)]
    for terms, bound, equal in rows.rows:
        total = LinearExpr.weighted_sum([booleans[k - 1] for k in terms], list(terms.values()))
        model.add(total == bound if equal else total >= bound)

    class Collector(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def on_solution_callback(self) -> None:
            held = [self.boolean_value(x) for x in booleans]
            true = [k if value else -k for k, value in enumerate(held, 1)]
            every.setdefault(decoder.decode(true, instance.domains), set()).add(value_of(goal, held))

    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.enumerate_all_solutions = 1, True
    assert solver.solve(model, Collector()) in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    return every


def value_of(goal: Terms | None, held: list[bool]) -> int:
    assert goal is not None
    assert 0 not in goal
    return sum(a for k, a in goal.items() if held[k - 1])


def drawn(seed: int, objective: str) -> Instance[Problem]:
    """Return a small problem with an objective."""
    random = Random(f"{seed} {objective}")
    kinds = random.sample(sorted(KINDS), random.choice((0, 1, 1, 2)))
    return random_problem(kinds, random, objective)


@pytest.mark.parametrize("encoding", ["direct", "order", "log"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_models_of_soft_clauses_cost_what_their_solutions_are_worth(encoding: str, objective: str) -> None:
    @given(seeds)
    @settings(max_examples=examples(40))
    def same(seed: int) -> None:
        instance = drawn(seed, objective)
        assert costs(instance, encoding) == {s: {value} for s, value in values(instance).items()}

    same()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_sums_of_opb_files_are_the_values_of_solutions(objective: str) -> None:
    @given(seeds)
    @settings(max_examples=examples(40))
    def same(seed: int) -> None:
        instance = drawn(seed, objective)
        assert sums(instance) == {s: {value} for s, value in values(instance).items()}

    same()


@pytest.mark.programs
@pytest.mark.skipif(KNOWN["ace"].words() is None, reason="ACE is not installed")
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_ace_finds_the_best_value_of_xcsp3_files(objective: str, seed: int, tmp_path: Path) -> None:
    instance, best = next(small(objective, seed))
    (tmp_path / "x.xml").write_bytes(xcsp3(constraints(instance.problem, instance.domains), instance.domains))
    assert best_of_xcsp3(tmp_path / "x.xml") == best


def small(objective: str, seed: int) -> Iterator[tuple[Instance[Problem], int]]:
    """Yield instances with the best value as the source states it, of those that ACE 2.6 reads.

    Their numbers are small, and no expression of one variable is always true.
    """
    for n in count():
        instance = random_problem(["all_different"], Random(f"{n} {seed}"), objective)
        found, goal = values(instance).values(), instance.problem.objective
        assert goal is not None
        if isinstance(goal, ExpressionObjective) and len(set(variables_of(goal.tree))) < 2:
            continue
        if len(set(found)) > 1 and goal.bounds(instance.domains, instance.problem)[1] < 1 << 20:
            yield instance, stated(goal, min(found))


def of(goal: Objective, *numbers: int) -> Constraints:
    """Return a problem of three variables, of which one is 1 at least, with an objective."""
    form = Linear.of([((1, 1, 1), (0, 1, 2), ">=", 1)])
    return constraints(Problem("p", Numbered("x", 3), Integers(numbers or (0, 1)), (form,), objective=goal), (7, 7, 7))


SOFT = SoftClauses.of([(3, [1, -2]), (2, [-3]), (5, [2]), (7, [])])
LONG = SoftClauses.of([((1 << 63) - 1, [1]), ((1 << 63) - 1, [-1])])
OPB = {
    "minimised": (LinearObjective.of({0: 2, 2: -3}), "min: +2 x1 -3 x3 ;"),
    "maximised": (LinearObjective.of({0: 2, 2: -3}, 0, True), "max: +2 x1 -3 x3 ;"),
    "with a constant": (LinearObjective.of({1: 2}, 10**30), f"min: +2 x2 +{10**30} x4 ;"),
    "constant": (LinearObjective.of({}), "min: +0 x1 ;"),
    "soft": (SOFT, "min: -3 x4 +2 x3 -5 x2 +15 x5 ;"),
    "a product": (ExpressionObjective.of(("add", ("mul", X, Y), ("mul", Z, ("number", 4)))), "min: +1 x4 +4 x3 ;"),
}
XCSP3 = {
    "a variable": (LinearObjective.of({1: 1}), "<minimize> v2 </minimize>"),
    "maximised": (
        LinearObjective.of({0: 2, 2: -3}, 1, True),
        '<maximize type="sum"> <list> v1 v3 a1 </list> <coeffs> 2 -3 1 </coeffs> </maximize>',
    ),
    "constant": (LinearObjective.of({}, 4), "<minimize> a1 </minimize>"),
    "soft": (
        SOFT,
        '<minimize type="sum"> <list> a1 v3 v2 a2 </list> <coeffs> 3 2 -5 12 </coeffs> </minimize>',
    ),
    "an expression": (
        ExpressionObjective.of(("max", ("mul", X, Y), ("and", Z, Y)), True),
        "<maximize> max(mul(v1,v2),and(ne(v3,0),ne(v2,0))) </maximize>",
    ),
    "a constant expression": (
        ExpressionObjective.of(("mul", ("number", 2), ("number", 3))),
        "<minimize> a1 </minimize>",
    ),
}


@pytest.mark.parametrize(("goal", "line"), OPB.values(), ids=OPB)
def test_opb_states_the_objective_as_its_source_does(goal: Objective, line: str) -> None:
    assert opb(of(goal), (3, 3, 3)).decode().splitlines()[1] == line


@pytest.mark.parametrize(("goal", "line"), XCSP3.values(), ids=XCSP3)
def test_xcsp3_states_the_objective_as_its_source_does(goal: Objective, line: str) -> None:
    lines = xcsp3(of(goal), (3, 3, 3)).decode().splitlines()
    assert lines[0] == '<instance format="XCSP3" type="COP">'
    assert lines[-2] == f" <objectives> {line} </objectives>"


def test_broken_soft_clauses_are_variables_in_xcsp3() -> None:
    lines = xcsp3(of(SOFT), (3, 3, 3)).decode().splitlines()
    assert "  <intension> eq(a1,and(ne(v1,1),eq(v2,1))) </intension>" in lines
    assert '  <var id="a2"> 1 </var>' in lines


def test_wcnf_has_hard_and_soft_clauses_and_states_what_it_has_no_form_for() -> None:
    hard = Clauses.of([(1, -2), (), (3,)])
    problem = Problem("p", Numbered("x", 3), BOOLEAN, (hard,), objective=SoftClauses.of([(3, [1, -2]), (2, [])]))
    form = spec("extended").formula(problem)
    assert isinstance(form, Wcnf)
    text = wcnf(form, shared_lines(form), [[-3]], ["of a test"])
    assert text == b"c of a test\nh -3 0\nh 1 -2 0\nh 0\nh 3 0\n3 1 -2 0\n2 0\n"
    goal = LinearObjective.of({0: 4, 2: -1}, 5)
    form = spec("extended").formula(Problem("p", Numbered("x", 3), BOOLEAN, (hard,), objective=goal))
    assert isinstance(form, Wcnf)
    assert wcnf(form, shared_lines(form), []) == b"c offset 4\nh 1 -2 0\nh 0\nh 3 0\n4 -1 0\n1 3 0\n"


def test_formulas_without_an_objective_are_wcnf_of_hard_clauses() -> None:
    form = spec("extended").formula(Problem("p", Numbered("x", 3), BOOLEAN, (Clauses.of([(1, 2)]),)))
    assert isinstance(form, Cnf)
    assert wcnf(form, shared_lines(form), []) == b"h 1 2 0\n"


def test_what_a_format_can_not_state_is_refused_by_name() -> None:
    form = spec("extended").formula(Problem("p", Numbered("x", 3), BOOLEAN, (), objective=LONG))
    assert isinstance(form, Wcnf)
    assert shared_lines(form).count(b"\n") == 2
    for more in ((1 << 63, [1]), (1, [2])):
        rows = [*LONG.rows, more] if more[0] == 1 else [more]
        wide = Wcnf(form.hard, SoftClauses.of(rows).flat, SoftClauses.of(rows).weights)
        with pytest.raises(Unsupported, match="WCNF has no weights from 2"):
            shared_lines(wide)
    with pytest.raises(Unsupported, match="no objectives with coefficients above 2,147,483,646"):
        xcsp3(of(LinearObjective.of({0: 1 << 63})), (3, 3, 3))
    with pytest.raises(Unsupported, match="other numbers than 0 and 1"):
        spec("order").formula(Problem("p", Numbered("x", 3), Integers(range(3)), (FORMULA,), objective=SOFT))


MOST = 5000  # assignments of a file that is read back


def written(instance: Instance[Problem], to: str) -> bytes:
    """Return an instance as a file."""
    form = constraints(instance.problem, instance.domains)
    if to != "wcnf":
        return opb(form, instance.domains) if to == "opb" else xcsp3(form, instance.domains)
    made = spec("order").formula(instance.problem, instance.domains)
    assert isinstance(made, Wcnf)
    units = LiteralMap(made.hard.literal).true(instance.domains)
    return wcnf(made, shared_lines(made), [[k] for k in units])


def offset(text: bytes) -> int:
    """Return what a WCNF file states beside its weights."""
    return next((int(line.split()[2]) for line in text.splitlines() if line.startswith(b"c offset")), 0)


@pytest.mark.parametrize("to", ["wcnf", "opb", "xcsp3"])
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_files_that_are_read_back_have_the_same_optimum(objective: str, to: str, tmp_path: Path) -> None:
    tried = 0
    for seed in count():
        instance = drawn(seed, objective)
        try:
            text = written(instance, to)
        except Unsupported:  # XCSP3 for solvers has no coefficients above 31 bits
            continue
        path = tmp_path / f"again.{to}"
        path.write_bytes(text)
        (again,) = read(path)
        assert again.problem.objective is not None
        if prod(mask.bit_count() for mask in again.domains) > MOST:
            continue
        wanted = min(values(instance).values(), default=None)
        found = min(values(again).values(), default=None)
        assert wanted == (None if found is None else found + offset(text))
        tried += 1
        if tried == 25:
            return
