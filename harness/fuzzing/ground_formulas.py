"""Formula of a case's ask as plain clauses, its domains as unit clauses, and the models of both.

GroundFormula   a formula and the domains of an ask as clauses, with the literal that places each value in each square
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from backends.shared.literal_map import literal_map
from encoders.axes import joined
from encoders.formula import AllDifferent, Booleans, Channelled, Cnf, Formula
from encoders.registry import spec
from harness.fuzzing.clausal import Clauses, propagate
from harness.fuzzing.findings.finding import Case
from harness.fuzzing.trial import contenders
from harness.model.contender import Contender
from harness.model.patterns import parse
from puzzles.problem.values import Domains, Solution

# Encoding of each base of programs where a name omits it.
PROGRAM_ENCODINGS = {
    "dimacs": "extended",
    "opb": "alldifferent",
    "xcsp3": "alldifferent",
    "fzn": "alldifferent",
    "lines": "text",
}
MAX_BRANCHES = 100  # branches of the search for values of auxiliary variables


@dataclass(frozen=True)
class GroundFormula:
    clauses: Clauses
    literal: Sequence[tuple[int, ...]]
    at_most: tuple[tuple[tuple[int, ...], int], ...] = ()


@dataclass(frozen=True)
class SearchResult:
    """Result of a search: a model (literals by variable) or None; `complete` False: it stopped early."""

    model: list[int] | None
    complete: bool


def contender_of(case: Case) -> Contender:
    """Return the contender of a case. Raises BadUsage if it is unknown."""
    return contenders(case)[0]


def encoding_of(case: Case) -> str:
    """Return the encoding of a case's contender. A program need not be installed."""
    named = parse(case.contender)
    base = named.backend.partition(":")[0]
    return named.encoding or PROGRAM_ENCODINGS.get(base) or contender_of(case).encoding


def formula_of(case: Case, domains: Domains) -> Formula:
    """Return the contender's formula of one ask, without its domains."""
    named = parse(case.contender)
    return spec(joined(encoding_of(case), named.at_most_one, named.linear, named.table)).formula(case.problem, domains)


def clause_tuples(formula: Cnf) -> Clauses:
    """Return the clauses as tuples."""
    return tuple(map(tuple, formula.clause_lists()))


def unit_clauses(formula: Cnf | GroundFormula, domains: Domains) -> Clauses:
    """Return the domains of an ask as unit clauses."""
    return tuple((x,) for x in literal_map(formula.literal).true(domains))


def plain_clauses(case: Case) -> Clauses | None:
    """Return formula and domains of the last ask as clauses, or None if the formula has other constraints."""
    formula = formula_of(case, case.asks[-1])
    if not isinstance(formula, Cnf) or formula.at_most:
        return None
    return clause_tuples(formula) + unit_clauses(formula, case.asks[-1])


def ground(case: Case) -> GroundFormula | None:
    """Write the formula and domains of the last ask as clauses; None if the contender reads text."""
    formula = formula_of(case, case.asks[-1])
    if isinstance(formula, Cnf):
        bare = GroundFormula(clause_tuples(formula), formula.literal, formula.at_most)
    elif isinstance(formula, AllDifferent | Booleans | Channelled):
        bare = to_clauses(formula)
    else:
        return None
    return GroundFormula(bare.clauses + unit_clauses(bare, case.asks[-1]), bare.literal, bare.at_most)


def to_clauses(formula: AllDifferent | Booleans | Channelled) -> GroundFormula:
    """Write integers and Booleans as clauses, with one variable per square and value only."""
    if isinstance(formula, Channelled):
        integers, booleans = to_clauses(formula.integers), to_clauses(formula.booleans)
        return GroundFormula(integers.clauses + booleans.clauses, integers.literal)
    squares, values = formula.squares, formula.values
    rows = tuple(tuple(range(1 + s * values, 1 + (s + 1) * values)) for s in range(squares))
    if isinstance(formula, AllDifferent):
        exactly: Iterable[tuple[int, ...]] = rows
        at_most = [tuple(rows[s][v] for s in unit) for unit in formula.units for v in range(values)]
    else:
        exactly = [tuple(1 + p for p in group) for group in formula.exactly_one]
        at_most = [tuple(1 + p for p in group) for group in formula.at_most_one]
    pairs = [(-a, -b) for group in (*exactly, *at_most) for a, b in combinations(group, 2)]
    return GroundFormula((*exactly, *dict.fromkeys(pairs)), rows)


def extend_to_model(formula: GroundFormula, solution: Solution) -> SearchResult:
    """Extend a solution to a model of the formula by search over its auxiliary variables."""
    true = {x if v == solution[s] else -x for s, row in enumerate(formula.literal) for v, x in enumerate(row)}
    every = sorted({abs(x) for clause in formula.clauses for x in clause} | {abs(x) for x in true})
    if any(-x in true for x in true) or any(sum(x in true for x in group) > k for group, k in formula.at_most):
        return SearchResult(None, True)
    stack = [true]
    for _ in range(MAX_BRANCHES):
        if not stack:
            return SearchResult(None, True)
        implied = propagate(formula.clauses, tuple(stack.pop()))
        if implied is None:
            continue
        free = [x for x in every if x not in implied and -x not in implied]
        for whole in (implied | {-x for x in free}, implied.union(free)):
            if all(not whole.isdisjoint(clause) for clause in formula.clauses):
                return SearchResult(sorted(whole, key=abs), True)
        stack += [implied | {free[0]}, implied | {-free[0]}]
    return SearchResult(None, False)


def decode_models(formula: GroundFormula, models: Iterable[Solution], domains: Domains) -> set[Solution]:
    """Decode the models of `clause_problem(formula.clauses)` that satisfy the formula's cardinality constraints."""
    used = sorted({abs(x) for clause in formula.clauses for x in clause})
    squares = literal_map(formula.literal)
    true = [{x for x, v in zip(used, model, strict=True) if v} for model in models]
    kept = [t for t in true if all(len(t.intersection(group)) <= k for group, k in formula.at_most)]
    return {squares.decode(t, domains) for t in kept}
