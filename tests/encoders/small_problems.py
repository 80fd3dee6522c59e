"""Small problems of each kind of constraint, with domains, for counting models.

Problems are drawn of a kind for which none are stated.
"""

from collections.abc import Sequence
from random import Random

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.generating.problems import KINDS, random_problem
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import Integers

X, Y, Z = (("var", x) for x in range(3))


def instance(first: Constraint, *domains: Sequence[int], more: tuple[Constraint, ...] = ()) -> Instance[Problem]:
    """Return an instance, named by the kind of its first constraint, whose variables take these numbers."""
    numbers = sorted({n for domain in domains for n in domain})
    masks = tuple(sum(1 << numbers.index(n) for n in domain) for domain in domains)
    names = tuple("abcdef"[: len(domains)])
    return Instance(first.kind, Problem(first.kind, names, Integers(numbers), (first, *more)), masks)


def tree(*parts: Tree) -> Expression:
    return Expression(parts)


def number(n: int) -> Tree:
    return ("number", n)


THREE, FOUR, GAPS, BIT = range(3), range(4), (-4, -1, 0, 7), range(2)
DIGITS = tuple(t for t in ((a, b, c) for a in FOUR for b in FOUR for c in FOUR) if sum(t) % 3 == 1)

SMALL = [
    instance(AllDifferent(((0, 1, 2), (2, 3))), THREE, THREE, THREE, THREE),
    instance(AllDifferent(((0, 1, 2, 3),)), GAPS, (0, 7), GAPS, (-4, -1)),
    instance(AllDifferent(((0, 1), (1, 2))), range(5), (2,), (2, 3)),
    instance(AllDifferent(((0, 1, 2),)), (1, 5), (1, 5), (1, 5, 9)),
    instance(AllDifferent(((0, 1, 2),)), BIT, BIT, BIT),
    instance(Clauses.of([(1, 2), (-1, 3), (-2, -3)]), BIT, BIT, BIT),
    instance(Clauses.of([(1, -2, 3), (-1,)]), BIT, BIT, BIT),
    instance(Clauses.of([(1, -2), (2, 3)]), BIT, BIT, BIT, more=(tree(("eq", ("add", X, Y), Z)),)),
    instance(Clauses.of([]), BIT, BIT),
    instance(Clauses.of([(1, 2), ()]), BIT, BIT),
    instance(Clauses.of([(1, 2), (-1, -3)]), THREE, (1, 5), GAPS),
    instance(Clauses.of([(1, -2)]), (-1, 1), (-1, 1)),
    instance(Clauses.of([(1, -2)]), (1, 4), (1, 4)),
    instance(Clauses.of([(-1, -2)]), (-1, 4), (-1, 4)),
    instance(Linear.of([((1, 1, 1), (0, 1, 2), "=", 5)]), FOUR, FOUR, FOUR),
    instance(Linear.of([((2, -3, 1, 4), (0, 1, 2, 3), "<=", 1)]), FOUR, GAPS, (1, 2, 6), BIT),
    instance(Linear.of([((3, 5, -2), (0, 1, 2), ">=", 4), ((1, -1), (0, 2), "!=", 1)]), THREE, FOUR, GAPS),
    instance(Linear.of([((1, 2, 3, 4), (0, 1, 2, 3), "!=", 9)]), FOUR, FOUR, THREE, range(1, 4)),
    instance(Linear.of([((3, 2, 2, 1, 1), (0, 1, 2, 3, 4), ">=", 5)]), BIT, BIT, BIT, BIT, BIT),
    instance(Linear.of([((10**20, 10**20, -(10**20)), (0, 1, 2), "=", 3 * 10**20)]), FOUR, FOUR, FOUR),
    instance(Table.of([(0, 1, 2)], DIGITS), FOUR, FOUR, FOUR),
    instance(Table.of([(0, 1), (1, 2)], [(0, 1), (1, STAR), (3, 3), (9, 9)]), FOUR, FOUR, FOUR),
    instance(Table.of([(0, 1, 2)], [(0, STAR, 1), (STAR, 7, 0), (-1, -1, -1)], positive=False), GAPS, GAPS, GAPS),
    instance(Table.of([(0, 1, 2)], [(0, STAR, 1), (STAR, 7, 0), (-1, -1, -1)]), GAPS, (0, 7), GAPS),
    instance(Table.of([(2,), (0,)], [(7,), (-4,)]), GAPS, GAPS, (0, 7)),
    instance(Table.of([(0, 1)], []), THREE, THREE),
    instance(Element((((0, 1, 2), 3, 1, 0),)), THREE, THREE, FOUR, FOUR),
    instance(Element((((0, 1), 2, -1, 3),)), (2, 5), (3, 5), GAPS, (2, 3, 5)),
    instance(Element((((1, 2), 0, 0, 3), ((2, 1), 0, 0, 1))), BIT, FOUR, FOUR, FOUR),
    instance(Element((((0, 0, 1), 1, 0, 2),)), THREE, THREE, THREE),
    instance(Count((((0, 1, 2), (1, 2), "=", 3),)), FOUR, FOUR, FOUR, FOUR),
    instance(Count((((0, 1, 1), (0, 9), "<", 2),)), THREE, THREE, THREE),
    instance(Count((((0, 1, 2), (-4, 7), ">=", 3), ((0, 1), (0,), "!=", 3))), GAPS, GAPS, GAPS, (0, 1, 2)),
    instance(Count((((0, 1, 2), (), "<=", 0),)), GAPS, THREE, THREE),
    instance(Cardinality((((0, 1, 2), (1, 2), (3, 3), False),)), THREE, THREE, THREE, THREE),
    instance(Cardinality((((0, 1, 2), (0, 7), (2, 3), True),)), GAPS, GAPS, GAPS, BIT),
    instance(Cardinality((((0, 1), (5,), (2,), False),)), FOUR, THREE, (0, 1)),
    instance(Cardinality((((0, 1, 2), (0, 1, 2), (3, 3, 4), True),)), THREE, THREE, THREE, BIT, (1, 2)),
    instance(NValues((((0, 1, 2), (), "=", 3),)), THREE, THREE, THREE, FOUR),
    instance(NValues((((0, 1, 2), (0,), ">", 3),)), GAPS, GAPS, (0, 7), THREE),
    instance(NValues((((0, 1), (), "!=", 0),)), FOUR, FOUR),
    instance(NValues((((0, 1, 2), (1,), "<=", 0),)), BIT, BIT, BIT),
    instance(MinMax((("minimum", (0, 1), "=", 2),)), FOUR, FOUR, FOUR),
    instance(MinMax((("maximum", (0, 1, 2), "<", 3),)), GAPS, (0, 3), (-1, 7), (-1, 0, 5, 9)),
    instance(MinMax((("maximum", (0, 1), ">", 2), ("minimum", (0, 1), ">=", 2))), FOUR, FOUR, THREE),
    instance(MinMax((("minimum", (0, 1), "!=", 2), ("maximum", (0, 2), "<=", 1))), GAPS, GAPS, GAPS),
    instance(Lex((((0, 1), (2, 3), "<"),)), THREE, THREE, THREE, THREE),
    instance(Lex((((0, 1), (2, 3), ">="),)), GAPS, BIT, (-1, 7), THREE),
    instance(Lex((((0, 1, 2), (2, 1, 0), "<="),)), FOUR, FOUR, FOUR),
    instance(Lex((((), (), "<"),)), BIT),
    instance(Lex((((0, 1), (1, 2), ">"),)), FOUR, FOUR, FOUR),
    instance(Automaton(((0, 1, 2),), ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 2, 0)), 0, (1,)), THREE, THREE, THREE),
    instance(Automaton(((0, 1, 2, 0),), ((0, 0, 0), (0, 0, 1), (1, 1, 1), (0, 1, 0)), 0, (1,)), BIT, BIT, BIT),
    instance(Automaton(((0, 1), (1, 2)), ((0, 7, 1), (1, -4, 2), (1, 0, 0), (2, 7, 2)), 0, (0, 2)), GAPS, GAPS, GAPS),
    instance(Automaton(((0,),), ((0, 1, 1),), 0, (0,)), THREE),
    instance(Cumulative((((0, 1, 2), (3, 3, 4), (4, 3, 4), 5),)), FOUR, FOUR, THREE, (2,), (1,), (1, 2)),
    instance(Cumulative((((0, 1), (2, 3), (3, 3), 3),)), FOUR, GAPS, THREE, (1,)),
    instance(Cumulative((((0, 1), (2, 2), (3, 4), 5),)), THREE, THREE, (2,), (-1, 1, 2), (0, 1), (-1, 1, 3)),
    instance(Cumulative((((0, 1, 1), (2, 2, 3), (2, 2, 2), 4),)), FOUR, FOUR, (2,), (0,), (-1, 2, 4)),
    instance(Cumulative((((0, 1), (1, 2), (2, 2), 2), ((0, 2), (1, 1), (1, 1), 1))), GAPS, (-1, 1, 2), THREE),
    instance(Cumulative((((), (), (), 0),)), GAPS),
    instance(NoOverlap(((((0,), (1,)), ((2,), (3,)), False),)), FOUR, FOUR, THREE, (-1, 0, 2)),
    instance(NoOverlap(((((0,), (1,)), ((2,), (3,)), True),)), FOUR, FOUR, THREE, (-1, 0, 2)),
    instance(NoOverlap(((((0, 1), (2, 3)), ((4, 5), (5, 4)), False),)), THREE, THREE, THREE, THREE, (2,), (1,)),
    instance(NoOverlap(((((0, 1), (2, 2)), ((3, 3), (3, 2)), True),)), THREE, THREE, THREE, (0, 1)),
    instance(NoOverlap(((((0,), (1,), (2,)), ((3,), (3,), (1,)), False),)), GAPS, (-4, 0, 2), FOUR, (3,)),
    instance(Circuit((((0, 1, 2, 3), 0, ">", 4),)), FOUR, FOUR, FOUR, FOUR, (1, 2)),
    instance(Circuit((((0, 1, 2, 3), 1, "=", 4),)), range(5), FOUR, range(1, 5), range(1, 5), (0, 1, 3, 4)),
    instance(Circuit((((0, 1, 2), -1, "<=", 2),)), GAPS, (-1, 0, 1), (-1, 0, 1, 7)),
    instance(Circuit((((0, 1, 2), 0, "!=", 3), ((1, 3), 1, ">=", 0))), THREE, THREE, THREE, FOUR),
    instance(Circuit((((), 0, "<", 0), ((0,), 1, ">", 1))), THREE, GAPS),
    instance(tree(("eq", ("mul", X, Y), Z)), FOUR, FOUR, FOUR),
    instance(tree(("ge", ("div", X, Y), Z), ("ne", ("mod", X, number(3)), Y)), range(-3, 4), GAPS, THREE),
    instance(tree(("or", ("lt", ("add", X, number(2)), Y), ("le", ("add", Y, Z), X))), FOUR, FOUR, FOUR),
    instance(tree(("eq", ("add", ("eq", X, Y), ("gt", Y, Z), ("in", X, ("set", 0, 7))), number(2))), GAPS, GAPS, THREE),
    instance(tree(("imp", ("iff", X, ("not", Y)), ("xor", Y, Z, ("ne", X, Z)))), THREE, THREE, THREE),
    instance(tree(("lt", ("if", ("eq", X, Y), ("abs", X), ("dist", X, Z)), number(2))), GAPS, GAPS, GAPS),
    instance(tree(("eq", ("max", X, ("sqr", Y)), ("pow", Z, ("sub", X, number(1))))), FOUR, THREE, FOUR),
    instance(tree(("or", ("eq", ("mul", X, Y), Z), ("lt", X, ("mod", Y, Z)))), FOUR, FOUR, GAPS),
    instance(tree(("mul", X, X, Y), ("lt", ("mul", X, number(2)), Z)), FOUR, (), GAPS),
    instance(tree(("eq", X, Y, ("min", Y, ("neg", Z)))), GAPS, GAPS, GAPS),
]
DRAWN = sorted(set(KINDS) - {instance.name for instance in SMALL})
SMALL += [random_problem([kind], Random(f"{kind} {n}")) for kind in DRAWN for n in range(8)]
