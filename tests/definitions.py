"""Each kind of constraint by its definition, in plain Python, and all solutions of a small problem by brute force.

It shares no code with the judge, the encoders and the solvers that it checks.
"""

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod, trunc
from typing import Any

from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Domains, Integers, Solution

Numbers = Sequence[int]  # of all variables
STAR = -(2**63)
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}


def all_different(c: Any, at: Numbers) -> bool:
    return all(len({at[x] for x in unit}) == len(unit) for unit in c.units)


def automaton(c: Any, at: Numbers) -> bool:
    def accepts(states: set[int], word: Numbers) -> bool:
        for n in word:
            states = {b for a, m, b in c.transitions if a in states and m == n}
        return bool(states & set(c.finals))

    return all(accepts({c.start}, [at[x] for x in scope]) for scope in c.scopes)


def cardinality(c: Any, at: Numbers) -> bool:
    def held(xs: Numbers, numbers: Numbers, occurrences: Numbers, closed: bool) -> bool:
        taken = [at[x] for x in xs]
        right = all(taken.count(n) == at[o] for n, o in zip(numbers, occurrences, strict=True))
        return right and (not closed or set(taken) <= set(numbers))

    return all(held(*row) for row in c.rows)


def circuit(c: Any, at: Numbers) -> bool:
    def held(xs: Numbers, start: int, sign: str, bound: int) -> bool:
        to = {i: at[x] - start for i, x in enumerate(xs)}
        on = {i for i in to if to[i] != i}
        path = [min(on)] if on else []
        while path and to.get(path[-1]) not in (None, *path):
            path.append(to[path[-1]])
        closed = not on or to.get(path[-1]) == path[0]
        return closed and set(path) == on and COMPARE[sign](len(on), at[bound])

    return all(held(*row) for row in c.rows)


def clauses(c: Any, at: Numbers) -> bool:
    return all(any((at[abs(p) - 1] == 1) == (p > 0) for p in row) for row in c.rows)


def count(c: Any, at: Numbers) -> bool:
    return all(COMPARE[sign](sum(at[x] in ns for x in xs), at[bound]) for xs, ns, sign, bound in c.rows)


def cumulative(c: Any, at: Numbers) -> bool:
    def held(starts: Numbers, durations: Numbers, heights: Numbers, limit: int) -> bool:
        used: dict[int, int] = {}
        for x, d, h in zip(starts, durations, heights, strict=True):
            for time in range(at[x], at[x] + at[d]):
                used[time] = used.get(time, 0) + at[h]
        least = min(at[x] for x in (*durations, *heights, limit))
        return least >= 0 and max(used.values(), default=0) <= at[limit]

    return all(held(*row) for row in c.rows)


def element(c: Any, at: Numbers) -> bool:
    found = ((items, at[index] - start, at[value]) for items, index, start, value in c.rows)
    return all(0 <= i < len(items) and at[items[i]] == n for items, i, n in found)


def lex(c: Any, at: Numbers) -> bool:
    return all(COMPARE[sign]([at[x] for x in left], [at[x] for x in right]) for left, right, sign in c.rows)


def linear(c: Any, at: Numbers) -> bool:
    return all(COMPARE[sign](sum(a * at[x] for a, x in zip(cs, xs, strict=True)), k) for cs, xs, sign, k in c.rows)


def minmax(c: Any, at: Numbers) -> bool:
    pick = {"minimum": min, "maximum": max}
    return all(COMPARE[sign](pick[which](at[x] for x in xs), at[bound]) for which, xs, sign, bound in c.rows)


def no_overlap(c: Any, at: Numbers) -> bool:
    def apart(a: Any, b: Any, ignored: bool) -> bool:
        sides = [(at[x], at[d], at[y], at[e]) for x, d, y, e in zip(*a, *b, strict=True)]
        return any(x + d <= y or y + e <= x or (ignored and 0 in (d, e)) for x, d, y, e in sides)

    def held(origins: Any, lengths: Any, ignored: bool) -> bool:
        boxes = [*zip(origins, lengths, strict=True)]
        right = all(at[x] >= 0 for box in lengths for x in box)
        return right and all(apart(a, b, ignored) for i, a in enumerate(boxes) for b in boxes[:i])

    return all(held(*row) for row in c.rows)


