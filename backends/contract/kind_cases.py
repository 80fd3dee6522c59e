"""Small problems with known solution counts, at least one for each kind of constraint, for the conformance suite.

Brute force can check each count, but for the square of nine numbers. A backend is asked the problems whose kinds it
takes.
"""

from collections.abc import Iterable, Sequence

from backends.contract.cases import ProblemCase
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
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Integers, Numbered


def case(
    name: str,
    claim: str,
    total: int,
    domains: Sequence[Iterable[int]],
    *constraints: Constraint,
    hidden: tuple[int, ...] = (),
) -> ProblemCase:
    """Return a case, with a domain of numbers for each variable; `hidden` ones are outside the projection."""
    sets = [frozenset(domain) for domain in domains]
    numbers = Integers(sorted(frozenset().union(*sets)))
    problem = Problem(name, Numbered("x", len(sets)), numbers, constraints, free=hidden)
    masks = tuple(sum(1 << v for v, n in enumerate(numbers.numbers) if n in domain) for domain in sets)
    return ProblemCase(name, claim, problem, masks, total)


SIGNED, SMALL, BOOLEAN = range(-3, 4), range(4), range(2)
X, Y = ("var", 0), ("var", 1)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
QUEENS = [("ne", ("dist", ("var", i), ("var", j)), ("number", j - i)) for j in range(5) for i in range(j)]

