"""Backends that take every kind of constraint: all solutions by brute force, planted faults, limits."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract import conformance, registry
from backends.contract.answer import Answer, Ask, Reason, Status, Unsupported
from backends.contract.cases import CASES, LATIN
from backends.contract.kind_cases import KIND_CASES
from backends.cpsat import posting
from backends.native import default_variant, propagation, python
from backends.native.propagation import expressions
from encoders.decomposing import TO_EXPRESSIONS
from encoders.direct import constraints
from encoders.formula import Constraints
from puzzles.constraints import kinds
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.linear import Linear
from puzzles.constraints.table import Table
from puzzles.generating.problems import KINDS, random_problem
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Integers, Numbered
from tests.definitions import solutions
from tests.effort import examples

BACKENDS = ("native:python", "cpsat")
ALL = 5000  # more than any of the small problems has
seeds = st.integers(0, 1 << 32)


def solve(backend: str, instance: Instance[Problem], count: int = ALL, tight: bool = True) -> Answer:
    """Solve a problem; unless `tight`, the domains are only those of the ask."""
    form = constraints(instance.problem, instance.domains if tight else None)
    session = registry.find(backend).open(form)
    answer = session.ask(Ask(instance.domains, count))
    session.close()
    return answer


def check(backend: str, instance: Instance[Problem], count: int, tight: bool) -> None:
    """Compare all solutions, or `count` of them, with brute force."""
    right = solutions(instance.problem, instance.domains)
    answer = solve(backend, instance, tight=tight)
    assert set(answer.solutions) == right
    assert len(answer.solutions) == len(right)
    assert answer.complete
    assert answer.status == (Status.SATISFIABLE if right else Status.UNSATISFIABLE)
    some = solve(backend, instance, count, tight)
    assert len(set(some.solutions) & right) == len(some.solutions) == min(count, len(right))
    assert not some.complete or len(right) <= count


def test_every_kind_of_constraint_is_drawn_and_taken() -> None:
    every = set(kinds()) - {"unsupported"}
    assert set(KINDS) == every, "KINDS of puzzles/generating/problems.py draws other kinds"
    for table in (propagation.PROPAGATORS, posting.TO_CPSAT):
        assert {*table, *TO_EXPRESSIONS} == every, (
            "neither this table nor TO_EXPRESSIONS of encoders/decomposing.py has a kind"
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_all_solutions_of_a_constraint_are_found(backend: str, kind: str) -> None:
    @given(seeds, st.integers(1, 5), st.booleans())
    @settings(max_examples=examples(40) if backend == "native:python" else 15)
    def found(seed: int, count: int, tight: bool) -> None:
        check(backend, random_problem([kind], Random(seed)), count, tight)

    found()


@pytest.mark.parametrize("backend", BACKENDS)
def test_all_solutions_of_several_constraints_are_found(backend: str) -> None:
    @given(seeds, st.lists(st.sampled_from(sorted(KINDS)), min_size=2, max_size=3), st.booleans())
    @settings(max_examples=examples(200) if backend == "native:python" else 60)
    def found(seed: int, mixture: list[str], tight: bool) -> None:
        check(backend, random_problem(mixture, Random(seed)), 2, tight)

    found()


@given(seeds)
@settings(max_examples=examples(60))
def test_expressions_with_many_combinations_are_decided_by_their_spans(seed: int) -> None:
    instance = random_problem(["expression"], Random(seed))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expressions, "MAX_COMBINATIONS", 1)
        patch.setattr(expressions, "MAX_NUMBERS", 1)
        check("native:python", instance, 1, True)


def altered(tree: Tree) -> Tree:
    """Replace each < of a tree by <=, each division by a remainder, and so on."""
    swaps = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt", "div": "mod", "min": "max", "and": "or", "add": "sub"}
    name, *parts = tree
    if name in ("var", "number", "set"):
        return tree
    return (swaps.get(name, name) if len(parts) == 2 else name), *map(altered, parts)


def next_start(row: Any) -> Any:
    items, index, start, value = row
    return items, index, start + 1, value


# A fault for each kind: the constraint that a faulty propagator or post function takes instead.
FAULTS: dict[str, Callable[[Any], Constraint]] = {
    "all_different": lambda c: AllDifferent(tuple(unit[1:] for unit in c.units)),
    "automaton": lambda c: replace(c, finals=c.finals[1:]),
    "cardinality": lambda c: replace(c, rows=tuple((*row[:3], False) for row in c.rows)),
    "circuit": lambda c: replace(c, rows=tuple((row[0], row[1], "!=", row[3]) for row in c.rows)),
    "clauses": lambda c: Clauses.of([row[:-1] or row for row in c.rows]),
    "count": lambda c: replace(c, rows=tuple((row[0][1:], *row[1:]) for row in c.rows)),
    "cumulative": lambda c: replace(c, rows=tuple((*(part[1:] for part in row[:3]), row[3]) for row in c.rows)),
    "element": lambda c: Element(tuple(map(next_start, c.rows))),
    "expression": lambda c: Expression(tuple(map(altered, c.trees))),
    "lex": lambda c: replace(c, rows=tuple((a, b, sign.strip("=")) for a, b, sign in c.rows)),
    "linear": lambda c: replace(c, bounds=c.bounds + 1),
    "minmax": lambda c: replace(c, rows=tuple(("minimum", *row[1:]) for row in c.rows)),
    "no_overlap": lambda c: replace(c, rows=tuple((row[0][1:], row[1][1:], row[2]) for row in c.rows)),
    "nvalues": lambda c: replace(c, rows=tuple((row[0], (), *row[2:]) for row in c.rows)),
    "table": lambda c: Table(c.scopes, c.tuples[: -len(c.scopes[0])], c.positive),
}


def is_caught(instance: Instance[Problem]) -> bool:
    """Return True if the backends disagree on a problem or the judge rejects a solution of either."""
    found = [solve(backend, instance) for backend in BACKENDS]
    wrong = any(violations(instance.problem, instance.domains, s) for s in chain(*(a.solutions for a in found)))
    return wrong or set(found[0].solutions) != set(found[1].solutions)


def plant(table: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant the fault of a kind in the propagators or post functions."""
    table = table if kind in table else TO_EXPRESSIONS
    honest = table[kind]

    def faulty(*parts: Any) -> Any:
        return honest(*[FAULTS[kind](part) if getattr(part, "kind", "") == kind else part for part in parts])

    monkeypatch.setitem(table, kind, faulty)


