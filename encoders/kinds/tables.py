"""Tables as clauses: one function per encoding of a positive table, named as in the literature.

    name      auxiliaries               source
    support   one per tuple             Bacchus 2007; of two variables none: each number implies its partners, Gent 2002
    conflict  none                      each shortest prefix that no tuple has is forbidden
    mdd       nodes of the diagram      Cheng & Yap 2010, and encoders/kinds/layers.py

A negative table is one clause for each tuple in `support` and `conflict`; `mdd` writes the diagram of the others.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from encoders.integers import TooLarge, Variables
from encoders.kinds.layers import lower_words
from puzzles.constraints.table import STAR, Table

LARGEST = 500_000  # clauses of one scope

Tuple = Sequence[int]


def lower_table(table: Table, v: Variables) -> None:
    """Add clauses for each scope. Raises TooLarge."""
    tuples = list(map(tuple, table.rows.tolist()))
    for scope in table.scopes:
        lower_tuples(v, scope, tuples, table.positive)


def lower_tuples(v: Variables, scope: Sequence[int], tuples: Sequence[Tuple], positive: bool) -> None:
    """Add clauses for: the numbers of the scope are one of the tuples, or none of them. Raises TooLarge."""
    domains = [{*v.domains[x], STAR} for x in scope]
    kept = [t for t in dict.fromkeys(tuples) if all(n in domain for n, domain in zip(t, domains, strict=True))]
    if positive:
        TABLES[v.axes.table](v, scope, kept)
    elif v.axes.table == "mdd":
        lower_diagram(v, scope, kept, positive=False)
    else:
        for t in kept:
            v.add([-v.eq(x, n) for x, n in zip(scope, t, strict=True) if n != STAR])


def support(v: Variables, scope: Sequence[int], tuples: Sequence[Tuple]) -> None:
    """Add a selector per tuple: it implies the tuple's numbers; a number implies the selector of a tuple with it."""
    if len(scope) == 1 or not tuples:
        conflict(v, scope, tuples)
        return
    pairs = len(scope) == 2
    chosen: list[int] = [] if pairs else [v.new() for _ in tuples]
    if not pairs:
        v.add(chosen)
    for position, x in enumerate(scope):
        listed: dict[int, list[int]] = {}  # for each number the selectors of its tuples, or its partners
        for k, t in enumerate(tuples):
            n = t[position]
            if pairs:
                partner, other = scope[1 - position], t[1 - position]
                listed.setdefault(n, []).append(v.true if other == STAR else v.eq(partner, other))
            else:
                listed.setdefault(n, []).append(chosen[k])
                if n != STAR:
                    v.add((-chosen[k], v.eq(x, n)))
        starred = listed.pop(STAR, [])
        for n in v.domains[x]:
            v.add([-v.eq(x, n), *listed.get(n, ()), *starred])


def conflict(v: Variables, scope: Sequence[int], tuples: Sequence[Tuple]) -> None:
    """Forbid each shortest prefix of numbers that begins no tuple. Raises TooLarge."""
    domains = [v.domains[x] for x in scope]
    for count, prefix in enumerate(missing(domains, tuples), 1):
        if count > LARGEST:
            raise TooLarge(f"more than {LARGEST:,} conflicts of {len(tuples):,} tuples; choose another table encoding")
        v.add([-v.eq(x, n) for x, n in zip(scope, prefix, strict=False)])


def missing(domains: Sequence[Sequence[int]], tuples: Sequence[Tuple]) -> Iterator[tuple[int, ...]]:
    """Yield the shortest prefixes of numbers that begin no tuple."""
    waiting: list[tuple[tuple[int, ...], Sequence[Tuple]]] = [((), tuples)]
    while waiting:
        prefix, having = waiting.pop()
        if not having:
            yield prefix
        elif len(prefix) < len(domains):
            listed, starred = by_number(having, len(prefix))
            waiting += [((*prefix, n), listed.get(n, starred)) for n in domains[len(prefix)]]


def by_number(tuples: Sequence[Tuple], position: int) -> tuple[dict[int, tuple[Tuple, ...]], tuple[Tuple, ...]]:
    """Return the tuples with each number at a position, in order, and the tuples with a star there."""
    if not any(t[position] == STAR for t in tuples):
        found: dict[int, list[Tuple]] = {}
        for t in tuples:
            found.setdefault(t[position], []).append(t)
        return {n: tuple(having) for n, having in found.items()}, ()
    numbers = dict.fromkeys(t[position] for t in tuples if t[position] != STAR)
    listed = {n: tuple(t for t in tuples if t[position] in (n, STAR)) for n in numbers}
    return listed, tuple(t for t in tuples if t[position] == STAR)


def mdd(v: Variables, scope: Sequence[int], tuples: Sequence[Tuple]) -> None:
    """Write the minimal decision diagram of the tuples. Raises TooLarge."""
    lower_diagram(v, scope, tuples, positive=True)


def lower_diagram(v: Variables, scope: Sequence[int], tuples: Sequence[Tuple], positive: bool) -> None:
    """Write the diagram of the tuples, or of all others. A state is the rests of the tuples that still match."""

    def steps(i: int, state: tuple[Tuple, ...]) -> Mapping[int, tuple[Tuple, ...]]:
        listed, starred = by_number(state, 0) if state else ({}, ())
        if starred or not positive:
            listed = {n: listed.get(n, starred) for n in v.domains[scope[i]]}
        return {n: tuple(dict.fromkeys(t[1:] for t in having)) for n, having in listed.items()}

    if positive or tuples:
        lower_words(v, scope, tuple(tuples), steps, lambda state: bool(state) == positive)


# The first is the default.
TABLES: dict[str, Callable[[Variables, Sequence[int], Sequence[Tuple]], None]] = {
    "support": support,
    "conflict": conflict,
    "mdd": mdd,
}
