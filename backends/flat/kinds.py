"""Kinds of constraint in flat programs: posted as the solver's own constraint where it has one."""

from collections.abc import Sequence
from math import prod
from typing import Any

from backends.flat.expressions import require
from backends.flat.program import FlatProgram, negated
from encoders.decomposing import expressed
from encoders.rewriting import deterministic
from puzzles.constraints import by_kind
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
from puzzles.constraints.table import STAR, Table

MAX_SYMBOL = 60_000  # largest symbol of Choco's automata, whose characters end soon after


def all_different(program: FlatProgram, constraint: AllDifferent) -> None:
    for unit in constraint.units:
        if len(set(unit)) < len(unit):
            program.refuse()
        elif len(unit) > 1:
            program.post("all_different", list(unit))


def clauses(program: FlatProgram, constraint: Clauses) -> None:
    for row in constraint.rows:
        literals = ((program.takes(abs(p) - 1, 1), p) for p in row)
        program.clause([literal if p > 0 else negated(literal) for literal, p in literals])


def linear(program: FlatProgram, constraint: Linear) -> None:
    for coefficients, xs, comparison, bound in constraint.rows:
        program.compare(zip(xs, coefficients, strict=True), comparison, bound)


def table(program: FlatProgram, constraint: Table) -> None:
    """Post tables without stars; a tuple with stars becomes a conjunction of its stated numbers."""
    rows = list(dict.fromkeys(map(tuple, constraint.rows.tolist()))) if constraint.scopes else []
    for scope in constraint.scopes:
        if not constraint.positive:
            for row in rows:
                program.clause([negated(program.takes(x, n)) for x, n in zip(scope, row, strict=True) if n != STAR])
        elif any(STAR in row for row in rows):
            starred_table(program, scope, rows)
        elif rows:
            largest = max(map(abs, (n for row in rows for n in row)))
            program.limits.check("tables", program.limits.number, largest)
            program.post("table", program.each_once(scope), rows)
        else:
            program.refuse()


def starred_table(program: FlatProgram, scope: Sequence[int], rows: Sequence[Sequence[int]]) -> None:
    matches = []
    for row in rows:
        named = [program.takes(x, n) for x, n in zip(scope, row, strict=True) if n != STAR]
        matches.append(all_of(program, named))
    program.clause(matches)


def all_of(program: FlatProgram, literals: Sequence[int]) -> int:
    """Return a literal that is true exactly where all of `literals` are."""
    if any(p is False for p in literals):
        return False
    open_ = list(dict.fromkeys(p for p in literals if p is not True))
    if any(-p in open_ for p in open_):
        return False
    terms, constant = program.total(open_)
    return program.reified(terms, ">=", len(open_) - constant)


def element(program: FlatProgram, constraint: Element) -> None:
    for items, index, start, value in constraint.rows:
        program.compare([(index, 1)], ">=", start)
        program.compare([(index, 1)], "<=", start + len(items) - 1)
        if items:
            program.post("element", list(items), index, start, value)


def counted(program: FlatProgram, xs: Sequence[int], comparison: str, bound: int, name: str, *numbers: Any) -> None:
    """Post a counting constraint, and the comparison of its result with the number of the variable `bound`."""
    result = bound if comparison == "=" else program.new(0, len(xs))
    program.post(name, program.each_once(xs), *numbers, result)
    if comparison != "=":
        program.compare([(result, 1), (bound, -1)], comparison, 0)


def count(program: FlatProgram, constraint: Count) -> None:
    for xs, numbers, comparison, bound in constraint.rows:
        if taken := sorted(n for n in set(numbers) if any(n in program.domains[x] for x in xs)):
            counted(program, xs, comparison, bound, "count", taken)
        else:
            program.compare([(bound, -1)], comparison, 0)


def cardinality(program: FlatProgram, constraint: Cardinality) -> None:
    for xs, numbers, occurrences, closed in constraint.rows:
        for n, occurrence in zip(numbers, occurrences, strict=True):
            if any(n in program.domains[x] for x in xs):
                program.post("count", program.each_once(xs), [n], occurrence)
            else:
                program.compare([(occurrence, 1)], "=", 0)
        for x in dict.fromkeys(xs) if closed else ():
            program.clause([program.takes(x, n) for n in dict.fromkeys(numbers)])


def nvalues(program: FlatProgram, constraint: NValues) -> None:
    for xs, excepted, comparison, bound in constraint.rows:
        if not excepted and xs:
            counted(program, xs, comparison, bound, "distinct")
            continue
        terms, constant = distinct_terms(program, xs, excepted)
        program.compare([*terms, (bound, -1)], comparison, -constant)


