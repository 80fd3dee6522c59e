"""Models of OR-Tools' CP-SAT as FlatZinc: every constraint has the solutions and the best value that CP-SAT finds."""

from collections.abc import Callable
from typing import Any

import pytest
from ortools.sat.python import cp_model

import harness
from harness.interface.models import instance_of_model
from harness.model.errors import BadUsage
from puzzles.problem import Instance
from tests.read_back import tried

Make = Callable[[cp_model.CpModel, Any, Any, Any, Any], object]


def intervals(m: cp_model.CpModel, x: Any, y: Any, b: Any) -> list[Any]:
    return [
        m.new_fixed_size_interval_var(x, 2, "i"),
        m.new_optional_fixed_size_interval_var(y, 2, b, "j"),
        m.new_optional_interval_var(0, x + 1, y + 1, ~b, "k"),
    ]


MODELS: dict[str, Make] = {
    "nothing": lambda m, x, y, z, b: None,
    "a sum": lambda m, x, y, z, b: m.add(x + 2 * y - z <= 3),
    "a difference": lambda m, x, y, z, b: m.add(x + y != 3),
    "equal variables": lambda m, x, y, z, b: m.add(x == z),
    "a sum in a set": lambda m, x, y, z, b: m.add_linear_expression_in_domain(
        x + y, cp_model.Domain.from_intervals([[0, 1], [3, 3], [6, 9]])
    ),
    "an enforced sum in a set": lambda m, x, y, z, b: m.add_linear_expression_in_domain(
        x + y, cp_model.Domain.from_intervals([[0, 1], [4, 4], [7, 9]])
    ).only_enforce_if(~b),
    "an enforced sum": lambda m, x, y, z, b: (
        m.add(x + y == 3).only_enforce_if(b),
        m.add(x >= 2).only_enforce_if(~b),
        m.add(x + z != 2).only_enforce_if(b),
    ),
    "several enforcers": lambda m, x, y, z, b: (c := m.new_bool_var("c"), m.add(x < y).only_enforce_if([b, ~c])),
    "an impossible sum": lambda m, x, y, z, b: m.add(x + y >= 100).only_enforce_if(b),
    "clauses": lambda m, x, y, z, b: (
        c := m.new_bool_var("c"),
        m.add_bool_or(b, ~c),
        m.add_implication(c, b),
        m.add_bool_and(b).only_enforce_if(c),
        m.add_bool_or(~b, c).only_enforce_if(c),
    ),
    "counts": lambda m, x, y, z, b: (
        c := m.new_bool_var("c"),
        d := m.new_bool_var("d"),
        m.add_at_most_one(b, c, ~d),
        m.add_exactly_one(b, ~c, d),
        m.add_bool_xor(b, c, d),
    ),
    "operators": lambda m, x, y, z, b: (
        m.add_division_equality(x, z, 2),
        m.add_modulo_equality(y, z + 3, 3),
    ),
    "a product": lambda m, x, y, z, b: m.add_multiplication_equality(z, [x - 2, y, 1 + b]),
    "extremes": lambda m, x, y, z, b: (m.add_max_equality(x, [y, z + 1]), m.add_abs_equality(y, z - 1)),
    "a minimum": lambda m, x, y, z, b: m.add_min_equality(x - 1, [y, z]),
    "all different": lambda m, x, y, z, b: m.add_all_different(x, y + 1, z, 2),
    "an element": lambda m, x, y, z, b: m.add_element(x, [3, y, 2 * z, 1], z + 1),
    "a table": lambda m, x, y, z, b: m.add_allowed_assignments([x, y], [(1, 2), (3, 3), (9, 9)]),
    "a forbidden table": lambda m, x, y, z, b: m.add_forbidden_assignments([x, y, b], [(1, 2, 0), (3, 3, 1)]),
    "an automaton": lambda m, x, y, z, b: m.add_automaton(
        [x, y, z], 7, [9, 7], [(7, 1, 9), (9, 0, 9), (9, 2, 7), (7, 3, 7)]
    ),
    "an inverse": lambda m, x, y, z, b: m.add_inverse([x, y, z], [y, x, z]),
    "a circuit": lambda m, x, y, z, b: m.add_circuit(
        [(i, j, m.new_bool_var(f"{i}{j}")) for i in range(3) for j in range(3)]
    ),
    "tasks": lambda m, x, y, z, b: m.add_no_overlap(intervals(m, x, y, b)),
    "heights": lambda m, x, y, z, b: m.add_cumulative(intervals(m, x, y, b), [2, 1, x], 3),
    "boxes": lambda m, x, y, z, b: m.add_no_overlap_2d(intervals(m, x, y, b), intervals(m, y, x, b)),
    "a length": lambda m, x, y, z, b: m.new_interval_var(x, y, z, "i"),
    "an absent length": lambda m, x, y, z, b: m.new_optional_interval_var(x, z, y, b, "i"),
}