@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("table", [propagation.PROPAGATORS, posting.TO_CPSAT], ids=BACKENDS)
def test_a_fault_in_a_kind_is_caught(table: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    problems = [random_problem([kind], random) for _ in range(60)]
    assert not any(map(is_caught, problems[:5]))
    plant(table, kind, monkeypatch)
    assert any(map(is_caught, problems))


@pytest.mark.parametrize("kind", FAULTS)
def test_the_conformance_suite_detects_a_fault_in_a_kind(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    of_kind = [case for case in KIND_CASES if kind in {c.kind for c in case.problem.constraints}]
    monkeypatch.setattr(conformance, "KIND_CASES", of_kind)
    monkeypatch.setattr(conformance, "CASES", [case for case in CASES if case.problem is LATIN])
    monkeypatch.setattr(conformance, "PROJECTED_CASES", ())
    monkeypatch.setattr(conformance, "objective_faults", lambda *_: iter(()))  # kinds alone
    backend = registry.find("native:python")
    assert conformance.check(backend) == []
    plant(propagation.PROPAGATORS, kind, monkeypatch)
    assert {line.partition(":")[0] for line in conformance.check(backend)} <= {case.name for case in of_kind}
    assert conformance.check(backend) != []


def alone(constraint: Constraint, *numbers: int, variables: int = 3) -> Instance[Problem]:
    """Return a problem of one constraint, whose variables take these numbers."""
    problem = Problem("alone", Numbered("x", variables), Integers(numbers), (constraint,))
    return Instance("alone", problem, problem.open)


X, Y = ("var", 0), ("var", 1)


@pytest.mark.parametrize(
    ("instance", "named"),
    [
        (alone(Linear.of([([10**20], [0], ">=", 1)]), 0, 1), "sums"),
        (alone(Linear.of([([2**59, 2**59], [0, 1], ">=", 1)]), 0, 1), "sums"),
        (alone(Linear.of([([10**20], [0], "<=", 1)]), 0), "sums"),
        (alone(AllDifferent(((0, 1),)), 0, 2**61), "numbers"),
        (alone(Expression((("gt", ("mul", X, X, X), ("number", 0)),)), 0, 10**7), "expressions"),
        (alone(Expression((("gt", ("pow", X, ("number", 70)), ("number", 0)),)), 0, 2), "expressions"),
    ],
)
def test_cpsat_refuses_numbers_beyond_its_integers_by_name(instance: Instance[Problem], named: str) -> None:
    with pytest.raises(Unsupported, match=f"cpsat does not support {named} of more than 60 bits"):
        solve("cpsat", instance)
    answer = solve("native:python", instance, count=1)
    assert violations(instance.problem, instance.domains, answer.solutions[0]) == []


def test_cpsat_refuses_large_tables_of_powers_and_large_automata(monkeypatch: pytest.MonkeyPatch) -> None:
    power = alone(Expression((("eq", ("pow", X, Y), ("number", 8)),)), 1, 2, 3)
    assert {s[:2] for s in solve("cpsat", power).solutions} == {(1, 2)}
    monkeypatch.setattr("backends.cpsat.posting.arithmetic.MAX_POWERS", 8)
    with pytest.raises(Unsupported, match="powers of more than 8 pairs"):
        solve("cpsat", power)
    # a 1 in the last place but two: 4 states, at least 8 deterministic ones
    moves = ((0, 0, 0), (0, 1, 0), (0, 1, 1), *((a, n, a + 1) for a in (1, 2) for n in (0, 1)))
    words = alone(Automaton(((0, 1, 2),), moves, 0, (3,)), 0, 1)
    assert len(solve("cpsat", words).solutions) == 4
    monkeypatch.setattr("backends.cpsat.posting.tables.MAX_STATES", 4)
    with pytest.raises(Unsupported, match="automata of more than 4 deterministic states"):
        solve("cpsat", words)


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_unknown_kind_is_refused_by_name(backend: str) -> None:
    class Unknown(AllDifferent):
        kind = "unknown"

    with pytest.raises(Unsupported, match=f"{backend} does not support unknown"):
        registry.find(backend).open(Constraints(1, range(2), (Unknown(()),)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_session_answers_for_several_domains(backend: str) -> None:
    instance = alone(AllDifferent(((0, 1, 2),)), 4, 5, 9)
    session = registry.find(backend).open(constraints(instance.problem))
    totals = {(7, 7, 7): 6, (1, 7, 7): 2, (1, 1, 7): 0, (7, 0, 7): 0, (2, 7, 3): 1}
    for domains in (*totals, *totals):
        answer = session.ask(Ask(domains, 10))
        assert (len(answer.solutions), answer.complete) == (totals[domains], True)


def test_the_deadline_holds_within_propagation() -> None:
    """Bounds that creep up one by one take 65,536 rounds."""
    rows = [([1, -1], [0, 1], "<=", -1), ([1, -1], [1, 0], "<=", -1)]
    problem = Problem("creep", Numbered("x", 2), Integers(range(1 << 16)), (Linear.of(rows),))
    answer = registry.find("native:python").open(constraints(problem)).ask(Ask(problem.open, seconds=0.01))
    assert (answer.status, answer.reason) == (Status.UNKNOWN, Reason.TIMEOUT)


@pytest.mark.parametrize("numba", [True, False], ids=["with numba", "without"])
def test_native_takes_what_native_lazy_lacks_by_native_python(numba: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not numba:
        monkeypatch.setattr(default_variant, "find_spec", lambda name: None)
    product = Expression((("eq", ("mul", ("var", 0), ("var", 1)), ("var", 2)),))
    instance = alone(product, *range(1000))
    formula = constraints(instance.problem, instance.domains)
    session = default_variant.open(formula)
    assert type(session) is type(python.open(formula))
    ((x, y, z),) = session.ask(Ask(instance.domains)).solutions
    assert x * y == z