def distinct_terms(
    program: FlatProgram, xs: Sequence[int], excepted: Sequence[int]
) -> tuple[list[tuple[int, int]], int]:
    """Return the number of distinct numbers of variables, without the excepted ones, as a sum and a constant."""
    numbers = sorted({n for x in xs for n in program.domains[x]} - set(excepted))
    by_none = [all_of(program, [negated(program.takes(x, n)) for x in xs]) for n in numbers]
    return program.total([negated(literal) for literal in by_none])


def minmax(program: FlatProgram, constraint: MinMax) -> None:
    for which, xs, comparison, bound in constraint.rows:
        ends = [program.domains[x][0] for x in xs], [program.domains[x][-1] for x in xs]
        pick = min if which == "minimum" else max
        result = bound if comparison == "=" else program.new(pick(ends[0]), pick(ends[1]))
        program.post("extreme", which, list(xs), result)
        if comparison != "=":
            program.compare([(result, 1), (bound, -1)], comparison, 0)


def lex(program: FlatProgram, constraint: Lex) -> None:
    for left, right, comparison in constraint.rows:
        if comparison in (">", ">="):
            left, right = right, left
        strict = comparison in ("<", ">")
        if left:
            both = program.each_once((*left, *right))
            program.post("lex", both[: len(left)], both[len(left) :], strict)
        elif strict:
            program.refuse()


def automaton(program: FlatProgram, constraint: Automaton) -> None:
    """Post automata over numbers from 0: a variable for each position of a scope, less the least number."""
    transitions, finals = deterministic(constraint)
    least = min((n for _, n, _ in transitions), default=0)
    most = max((n for _, n, _ in transitions), default=0) - least
    program.limits.check("automata", MAX_SYMBOL, most)
    steps = [(a, n - least, b) for a, n, b in transitions]
    for scope in constraint.scopes:
        if scope and transitions and finals:
            letters = [program.new(0, most) for _ in scope]
            for x, letter in zip(scope, letters, strict=True):
                program.compare([(x, 1), (letter, -1)], "=", least)
            program.post("regular", letters, steps, finals)
        elif scope or constraint.start not in constraint.finals:
            program.refuse()


def cumulative(program: FlatProgram, constraint: Cumulative) -> None:
    """Post tasks; those with negative durations, heights or limits are expressed."""
    for row in constraint.rows:
        starts, durations, heights, limit = row
        if starts and all(program.domains[x][0] >= 0 for x in (*durations, *heights, limit)):
            areas = (program.domains[d][-1] * program.domains[h][-1] for d, h in zip(durations, heights, strict=True))
            program.limits.check(
                "tasks",
                program.limits.total,
                sum(areas),
                time_of(program, starts, durations) * program.domains[limit][-1],
            )
            program.post("cumulative", starts, durations, heights, limit)
        else:
            require_expressed(program, Cumulative((row,)))


def time_of(program: FlatProgram, starts: Sequence[int], durations: Sequence[int]) -> int:
    """Return the time from the earliest start to the latest end."""
    ends = (program.domains[x][-1] + program.domains[d][-1] for x, d in zip(starts, durations, strict=True))
    return max(ends) - min(program.domains[x][0] for x in starts)


def no_overlap(program: FlatProgram, constraint: NoOverlap) -> None:
    """Post rectangles whose sides have no length of 0, in an area that fits the solver's sums; others are expressed."""
    for row in constraint.rows:
        origins, lengths, _ = row
        sides = [*zip(*origins, strict=True), *zip(*lengths, strict=True)]
        half = len(sides) // 2
        area = prod(time_of(program, *side) for side in zip(sides[:half], sides[half:], strict=True))
        lasting = len(sides) == 4 and all(program.domains[x][0] > 0 for box in lengths for x in box)
        if lasting and area <= program.limits.total:
            program.post("rectangles", *sides)
        else:
            require_expressed(program, NoOverlap((row,)))


def require_expressed(program: FlatProgram, constraint: Cumulative | NoOverlap) -> None:
    """Post the expressions that are equivalent to a constraint."""
    for tree in expressed(constraint, [(domain[0], domain[-1]) for domain in program.domains]).trees:
        require(program, tree)


def circuit(program: FlatProgram, constraint: Circuit) -> None:
    """Post circuits; the number of nodes on one is a variable."""
    for variables, start, comparison, bound in constraint.rows:
        size = program.new(0, len(variables))
        program.compare([(size, 1), (bound, -1)], comparison, 0)
        for x in dict.fromkeys(variables):
            program.compare([(x, 1)], ">=", start)
            program.compare([(x, 1)], "<", start + len(variables))
        if len(set(variables)) < len(variables):
            program.refuse()
        elif len(variables) > 1:
            program.post("circuit", variables, start, size)
        else:
            program.compare([(size, 1)], "=", 0)


def expression(program: FlatProgram, constraint: Expression) -> None:
    for tree in constraint.trees:
        require(program, tree)


TO_POSTS = by_kind(globals())