KIND_CASES = (
    case("no constraints", "allows any value of a problem without constraints", 6, [(0, 5), SIGNED[:3]]),
    case("different numbers", "numbers may have gaps", 6, [(-5, 0, 7)] * 3, AllDifferent(((0, 1, 2),))),
    case("clauses", "keeps clauses", 3, [BOOLEAN] * 3, Clauses.of([[1, -2], [3, 2, -1], [-3, -1]])),
    case("empty clause", "detects that an empty clause is false", 0, [BOOLEAN] * 2, Clauses.of([[1], []])),
    case(
        "clauses beside integers",
        "a true variable takes number 1, not index 1",
        9,
        [BOOLEAN, BOOLEAN, (-2, 0, 1)],
        Clauses.of([[1, -2]]),
    ),
    case("a sum of bits", "adds up Boolean variables", 10, [BOOLEAN] * 5, Linear.of([([1] * 5, range(5), "=", 2)])),
    case(
        "sums",
        "compares sums with negative coefficients and numbers",
        19,
        [SIGNED] * 2,
        Linear.of([([2, -3], [0, 1], ">=", -1), ([1, 1], [0, 1], "<=", 2), ([1, 1], [0, 0], "!=", 2)]),
    ),
    case("a sum of nothing", "detects that 0 is not 1", 0, [BOOLEAN] * 2, Linear.of([([], [], ">=", 1)])),
    case(
        "table", "keeps the tuples of each scope", 3, [SMALL] * 3, Table.of([(0, 1), (1, 2)], [(0, 1), (1, 3), (1, 0)])
    ),
    case(
        "table with stars", "a star is any number", 7, [SMALL] * 2, Table.of([(0, 1)], [(0, STAR), (STAR, 3), (0, 3)])
    ),
    case(
        "forbidden tuples", "excludes tuples", 11, [SMALL] * 2, Table.of([(0, 1)], [(0, STAR), (1, 1)], positive=False)
    ),
    case("empty table", "detects that a table without tuples allows nothing", 0, [BOOLEAN], Table.of([(0,)], [])),
    case(
        "element",
        "an index outside its list is not allowed",
        8,
        [(1, 2), (1, 3), range(-1, 4), (1, 2, 3)],
        Element((((0, 1), 2, 1, 3),)),
    ),
    case(
        "count", "a bound may be counted", 4, [SMALL] * 3, Count((((0, 1, 2), (0, 2), "=", 0), ((1, 2), (3,), ">=", 0)))
    ),
    case(
        "cardinality",
        "takes no other numbers where closed",
        1,
        [SMALL] * 4,
        Cardinality((((0, 1, 2), (1, 3), (1, 3), True),)),
    ),
    case(
        "distinct numbers",
        "counts distinct numbers without those excepted",
        20,
        [SMALL] * 3,
        NValues((((0, 1, 2), (3,), "<", 0),)),
    ),
    case(
        "extremes",
        "compares a smallest and a largest number",
        35,
        [SIGNED] * 3,
        MinMax((("minimum", (0, 1), ">", 2), ("maximum", (0, 1, 2), "!=", 0))),
    ),
    case(
        "lists in order",
        "compares strictly where it should",
        10,
        [SMALL] * 3,
        Lex((((0, 1), (1, 2), "<"), ((2,), (0,), "<="))),
    ),
    case(
        "automaton",
        "accepts what a nondeterministic automaton accepts",
        8,
        [BOOLEAN] * 4,
        Automaton((tuple(range(4)),), ((0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 2), (1, 1, 2)), 0, (2,)),
    ),
    case(
        "tasks",
        "counts the heights of running tasks at each time; a task of duration 0 takes nothing",
        74,
        [SMALL, SMALL, range(3), (2,), (0, 3), (1,), (2,), (2, 3)],
        Cumulative((((0, 1, 2), (3, 3, 4), (5, 6, 6), 7),)),
    ),
    case(
        "tasks that exclude each other",
        "lets no duration, height or limit be negative",
        18,
        [range(-1, 3), range(-1, 3), (-1, 1, 2), (1,), (-1, 1)],
        Cumulative((((0, 1), (2, 2), (3, 3), 4),)),
    ),
    case(
        "rectangles",
        "keeps boxes apart in one dimension",
        183,
        [SMALL, range(3), SMALL, range(3), (1, 2), (2,)],
        NoOverlap((((((0, 1), (2, 3)), ((4, 5), (5, 4)), False)),)),
    ),
    case(
        "boxes without size",
        "ignores a length of 0 where it should",
        20,
        [SMALL, SMALL, (-1, 0, 2), (3,)],
        NoOverlap((((((0,), (1,)), ((2,), (3,)), True)),)),
        NoOverlap((((((1,), (0,)), ((2,), (2,)), False)),)),
    ),
    case(
        "a circuit of all",
        "allows no circuit without some of the nodes",
        6,
        [range(1, 5)] * 4 + [(4,)],
        Circuit((((0, 1, 2, 3), 1, "=", 4),)),
    ),
    case(
        "a circuit of some",
        "leaves out nodes that follow themselves, perhaps all",
        15,
        [range(-1, 5)] * 4 + [(0, 3, 4)],
        Circuit((((0, 1, 2, 3), 0, "=", 4),)),
    ),
    case(
        "truncation",
        "division and remainder truncate towards zero",
        8,
        [SIGNED] * 3,
        Expression((("eq", ("div", X, Y), ("var", 2)), ("lt", ("mod", X, Y), ("number", 0)))),
    ),
    case(
        "undefined",
        "a division by zero breaks the constraint, wherever it stands",
        4,
        [SIGNED] * 2,
        Expression((("or", ("eq", Y, ("number", 0)), ("gt", ("div", X, Y), ("number", 1))),)),
    ),
    case(
        "numbers as truth",
        "a number other than 0 is true",
        24,
        [SIGNED] * 2,
        Expression((("and", ("mul", X, Y), ("xor", X, ("eq", ("pow", X, ("number", 0)), ("abs", Y)))),)),
    ),
    case(
        "five queens", "combines kinds", 10, [range(5)] * 5, AllDifferent((tuple(range(5)),)), Expression(tuple(QUEENS))
    ),
    case(
        "magic square",
        "combines sums and different numbers",
        8,
        [range(1, 10)] * 9,
        AllDifferent((tuple(range(9)),)),
        Linear.of([([1] * 3, line, "=", 15) for line in LINES]),
    ),
)

PROJECTED_CASES = (
    case(
        "hidden Booleans",
        "counts solutions that differ in shown variables",
        3,
        [BOOLEAN] * 4,
        Clauses.of([[1, 2], [-1, 3]]),
        hidden=(2, 3),
    ),
    case(
        "all hidden",
        "counts one solution where nothing is shown",
        1,
        [BOOLEAN] * 2,
        Clauses.of([[1, 2]]),
        hidden=(0, 1),
    ),
    case(
        "hidden bits of a sum",
        "counts solutions that differ in shown variables",
        3,
        [BOOLEAN] * 4,
        Linear.of([([1] * 4, range(4), "=", 2), ([1, 1], [0, 1], ">=", 1)]),
        hidden=(2, 3),
    ),
    case(
        "hidden numbers",
        "counts solutions that differ in shown variables",
        4,
        [SMALL] * 3,
        Linear.of([([1, 1, 1], range(3), "=", 3)]),
        hidden=(1, 2),
    ),
)
