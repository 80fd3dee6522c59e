"""Degenerate problems of every kind of constraint and objective, and how an answer to one differs from brute force.

What readers and generators seldom make: domains without a number, one variable in every place, variables that are all
fixed, lists without members, constraints without rows, problems without variables.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from random import Random
from typing import Any

from backends.contract.answer import OPTIMISE, Ask, Backend, Unsupported
from backends.contract.cases import ProblemCase
from backends.contract.conformance import answer_faults, open_session
from backends.contract.objective_cases import ObjectiveCase
from backends.contract.objective_checks import Truth, ask_faults
from encoders.registry import Spec
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
from puzzles.constraints.table import Table
from puzzles.generating.problems import KINDS, NUMBERS, OBJECTIVES, Draw
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.plugins.text import raised
from puzzles.problem import Constraint, Objective, Problem
from puzzles.problem.values import Domains, Integers, Numbered, bits
from tests.definitions import solutions

# Of each kind: constraints without members that need no variable, then some that need variable 0.
BARE: dict[str, tuple[Constraint, ...]] = {
    "all_different": (AllDifferent(()), AllDifferent(((),))),
    "automaton": (
        Automaton((), ((0, 1, 1),), 0, (1,)),
        Automaton(((),), ((0, 1, 1),), 0, (1,)),
        Automaton(((),), ((0, 1, 1),), 0, (0,)),
        Automaton(((),), (), 0, ()),
    ),
    "cardinality": (Cardinality(()), Cardinality((((), (), (), True),)), Cardinality((((), (), (), False),))),
    "circuit": (Circuit(()),),
    "clauses": (Clauses.of([]), Clauses.of([()])),
    "count": (Count(()),),
    "cumulative": (Cumulative(()),),
    "element": (Element(()),),
    "expression": (
        Expression(()),
        Expression((("number", 0),)),
        Expression((("number", 2), ("eq", ("number", 1), ("number", 1)))),
        Expression((("or", ("number", 1), ("eq", ("div", ("number", 1), ("number", 0)), ("number", 0))),)),
        Expression((("in", ("number", 1), ("set",)),)),
    ),
    "lex": (Lex(()), Lex((((), (), "<"),)), Lex((((), (), "<="),))),
    "linear": (
        Linear.of([]),
        Linear.of([([], [], "=", 0)]),
        Linear.of([([], [], ">=", 1)]),
        Linear.of([([], [], "!=", 0)]),
    ),
    "minmax": (MinMax(()),),
    "no_overlap": (NoOverlap(()), NoOverlap((((), (), False),)), NoOverlap(((((), ()), ((), ()), True),))),
    "nvalues": (NValues(()),),
    "table": (),
}
WITH_A_VARIABLE: dict[str, tuple[Constraint, ...]] = {
    "all_different": (AllDifferent(((0, 0),)), AllDifferent(((0,),))),
    "automaton": (Automaton(((0,),), (), 0, (0,)), Automaton(((0, 0),), ((0, 1, 0),), 0, ())),
    "cardinality": (
        Cardinality((((), (1,), (0,), True),)),
        Cardinality((((0,), (), (), True),)),
        Cardinality((((0, 0), (1, 0), (0, 0), True),)),
    ),
    "circuit": tuple(Circuit((((), 0, sign, 0),)) for sign in ("=", "<", "<=", "!=")),
    "clauses": (Clauses.of([(1, -1)]), Clauses.of([(1, 1), (-1,)]), Clauses.of([(), (1,)])),
    "count": tuple(
        Count(((xs, ns, sign, 0),)) for xs in ((), (0,)) for ns in ((), (0, 1)) for sign in ("=", ">", "!=")
    ),
    "cumulative": (Cumulative((((), (), (), 0),)), Cumulative((((0,), (0,), (0,), 0),))),
    "element": (Element((((), 0, 0, 0),)), Element((((0,), 0, 0, 0),)), Element((((0,), 0, 5, 0),))),
    "expression": (
        Expression((("var", 0),)),
        Expression((("in", ("var", 0), ("set",)),)),
        Expression((("eq", ("var", 0), ("var", 0)), ("lt", ("var", 0), ("var", 0)))),
        Expression((("eq", ("mod", ("var", 0), ("number", 0)), ("number", 0)),)),
        Expression((("eq", ("div", ("var", 0), ("var", 0)), ("number", 1)),)),
    ),
    "lex": (Lex((((0,), (0,), "<"),)), Lex((((0, 0), (0, 0), ">="),))),
    "linear": (
        Linear.of([([0], [0], "=", 0)]),
        Linear.of([([0, 0], [0, 0], ">=", 1)]),
        Linear.of([([1, -1], [0, 0], "=", 0), ([1, -1], [0, 0], "!=", 0)]),
        Linear.of([([2, 2], [0, 0], "=", 4)]),
        Linear.of([([1 << 40], [0], "<=", -(1 << 41))]),
    ),
    "minmax": (MinMax((("minimum", (0,), ">=", 0),)), MinMax((("maximum", (0, 0), "<", 0),))),
    "no_overlap": (
        NoOverlap(((((0,),), ((0,),), False),)),
        NoOverlap(((((0,), (0,)), ((0,), (0,)), True),)),
        NoOverlap(((((0,), (0,)), ((0,), (0,)), False),)),
    ),
    "nvalues": tuple(
        NValues(((xs, out, sign, 0),)) for xs in ((), (0, 0)) for out in ((), (1,)) for sign in ("=", "<")
    ),
    "table": (
        Table.of([(0,)], []),
        Table.of([(0,)], [], positive=False),
        Table.of([(0, 0)], [(0, 1), (1, 1)]),
        Table.of([(0, 0)], [(0, 1), (1, 1)], positive=False),
    ),
}


def drawn_numbers(random: Random) -> tuple[int, ...]:
    """Draw the numbers of all domains: one, Boolean ones, or some. Readers make no problem without a value."""
    kind = random.random()
    if kind < 0.3:
        return (0, 1)
    return tuple(sorted(random.sample(NUMBERS, 1 if kind < 0.5 else random.randint(2, 4))))


def constraint(kind: str, draw: Draw) -> Constraint | None:
    """Draw a constraint of a kind, bare or full; None if the kind has none without variables."""
    bare = [*BARE[kind], *(WITH_A_VARIABLE[kind] if draw.variables else ())]
    if not draw.variables or draw.random.random() < 0.3:
        return draw.random.choice(bare) if bare else None
    return KINDS[kind](draw)


def drawn_domains(problem: Problem, random: Random) -> Domains:
    """Draw domains: few or most with one value, none, one or some without a value. Clauses are over 0 and 1."""
    assert isinstance(problem.values, Integers)
    boolean = sum(1 << v for v, n in enumerate(problem.values.numbers) if n in (0, 1))
    literals = {abs(p) - 1 for c in problem.constraints if isinstance(c, Clauses) for row in c.rows for p in row}
    fixed, empty = random.choice((0.1, 0.4, 0.8)), random.choice((0.0, 0.0, 0.3))
    domains = [boolean if x in literals else problem.full for x in range(len(problem.variables))]
    for x, allowed in enumerate(domains):
        if allowed and random.random() < fixed:
            domains[x] = 1 << random.choice(list(bits(allowed)))
        elif random.random() < 0.3:
            domains[x] = allowed & random.getrandbits(len(problem.values)) or allowed
        if random.random() < empty:
            domains[x] = 0
    if domains and random.random() < 0.25:
        domains[random.randrange(len(domains))] = 0
    return tuple(domains)


def degenerate(kinds: Sequence[str], random: Random, objective: str = "") -> ProblemCase:
    """Draw a degenerate problem with one constraint of each of these kinds, where it has one, and an objective."""
    numbers = (0, 1) if objective == SoftClauses.kind else drawn_numbers(random)
    draw = Draw(random, random.choice((0, 1, 1, 2, 3, 4, 5)), numbers)
    made = [constraint(kind, draw) for kind in kinds]
    constraints = [c for c in made if c is not None]
    goal = drawn_objective(objective, draw) if objective else None
    if isinstance(goal, ExpressionObjective):
        constraints.append(Expression((("eq", goal.tree, goal.tree),)))
    names = Numbered("x", draw.variables)
    problem = Problem(" ".join(kinds), names, Integers(numbers), tuple(constraints), objective=goal)
    domains = drawn_domains(problem, random)
    return ProblemCase(problem.name, "degenerate", problem, domains, len(solutions(problem, domains)))


def drawn_objective(kind: str, draw: Draw) -> Objective:
    """Draw an objective, perhaps one without terms."""
    if draw.variables and draw.random.random() < 0.7:
        return OBJECTIVES[kind](draw)
    maximise = draw.random.random() < 0.5
    if kind == SoftClauses.kind:
        return SoftClauses.of(draw.random.choice(([], [(3, [])], [(1 << 40, []), (1, [])])))
    if kind == LinearObjective.kind:
        return LinearObjective.of({}, draw.random.choice((0, 7, -1)), maximise)
    return ExpressionObjective.of(draw.random.choice((("number", 3), ("neg", ("number", 1)))), maximise)


def faults(backend: Backend, chosen: Spec, case: ProblemCase, known: bool = True) -> Iterator[str]:
    """Yield how a backend's answers to a case differ from brute force, and exceptions; `known`: it sees the domains.

    Unsupported is yielded too, as a line that begins with it.
    """
    problem = case.problem
    domains = case.domains if known and chosen.sees_domains(problem) else None
    try:
        with closing(open_session(backend, chosen, problem, domains)) as session:
            if problem.objective is not None:
                made = ObjectiveCase(case.name, case.claim, problem, case.domains)
                yield from ask_faults(session, made, Ask(case.domains, 1, 60.0), Truth(True, made.optimum()), False)
                return
            for count in sorted({1, min(case.total, 20) + 1}) if "count" in backend.can else (1,):
                ask = Ask(case.domains, count, 60.0)
                yield from answer_faults(session.ask(ask), case, ask, backend)
    except Unsupported as e:
        yield f"Unsupported: {e}"
    except Exception as e:
        yield f"raises {raised(e)}"


def kinds_drawn(backend: Backend, n: int, random: Random) -> tuple[list[str], str]:
    """Return kind `n` of constraint, perhaps with another one, and a kind of objective or ''."""
    kinds = [sorted(KINDS)[n % len(KINDS)], *random.sample(sorted(KINDS), random.choice((0, 0, 1)))]
    goal = random.choice(sorted(OBJECTIVES)) if OPTIMISE in backend.can and random.random() < 0.4 else ""
    return kinds, goal


def shown(case: ProblemCase) -> dict[str, Any]:
    """Return a case as data, for a message."""
    return {**case.problem.content(), "domains": case.domains, "solutions": case.total}
