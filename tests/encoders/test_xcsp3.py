"""XCSP3 text of each kind of constraint; cosoco, where it is installed, finds exactly the solutions of the problems."""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from backends.contract import registry
from backends.contract.answer import Ask
from backends.programs.known_programs import KNOWN
from encoders.decomposing import TO_EXPRESSIONS
from encoders.direct import constraints
from encoders.xcsp3 import xcsp3
from encoders.xcsp3.constraints import TO_XCSP3
from puzzles.constraints import kinds
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
from puzzles.problem.values import Domains, Integers, Solution, bits

NUMBERS = (-2, 0, 1, 3)
A, B, C = (("var", x) for x in range(3))
DIVIDED = Expression((("eq", ("div", A, B), ("number", 0)), ("ne", ("mod", C, B), ("number", 0))))
TEXTS: dict[str, tuple[Constraint, str]] = {
    "all_different": (AllDifferent(((0, 1, 2), (1,))), "<allDifferent> v1 v2 v3 </allDifferent>"),
    "clauses": (Clauses.of([(1, -2)]), "<intension> or(eq(v1,1),ne(v2,1)) </intension>"),
    "linear": (
        Linear.of([([2, 0, -1], [0, 1, 2], "<=", 1)]),
        "<sum> <list> v1 v3 </list> <coeffs> 2 -1 </coeffs> <condition> (le,1) </condition> </sum>",
    ),
    "table": (
        Table.of([(0, 1)], [(1, STAR), (-2, 3)]),
        "<extension> <list> v1 v2 </list> <supports> (-2,3)(1,*) </supports> </extension>",
    ),
    "table, forbidden": (
        Table.of([(0, 1)], [(1, STAR), (-2, 3)], positive=False),
        "<intension> ne(v1,1) </intension>\n"
        "<extension> <list> v1 v2 </list> <conflicts> (-2,3) </conflicts> </extension>",
    ),
    "element": (
        Element((((0, 1), 2, 0, 0),)),
        "<intension> eq(a1,v1) </intension>\n"
        "<element> <list> v1 v2 </list> <index> v3 </index> <value> a1 </value> </element>",
    ),
    "element from 1": (
        Element((((0, 0), 1, 1, 2),)),
        "<intension> eq(a1,v1) </intension>\n<intension> eq(v2,add(a2,1)) </intension>\n"
        "<element> <list> v1 a1 </list> <index> a2 </index> <value> v3 </value> </element>",
    ),
    "count": (
        Count((((0, 1), (0, 3), ">", 2),)),
        "<count> <list> v1 v2 </list> <values> 0 3 </values> <condition> (gt,v3) </condition> </count>",
    ),
    "cardinality": (
        Cardinality((((0, 1), (0, 3), (2, 1), True),)),
        "<cardinality> <list> v1 v2 </list> <values> 0 3 </values> <occurs> v3 v2 </occurs> </cardinality>",
    ),
    "nvalues": (
        NValues((((0, 1), (), "<", 2),)),
        "<nValues> <list> v1 v2 </list> <condition> (eq,a1) </condition> </nValues>\n"
        "<intension> lt(a1,v3) </intension>",
    ),
    "minimum": (
        MinMax((("minimum", (0, 1), "=", 2),)),
        "<minimum> <list> v1 v2 </list> <condition> (eq,v3) </condition> </minimum>",
    ),
    "maximum": (MinMax((("maximum", (0, 1), "!=", 2),)), "<intension> ne(max(v1,v2),v3) </intension>"),
    "lex": (
        Lex((((0, 1), (1, 2), "<"),)),
        "<lex> <list> v1 v2 </list> <list> v2 v3 </list> <operator> lt </operator> </lex>",
    ),
    "automaton": (
        Automaton(((0, 1),), ((2, 0, 2), (2, 0, 1), (1, 3, 0)), 2, (0,)),
        "<regular> <list> v1 v2 </list> <transitions> (q0,0,q1)(q1,0,q1)(q1,3,q2) </transitions>"
        " <start> q0 </start> <final> q2 </final> </regular>",
    ),
    "cumulative": (
        Cumulative((((0, 1), (2, 2), (1, 2), 0),)),
        "<intension> eq(a1,v3) </intension>\n"
        "<cumulative> <origins> v1 v2 </origins> <lengths> v3 a1 </lengths> <heights> v2 v3 </heights>"
        " <condition> (le,v1) </condition> </cumulative>",
    ),
    "circuit": (
        Circuit((((0, 1), 1, ">", 2),)),
        "<intension> gt(add(ne(v1,1),ne(v2,2)),v3) </intension>\n"
        "<allDifferent> v1 v2 </allDifferent>\n"
        "<intension> imp(or(ne(v1,1),eq(v1,1)),eq(a1,0)) </intension>\n"
        "<intension> imp(eq(v2,1),or(ne(v1,1),eq(a1,add(a2,1)))) </intension>\n"
        "<intension> imp(or(and(ne(v2,2),eq(v1,1)),eq(v2,2)),eq(a2,0)) </intension>\n"
        "<intension> imp(eq(v1,2),or(and(ne(v2,2),eq(v1,1)),eq(a2,add(a1,1)))) </intension>",
    ),
    "no_overlap": (
        NoOverlap(((((0,), (1,)), ((2,), (2,)), False),)),
        "<intension> eq(a1,v3) </intension>\n"
        '<noOverlap zeroIgnored="false"> <origins> v1 v2 </origins> <lengths> v3 a1 </lengths> </noOverlap>',
    ),
    "expression": (
        Expression((("iff", A, ("in", B, ("set", 0, 3)), ("and", C)),)),
        "<intension> and(iff(ne(v1,0),in(v2,set(0,3))),iff(ne(v1,0),ne(v3,0))) </intension>",
    ),
    "division": (DIVIDED, "<intension> eq(div(v1,v2),0) </intension>\n<intension> ne(mod(v3,v2),0) </intension>"),
    "false": (Linear.of([([], [], ">=", 1)]), "<intension> eq(v1,4) </intension>"),
    "true": (Linear.of([([], [], ">=", 0)]), "<intension> ge(v1,-2) </intension>"),
}