def model(make: Make, goal: bool) -> cp_model.CpModel:
    made = cp_model.CpModel()
    x, y = made.new_int_var(0, 4, "x"), made.new_int_var_from_domain(cp_model.Domain.from_values([0, 1, 2, 4, 5]), "")
    z, b = made.new_int_var(-2, 3, "x"), made.new_bool_var("b")
    make(made, x, y, z, b)
    if goal:
        made.maximize(3 * x - 2 * y + z * 2 - 4 * b + 5)
    return made


class Every(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
    """Collects all solutions."""

    def __init__(self, variables: int) -> None:
        super().__init__()
        self.count, self.found = variables, set[tuple[int, ...]]()

    def on_solution_callback(self) -> None:
        self.found.add(tuple(list(self.response_proto.solution)[: self.count]))


def by_cpsat(made: cp_model.CpModel) -> set[tuple[int, ...]]:
    solver, every = cp_model.CpSolver(), Every(len(made.Proto().variables))
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(made, every)
    return every.found


def shown(instance: Instance[Any], made: cp_model.CpModel) -> set[tuple[int, ...]]:
    """Return all solutions of an instance as values of the model's variables."""
    names = ["x", "v1", "x (2)", *(variable.name for variable in list(made.Proto().variables)[3:])]
    where = [instance.problem.variables.index(name) for name in names]
    found = tried(instance, 5000)
    assert found is not None
    return {tuple(int(instance.problem.values[solution[x]]) for x in where) for solution in found.solutions}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_the_solutions_that_cpsat_finds(name: str) -> None:
    made = model(MODELS[name], goal=False)
    instance = instance_of_model(made).instance
    solutions = by_cpsat(made)
    assert shown(instance, made) == solutions
    found = tried(instance, 5000)
    assert found is not None
    assert len(found.solutions) == len(solutions), "what is added is determined"


@pytest.mark.parametrize("name", ["an enforced sum", "tasks", "a product", "an automaton"])
def test_the_best_value_is_as_the_model_states_it(name: str) -> None:
    made = model(MODELS[name], goal=True)
    solver = cp_model.CpSolver()
    assert solver.solve(made) == cp_model.OPTIMAL
    found = tried(instance_of_model(made).instance, 5000)
    assert found is not None
    assert found.best == solver.objective_value


def test_values_have_the_names_of_the_model() -> None:
    made = model(MODELS["a sum"], goal=True)
    solved = harness.solve(made)
    assert (solved.value, sorted(solved.values)) == (23, ["b", "v1", "x", "x (2)"])


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda m, x, y, z, b: m.add_reservoir_constraint([x, y], [1, -1], 0, 1), "the constraint reservoir"),
        (lambda m, x, y, z, b: m.add_assumptions([b]), "assumptions"),
        (lambda m, x, y, z, b: m.minimize(0.5 * x), "objective"),
        (lambda m, x, y, z, b: m.add_no_overlap([m.new_interval_var(x, y, z, "")] * 2), "that may have no length"),
    ],
)
def test_what_has_no_form_is_refused_by_name(make: Make, why: str) -> None:
    with pytest.raises(BadUsage, match=why):
        harness.solve(model(make, goal=False))