def nvalues(c: Any, at: Numbers) -> bool:
    return all(COMPARE[sign](len({at[x] for x in xs} - set(out)), at[bound]) for xs, out, sign, bound in c.rows)


def table(c: Any, at: Numbers) -> bool:
    def listed(scope: Numbers) -> bool:
        size = len(scope)
        rows = [c.tuples.tolist()[i : i + size] for i in range(0, len(c.tuples), size)]
        return any(all(n in (STAR, at[x]) for x, n in zip(scope, row, strict=True)) for row in rows)

    return all(listed(scope) == c.positive for scope in c.scopes)


def power(a: int, b: int) -> int:
    if b < 0:
        raise ZeroDivisionError
    return prod([a] * b)


OPERATORS: dict[str, Callable[..., int]] = {
    "neg": operator.neg,
    "abs": abs,
    "sqr": lambda a: a**2,
    "add": lambda *parts: sum(parts),
    "sub": operator.sub,
    "mul": lambda *parts: prod(parts),
    "div": lambda a, b: trunc(Fraction(a, b)),
    "mod": lambda a, b: a - b * trunc(Fraction(a, b)),
    "pow": power,
    "dist": lambda a, b: max(a - b, b - a),
    "min": lambda *parts: sorted(parts)[0],
    "max": lambda *parts: sorted(parts)[-1],
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "ne": operator.ne,
    "eq": lambda *parts: all(part == parts[0] for part in parts),
    "not": operator.not_,
    "and": lambda *parts: 0 not in parts,
    "or": lambda *parts: any(part != 0 for part in parts),
    "xor": lambda *parts: sum(part != 0 for part in parts) % 2,
    "iff": lambda *parts: len({part != 0 for part in parts}) == 1,
    "imp": lambda a, b: a == 0 or b != 0,
    "if": lambda a, b, c: c if a == 0 else b,
}


def value(tree: Any, at: Numbers) -> int:
    """Return the value of a tree; raises ZeroDivisionError if it is undefined."""
    name, *parts = tree
    if name in ("var", "number"):
        return at[parts[0]] if name == "var" else int(parts[0])
    if name == "in":
        return value(parts[0], at) in parts[1][1:]
    return OPERATORS[name](*[value(part, at) for part in parts])


def expression(c: Any, at: Numbers) -> bool:
    try:
        return all(value(tree, at) != 0 for tree in c.trees)
    except ZeroDivisionError:
        return False


HOLDS: dict[str, Callable[[Any, Numbers], bool]] = {
    "all_different": all_different,
    "automaton": automaton,
    "cardinality": cardinality,
    "circuit": circuit,
    "clauses": clauses,
    "count": count,
    "cumulative": cumulative,
    "element": element,
    "expression": expression,
    "lex": lex,
    "linear": linear,
    "minmax": minmax,
    "no_overlap": no_overlap,
    "nvalues": nvalues,
    "table": table,
}


def holds(constraint: Constraint, at: Numbers) -> bool:
    """Return True if the numbers of all variables satisfy a constraint."""
    assert constraint.kind in HOLDS, f"no definition of {constraint.kind!r}: add one to HOLDS of tests/definitions.py"
    return HOLDS[constraint.kind](constraint, at)


def solutions(problem: Problem, domains: Domains) -> set[Solution]:
    """Return all solutions within the domains of a problem with integer values."""
    assert isinstance(problem.values, Integers)
    numbers = problem.values.numbers
    every = product(*([v for v in range(mask.bit_length()) if mask >> v & 1] for mask in domains))
    return {s for s in every if all(holds(c, [numbers[v] for v in s]) for c in problem.constraints)}