def problem(constraint: Constraint, numbers: Sequence[int] = NUMBERS) -> Problem:
    return Problem("p", tuple("abc"), Integers(numbers), (constraint,))


def true_solutions(one: Problem, domains: Domains) -> set[Solution]:
    """Return the solutions by brute force, judged by the constraints."""
    every = list(product(*(tuple(bits(mask)) for mask in domains)))
    ok = np.all([c.satisfied(np.array(every, np.uint16), one) for c in one.constraints], axis=0)
    return {s for s, good in zip(every, ok, strict=True) if good}


@pytest.mark.parametrize(("constraint", "text"), TEXTS.values(), ids=TEXTS)
def test_text(constraint: Constraint, text: str) -> None:
    one = problem(constraint)
    lines = xcsp3(constraints(one), one.open).decode().splitlines()
    begin = lines.index(" <constraints>")
    found = "\n".join(line.strip() for line in lines[begin + 1 : -2])
    assert lines[-2:] == [" </constraints>", "</instance>"]
    assert found == text


def test_domains_are_written_with_ranges_and_without_what_is_undefined() -> None:
    lines = xcsp3(constraints(problem(DIVIDED)), (0b0001, 0b1111, 0b0110)).decode().splitlines()
    assert lines[2:5] == [
        '  <var id="v1"> -2 </var>',
        '  <var id="v2"> -2 1 3 </var>',  # without 0, by which v1 is divided
        '  <var id="v3"> 0..1 </var>',
    ]


def test_every_kind_that_an_instance_may_have_is_written() -> None:
    assert {*TO_XCSP3, *TO_EXPRESSIONS} >= set(kinds()) - {"unsupported"}
    assert {constraint.kind for constraint, _ in TEXTS.values()} == set(TO_XCSP3)


@pytest.mark.programs
@pytest.mark.skipif(KNOWN["cosoco"].words() is None, reason="cosoco is not installed")
@pytest.mark.parametrize("name", TEXTS)
def test_cosoco_finds_the_solutions(name: str) -> None:
    one = problem(TEXTS[name][0])
    domains = (0b0111, 0b1010, 0b1110)
    session = registry.find("xcsp3:cosoco").open(constraints(one))
    wanted = true_solutions(one, domains)
    answer = session.ask(Ask(domains, len(wanted) + 1))
    session.close()
    assert set(answer.solutions) == wanted
    assert answer.complete
