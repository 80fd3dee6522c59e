"""Constraints of flat programs that a solver lacks, expressed by others.

`TO_SIMPLER_POSTS` has a function for each name of a post that can be expressed so. The functions post sums, clauses,
tables, elements, products, quotients and all-different constraints, which every solver must have.
"""

from collections.abc import Callable, Sequence
from typing import Any

from backends.flat.kinds import all_of, distinct_terms, require_expressed
from backends.flat.program import FlatProgram, Literal, negated
from puzzles.constraints import ranges
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.no_overlap import NoOverlap

Steps = Sequence[tuple[int, int, int]]
Variables = Sequence[int]


def remainder(program: FlatProgram, x: int, y: int, z: int) -> None:
    """Post x = y * q + z, with q the quotient."""
    (a, b), most = [(program.domains[v][0], program.domains[v][-1]) for v in (x, y)], program.limits.total
    low, high = ranges.quotient(a, b)
    program.limits.check("quotients", most, ranges.magnitude(b) * (max(-low, high) + 1))
    quotient = program.new(low, high)
    multiple = program.new(-ranges.magnitude(a), ranges.magnitude(a))
    program.post("quotient", x, y, quotient)
    program.post("product", y, quotient, multiple)
    program.compare([(x, 1), (multiple, -1), (z, -1)], "=", 0)


def count(program: FlatProgram, xs: Sequence[int], numbers: Sequence[int], z: int) -> None:
    terms, constant = program.total([program.takes(x, n) for x in xs for n in numbers])
    program.compare([*terms, (z, -1)], "=", -constant)


def distinct(program: FlatProgram, xs: Sequence[int], z: int) -> None:
    terms, constant = distinct_terms(program, xs, ())
    program.compare([*terms, (z, -1)], "=", -constant)


def lex(program: FlatProgram, left: Sequence[int], right: Sequence[int], strict: bool) -> None:
    """Post the order of two lists. A literal for each position says that all earlier items are equal."""
    same: Literal = True
    for x, y in zip(left, right, strict=True):
        difference = [(x, 1), (y, -1)]
        program.clause([negated(same), program.reified(difference, "<=", 0)])
        same = all_of(program, [same, program.reified(difference, "=", 0)])
    if strict:
        program.clause([negated(same)])


def regular(program: FlatProgram, xs: Sequence[int], transitions: Steps, finals: Sequence[int]) -> None:
    """Post a table for each position, over the states before and after it and the symbol between."""
    states = 1 + max(max(a, b) for a, _, b in transitions)
    before = program.constant(0)
    for i, x in enumerate(xs, 1):
        after = program.new(0, states - 1)
        rows = [row for row in transitions if (i > 1 or row[0] == 0) and (i < len(xs) or row[2] in finals)]
        program.table([before, x, after], rows)
        before = after


def cumulative(program: FlatProgram, *row: Any) -> None:
    require_expressed(program, Cumulative((row,)))


def rectangles(program: FlatProgram, x: Variables, y: Variables, width: Variables, height: Variables) -> None:
    row = tuple(zip(x, y, strict=True)), tuple(zip(width, height, strict=True)), False
    require_expressed(program, NoOverlap((row,)))


def circuit(program: FlatProgram, xs: Variables, start: int, size: int) -> None:
    """Post a walk from the first node that is not its own successor: it returns after all others."""
    nodes = range(len(xs))
    program.post("all_different", list(xs))
    own = [program.takes(x, start + i) for i, x in enumerate(xs)]
    terms, constant = program.total([negated(literal) for literal in own])
    program.compare([*terms, (size, -1)], "=", -constant)
    first = program.new(start, start + len(xs) - 1)
    for i in nodes:
        program.clause([*map(negated, own[:i]), own[i], program.takes(first, start + i)])
    program.clause([*map(negated, own), program.takes(first, start)])
    at = first
    for step in nodes[1:]:
        to = program.new(start, start + len(xs) - 1)
        program.post("element", list(xs), at, start, to)
        done = program.reified([(size, 1)], "<=", step)
        program.clause([done, program.reified([(to, 1), (first, -1)], "!=", 0)])
        at = to


TO_SIMPLER_POSTS: dict[str, Callable[..., None]] = {
    "circuit": circuit,
    "count": count,
    "cumulative": cumulative,
    "distinct": distinct,
    "lex": lex,
    "rectangles": rectangles,
    "regular": regular,
    "remainder": remainder,
}
