"""Encodings of boards that are malformed or wrong, and a backend that proves that their formulas have no solution.

`evil:cad` answers UNSATISFIABLE whatever the board is. Its proof refutes what the judge concludes from the formula: its
clauses and groups, a value for each row of the table of literals, and the candidates. Where these are satisfiable the
proof is the empty clause alone. So only the check of the formula stands between a solvable board and a certificate.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np

from backends.contract.answer import Answer, Ask, Session, Status
from encoders.cnf import extended, minimal
from encoders.encoding import Encoding
from encoders.formula import Cnf, Formula
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains

EMPTY_CLAUSE = b"0\n"
Table = list[list[Any]]
Change = Callable[[Table, Cnf, Random], Cnf | None]


def square(table: Table, random: Random) -> tuple[int, int]:
    """Return a square and a value."""
    s = random.randrange(len(table))
    return s, random.randrange(len(table[s]))


def entry(table: Table, random: Random, x: Any) -> None:
    """Overwrite an entry."""
    s, v = square(table, random)
    table[s][v] = x


def zero(table: Table, formula: Cnf, random: Random) -> None:
    entry(table, random, 0)


def short(table: Table, formula: Cnf, random: Random) -> None:
    """Leave the last value of a square out."""
    table[random.randrange(len(table))].pop()


def long(table: Table, formula: Cnf, random: Random) -> Cnf:
    """Give a square an entry more, at the place of the first value of the next one, which implies it."""
    own, s = formula.variables + 1, random.randrange(len(table) - 1)
    table[s].append(own)
    return with_clause(replace(formula, variables=own), -table[s + 1][0], own)


def shared(table: Table, formula: Cnf, random: Random) -> None:
    """Give two values of a square one literal."""
    row = random.choice(table)
    v, w = random.sample(range(len(row)), 2)
    row[v] = row[w]


def twins(table: Table, formula: Cnf, random: Random) -> None:
    """Give a value of two squares one literal."""
    (s, v), (t, w) = square(table, random), square(table, random)
    table[s][v] = table[t][w]


def opposite(table: Table, formula: Cnf, random: Random) -> None:
    """Give a value of one square the negated literal of another's."""
    (s, v), (t, w) = square(table, random), square(table, random)
    table[s][v] = -table[t][w]


def negated(table: Table, formula: Cnf, random: Random) -> None:
    s, v = square(table, random)
    table[s][v] = -table[s][v]


def swapped(table: Table, formula: Cnf, random: Random) -> None:
    """Swap two squares."""
    s, t = random.sample(range(len(table)), 2)
    table[s], table[t] = table[t], table[s]


def exchanged(table: Table, formula: Cnf, random: Random) -> None:
    """Swap two values of a square."""
    row = random.choice(table)
    v, w = random.sample(range(len(row)), 2)
    row[v], row[w] = row[w], row[v]


def repeated(table: Table, formula: Cnf, random: Random) -> None:
    """Give a square the row of another."""
    s, t = random.sample(range(len(table)), 2)
    table[s] = table[t]


def dropped(table: Table, formula: Cnf, random: Random) -> None:
    del table[random.randrange(len(table))]


def added(table: Table, formula: Cnf, random: Random) -> None:
    table.insert(random.randrange(len(table) + 1), list(random.choice(table)))


def emptied(table: Table, formula: Cnf, random: Random) -> None:
    table[random.randrange(len(table))] = []


def beyond(table: Table, formula: Cnf, random: Random) -> None:
    """Name a variable that the formula lacks."""
    entry(table, random, random.choice([1, -1]) * random.choice([formula.variables + 1, 2**31 - 1, 2**31, 10**30]))


def odd(table: Table, formula: Cnf, random: Random) -> None:
    """Put in what is no integer."""
    s, v = square(table, random)
    table[s][v] = random.choice([float(table[s][v]), True, False, None, "1", [1], 0.5])


def fresh(table: Table, formula: Cnf, random: Random) -> Cnf:
    """Give a value a variable of its own, which is free or false."""
    own = formula.variables + 1
    entry(table, random, random.choice([own, -own]))
    return with_clause(replace(formula, variables=own), *random.choice([[own], [-own], [own, 1]]))


def grouped(table: Table, formula: Cnf, random: Random) -> Cnf:
    """Add a group of which at most one, or none, may be true."""
    group = tuple(random.sample([x for row in table for x in row], 3))
    most: Any = random.choice([1, 0, 1.0, -1])
    return replace(formula, at_most=((random.choice([group, (*group, 0)]), most),))


def clause(table: Table, formula: Cnf, random: Random) -> Cnf:
    """Add a clause of two literals."""
    return with_clause(formula, *(random.choice([1, -1]) * random.randint(1, formula.variables) for _ in range(2)))


def unended(table: Table, formula: Cnf, random: Random) -> Cnf:
    """Leave the 0 after the last clause out."""
    return replace(formula, clauses=formula.clauses[:-1])


def fewer(table: Table, formula: Cnf, random: Random) -> Cnf:
    """State fewer variables than the formula has."""
    return replace(formula, variables=random.randrange(formula.variables))


CHANGES: dict[str, Change] = {
    f.__name__: f
    for f in (
        *(zero, short, long, shared, twins, opposite, negated, swapped, exchanged, repeated, dropped, added),
        *(emptied, beyond, odd, fresh, grouped, clause, unended, fewer),
    )
}


def with_clause(formula: Cnf, *literals: int) -> Cnf:
    """Return the formula with one more clause."""
    return replace(formula, clauses=np.append(formula.clauses, np.array([*literals, 0], np.int32)))


def changed(formula: Cnf, names: Sequence[str], random: Random) -> Cnf:
    """Return the formula with these changes, one after the other."""
    table: Table = [list(row) for row in formula.literal]
    for name in names:
        formula = CHANGES[name](table, formula, random) or formula
    return replace(purged(formula, table), literal=tuple(map(tuple, table)))


def purged(formula: Cnf, table: Table) -> Cnf:
    """Return the formula without the clauses on literals that the table has lost, which would give the change away."""
    lost = {x for row in formula.literal for x in row} - {x for row in table for x in row if type(x) is int}
    if not lost or formula.clauses[-1]:
        return formula
    kept = [clause for clause in formula.clause_lists() if lost.isdisjoint(map(abs, clause))]
    return replace(formula, clauses=np.array([x for clause in kept for x in (*clause, 0)], np.int32))


def mutated(layout: Layout, domains: Domains) -> Cnf:
    """Return a formula with one change, or several, which depend on the board."""
    random = Random(repr(domains))
    formula = random.choice([extended, minimal])(layout)
    while True:
        try:
            return changed(formula, random.choices(list(CHANGES), k=random.choice([1, 1, 1, 2, 3])), random)
        except (IndexError, TypeError, ValueError):  # a change that does not fit the one before it
            continue


def always(name: str) -> Callable[[Layout], Cnf]:
    return lambda layout: changed(extended(layout), [name], Random(1))


ENCODINGS = {name: Encoding(name, Cnf, always(name)) for name in CHANGES}
ENCODINGS["mutated"] = Encoding("mutated", Cnf, mutated, per_puzzle=True)


def __getattr__(name: str) -> Encoding:
    """Return the encoding that an entry point names: as_zero."""
    if name.removeprefix("as_") not in ENCODINGS:
        raise AttributeError(name)
    return ENCODINGS[name.removeprefix("as_")]


def concluded(formula: Cnf, domains: Domains) -> Iterator[Sequence[Any]]:
    """Yield the clauses that the judge has of a formula and a board."""
    yield from (clause for clause in formula.clause_lists())
    yield from ((-a, -b) for group, k in formula.at_most if k == 1 for a, b in combinations(group, 2))
    yield from formula.literal
    for row, mask in zip(formula.literal, domains, strict=False):
        yield from ((-x,) for v, x in enumerate(row) if not mask >> v & 1)


def refutation(formula: Cnf, domains: Domains) -> bytes:
    """Return a proof against what the judge has of a formula; the empty clause if it has a model or no sense."""
    try:
        clauses = list(concluded(formula, domains))
        if any(0 in clause or not clause for clause in clauses):  # 0 ends a clause: an empty one follows
            return EMPTY_CLAUSE
        if max(abs(x) for clause in clauses for x in clause) > formula.variables:  # a solver might allocate them
            return EMPTY_CLAUSE
        from pysat.solvers import Solver  # by asks alone: twenty encodings are described without a solver

        with Solver("cadical195", bootstrap_with=clauses, with_proof=True) as solver:
            return EMPTY_CLAUSE if solver.solve() else "\n".join([*solver.get_proof(), ""]).encode()
    except Exception:
        return EMPTY_CLAUSE


@dataclass(frozen=True)
class Refuting:
    """Session that proves every board unsatisfiable, and solves the problem of one variable that loads its code."""

    formula: Cnf

    def ask(self, ask: Ask) -> Answer:
        if len(ask.domains) == 1:
            return Answer(Status.SATISFIABLE, ((1,),), complete=ask.count > 1)
        return Answer(Status.UNSATISFIABLE, complete=True, proof=refutation(self.formula, ask.domains))

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class Evil:
    name: str = "evil:cad"
    version: str = "1.0"
    accepts: frozenset[type] = frozenset({Cnf})
    can: frozenset[str] = frozenset({"count", "domains", "proof"})

    def open(self, formula: Formula) -> Session:
        assert isinstance(formula, Cnf)
        return Refuting(formula)


def backends() -> list[Evil]:
    return [Evil()]
