"""XCSP3 files: each constraint has the models of its definition, written out in plain Python, by brute force.

Long because each form that the reader takes stands here as XML beside its definition, and each that it refuses beside
the message.
"""

import bz2
import math
import re
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from encoders.formula import Unsupported
from encoders.registry import spec
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.plugins import processes
from puzzles.problem import Instance, Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import bits
from puzzles.readers import xcsp3
from puzzles.stored import load

pytestmark = pytest.mark.skipif(find_spec("pycsp3") is None, reason="needs the extra xcsp3")

X, Y = (-1, 0, 1, 3), (0, 1, 2)
ALL = [((a, b, c), ((d, e), (f, g))) for a, b, c, d, e, f, g in product(X, X, X, Y, Y, Y, Y)]
VARIABLES = """
<array id="x" size="[3]"> -1..1 3 </array>
<array id="y" size="[2][2]"> <domain for="y[0][]"> 0..2 </domain> <domain for="others"> 0 1 2 </domain> </array>"""
Vector = Sequence[int]
Matrix = Sequence[Vector]
Held = Callable[[Vector, Matrix], bool]


def document(constraints: str, variables: str = VARIABLES, rest: str = "") -> str:
    return (
        f'<instance format="XCSP3" type="CSP">\n<variables>{variables}\n</variables>\n'
        f"<constraints>\n{constraints}\n</constraints>{rest}\n</instance>\n"
    )


def quotient(a: int, b: int) -> int:
    return int(math.copysign(abs(a) // abs(b), a * b)) if a else 0


def leads(x: Vector, values: Sequence[int]) -> bool:
    """Each value is taken only after the value before it."""
    first = [x.index(v) if v in x else len(x) for v in values]
    return all(a < b or b == len(x) for a, b in pairwise(first))


def selects(items: Vector, at: int, value: int) -> bool:
    return 0 <= at < len(items) and items[at] == value


KINDS: dict[str, tuple[str, Held]] = {
    "intension": ("<intension> eq(add(x[0],x[1]),mul(x[2],2)) </intension>", lambda x, y: x[0] + x[1] == 2 * x[2]),
    "intension, division": (
        "<intension> <function> eq(div(x[0],x[1]),y[0][0]) </function> </intension>",
        lambda x, y: x[1] != 0 and quotient(x[0], x[1]) == y[0][0],
    ),
    "intension, remainder": (
        "<intension> eq(mod(x[0],x[1]),mod(x[2],2)) </intension>",
        lambda x, y: x[1] != 0 and x[0] - quotient(x[0], x[1]) * x[1] == x[2] - quotient(x[2], 2) * 2,
    ),
    "intension, undefined below or": (
        "<intension> or(eq(x[1],0),gt(div(3,x[1]),0)) </intension>",
        lambda x, y: x[1] > 0,
    ),
    "intension, sets": (
        "<intension> and(in(x[0],set(-1,3)),notin(x[1],set(0,x[2]))) </intension>",
        lambda x, y: x[0] in (-1, 3) and x[1] not in (0, x[2]),
    ),
    "intension, logic": (
        "<intension> iff(imp(gt(x[0],0),lt(x[1],0)),xor(eq(x[2],3),eq(y[0][0],1)),not(lt(y[1][1],1))) </intension>",
        lambda x, y: len({x[0] <= 0 or x[1] < 0, (x[2] == 3) != (y[0][0] == 1), y[1][1] >= 1}) == 1,
    ),
    "intension, functions": (
        "<intension> le( dist(x[0], neg(x[1])), if(ge(x[2],abs(x[0])),"
        " max(y[0][0],x[2],1), min(sqr(x[1]),2)) ) </intension>",
        lambda x, y: abs(x[0] + x[1]) <= (max(y[0][0], x[2], 1) if x[2] >= abs(x[0]) else min(x[1] ** 2, 2)),
    ),
    "intension, power": (
        "<intension> ne(pow(x[0],y[0][0]),sub(x[1],x[2])) </intension>",
        lambda x, y: x[0] ** y[0][0] != x[1] - x[2],
    ),
    "extension": (
        "<extension> <list> x[0] x[2] </list> <supports> (-1,3)(0,0)( 3 , 1 ) (5,5) </supports> </extension>",
        lambda x, y: (x[0], x[2]) in ((-1, 3), (0, 0), (3, 1)),
    ),
    "extension, conflicts": (
        "<extension> <list> x[] </list> <conflicts> (-1,3,0)(1,1,1) </conflicts> </extension>",
        lambda x, y: tuple(x) not in ((-1, 3, 0), (1, 1, 1)),
    ),
    "extension, short": (
        "<extension> <list> x[] </list> <supports> (*,3,0)(1,*,*) </supports> </extension>",
        lambda x, y: (x[1], x[2]) == (3, 0) or x[0] == 1,
    ),
    "extension, short conflicts": (
        "<extension> <list> x[0] y[0][1] </list> <conflicts> (*,2)(1,*) </conflicts> </extension>",
        lambda x, y: y[0][1] != 2 and x[0] != 1,
    ),
    "extension, unary": (
        "<extension> <list> x[1] </list> <supports> -1..0 3 </supports> </extension>",
        lambda x, y: x[1] in (-1, 0, 3),
    ),
    "extension, no tuple": ("<extension> <list> x[0..1] </list> <supports/> </extension>", lambda x, y: False),
    "extension, no conflict": ("<extension> <list> x[1] </list> <conflicts/> </extension>", lambda x, y: True),
    "allDifferent": ("<allDifferent> x[] </allDifferent>", lambda x, y: len(set(x)) == 3),
    "allDifferent, numbers": ("<allDifferent> x[0] 3 x[1] </allDifferent>", lambda x, y: len({x[0], 3, x[1]}) == 3),
    "allDifferent, except": (
        "<allDifferent> <list> x[] </list> <except> 0 -1 </except> </allDifferent>",
        lambda x, y: all(x.count(v) < 2 for v in (1, 3)),
    ),
    "allDifferent, trees": (
        "<allDifferent> add(x[0],0) add(x[1],1) add(x[2],2) </allDifferent>",
        lambda x, y: len({x[0], x[1] + 1, x[2] + 2}) == 3,
    ),
    "allDifferent, matrix": (
        "<allDifferent> <matrix> y[][] </matrix> </allDifferent>",
        lambda x, y: all(len({*line}) == 2 for line in (*y, *zip(*y, strict=True))),
    ),
    "allDifferent, matrix in rows": (
        "<allDifferent> <matrix> (x[0],y[0][0])(x[1],x[2]) </matrix> </allDifferent>",
        lambda x, y: x[0] != y[0][0] and x[1] != x[2] and x[0] != x[1] and y[0][0] != x[2],
    ),
    "allDifferentList": (
        "<allDifferent> <list> x[0..1] </list> <list> y[0][] </list> <list> y[1][] </list> </allDifferent>",
        lambda x, y: len({tuple(x[:2]), tuple(y[0]), tuple(y[1])}) == 3,
    ),
    "allDifferentList, except": (
        "<allDifferent> <list> y[0][] </list> <list> y[1][] </list> <except> (0,0)(1,2) </except> </allDifferent>",
        lambda x, y: tuple(y[0]) != tuple(y[1]) or tuple(y[0]) in ((0, 0), (1, 2)),
    ),
    "allEqual": ("<allEqual> x[0] x[2] y[0][0] </allEqual>", lambda x, y: x[0] == x[2] == y[0][0]),
    "allEqual, trees": ("<allEqual> add(x[0],1) x[2] </allEqual>", lambda x, y: x[0] + 1 == x[2]),
    "allEqual, lists": (
        "<allEqual> <list> y[0][] </list> <list> y[1][] </list> </allEqual>",
        lambda x, y: tuple(y[0]) == tuple(y[1]),
    ),
    "ordered": (
        "<ordered> <list> x[] </list> <operator> lt </operator> </ordered>",
        lambda x, y: x[0] < x[1] < x[2],
    ),
    "ordered, lengths": (
        "<ordered> <list> x[] </list> <lengths> 2 y[0][0] </lengths> <operator> le </operator> </ordered>",
        lambda x, y: x[0] + 2 <= x[1] and x[1] + y[0][0] <= x[2],
    ),
    "lex": (
        "<lex> <list> x[0..1] </list> <list> y[0][] </list> <list> 1 1 </list> <operator> le </operator> </lex>",
        lambda x, y: tuple(x[:2]) <= tuple(y[0]) <= (1, 1),
    ),
    "lex, trees": (
        "<lex> <list> x[0] neg(x[1]) </list> <list> x[2] y[0][0] </list> <operator> gt </operator> </lex>",
        lambda x, y: (x[0], -x[1]) > (x[2], y[0][0]),
    ),
    "lex, matrix": (
        "<lex> <matrix> y[][] </matrix> <operator> lt </operator> </lex>",
        lambda x, y: tuple(y[0]) < tuple(y[1]) and (y[0][0], y[1][0]) < (y[0][1], y[1][1]),
    ),
    "sum": (
        "<sum> <list> x[] </list> <coeffs> 2 -1 3 </coeffs> <condition> (lt,4) </condition> </sum>",
        lambda x, y: 2 * x[0] - x[1] + 3 * x[2] < 4,
    ),
    "sum, repeated": (
        "<sum> <list> x[] y[][] </list> <coeffs> 1x3 -1x4 </coeffs> <condition> (ne,y[0][0]) </condition> </sum>",
        lambda x, y: sum(x) - sum(map(sum, y)) != y[0][0],
    ),
    "sum, range": ("<sum> <list> x[] </list> <condition> (in,2..4) </condition> </sum>", lambda x, y: 2 <= sum(x) <= 4),
    "sum, not in range": (
        "<sum> <list> x[] </list> <condition> (notin,2..4) </condition> </sum>",
        lambda x, y: not 2 <= sum(x) <= 4,
    ),
    "sum, set": (
        "<sum> <list> x[] </list> <condition> (in, {1, 5, -2}) </condition> </sum>",
        lambda x, y: sum(x) in (1, 5, -2),
    ),
    "sum, not in set": (
        "<sum> <list> x[] </list> <condition> (notin,{1,5}) </condition> </sum>",
        lambda x, y: sum(x) not in (1, 5),
    ),
    "sum, variable coefficients": (
        "<sum> <list> x[0..1] </list> <coeffs> y[0][] </coeffs> <condition> (gt,x[2]) </condition> </sum>",
        lambda x, y: x[0] * y[0][0] + x[1] * y[0][1] > x[2],
    ),
    "sum, trees": (
        "<sum> <list> eq(x[0],1) gt(x[1],0) y[0][0] </list> <coeffs> 2 1 1 </coeffs>"
        " <condition> (eq,3) </condition> </sum>",
        lambda x, y: 2 * (x[0] == 1) + (x[1] > 0) + y[0][0] == 3,
    ),
    "count": (
        "<count> <list> x[] </list> <values> -1 3 </values> <condition> (ge,y[0][0]) </condition> </count>",
        lambda x, y: sum(v in (-1, 3) for v in x) >= y[0][0],
    ),
    "count, variables": (
        "<count> <list> x[] </list> <values> y[0][] </values> <condition> (eq,1) </condition> </count>",
        lambda x, y: sum(v in y[0] for v in x) == 1,
    ),
    "count, set": (
        "<count> <list> x[] y[0][] </list> <values> 0..1 </values> <condition> (in,{0,3}) </condition> </count>",
        lambda x, y: sum(v in (0, 1) for v in (*x, *y[0])) in (0, 3),
    ),
    "nValues": (
        "<nValues> <list> x[] y[0][] </list> <condition> (lt,4) </condition> </nValues>",
        lambda x, y: len({*x, *y[0]}) < 4,
    ),
    "nValues, except": (
        "<nValues> <list> x[] </list> <except> 0 </except> <condition> (eq,y[0][0]) </condition> </nValues>",
        lambda x, y: len({*x} - {0}) == y[0][0],
    ),
    "nValues, trees": (
        "<nValues> <list> add(x[0],1) x[1] x[2] </list> <except> 1 </except> <condition>"
        " (ne,2) </condition> </nValues>",
        lambda x, y: len({x[0] + 1, x[1], x[2]} - {1}) != 2,
    ),
    "cardinality": (
        "<cardinality> <list> x[] </list> <values> -1 3 </values> <occurs> 1 y[0][0] </occurs> </cardinality>",
        lambda x, y: (x.count(-1), x.count(3)) == (1, y[0][0]),
    ),
    "cardinality, closed": (
        '<cardinality> <list> x[] </list> <values closed="true"> 0 1 </values> <occurs> 1 2 </occurs> </cardinality>',
        lambda x, y: sorted(x) == [0, 1, 1],
    ),
    "cardinality, ranges": (
        '<cardinality> <list> x[] </list> <values closed="true"> 0 1 3 </values>'
        " <occurs> 0..1 1..2 0..3 </occurs> </cardinality>",
        lambda x, y: -1 not in x and x.count(0) <= 1 and 1 <= x.count(1) <= 2,
    ),
    "cardinality, variables": (
        "<cardinality> <list> x[] </list> <values> y[0][0] 3 </values> <occurs> 1 y[1][1] </occurs> </cardinality>",
        lambda x, y: (x.count(y[0][0]), x.count(3)) == (1, y[1][1]),
    ),
    "minimum": (
        "<minimum> <list> x[] y[0][0] </list> <condition> (eq,y[0][1]) </condition> </minimum>",
        lambda x, y: min(*x, y[0][0]) == y[0][1],
    ),
    "maximum": (
        "<maximum> <list> x[] </list> <condition> (in,0..1) </condition> </maximum>",
        lambda x, y: 0 <= max(x) <= 1,
    ),
    "maximum, trees": (
        "<maximum> <list> neg(x[0]) x[1] </list> <condition> (notin,{1}) </condition> </maximum>",
        lambda x, y: max(-x[0], x[1]) != 1,
    ),
    "element": (
        "<element> <list> y[][] </list> <index> x[0] </index> <value> x[1] </value> </element>",
        lambda x, y: selects([*y[0], *y[1]], x[0], x[1]),
    ),
    "element, start": (
        '<element> <list startIndex="1"> x[0] 3 x[1] </list> <index> x[2] </index> <value> 3 </value> </element>',
        lambda x, y: selects([x[0], 3, x[1]], x[2] - 1, 3),
    ),
    "element, condition": (
        "<element> <list> y[][] </list> <index> x[0] </index> <condition> (lt,x[1]) </condition> </element>",
        lambda x, y: x[0] >= 0 and [*y[0], *y[1]][x[0]] < x[1],
    ),
    "element, member": ("<element> <list> x[] </list> <value> y[0][0] </value> </element>", lambda x, y: y[0][0] in x),
    "element, matrix of numbers": (
        "<element> <matrix> (1,2,0)(0,1,3) </matrix> <index> y[0][0] y[0][1] </index> <value> x[0] </value> </element>",
        lambda x, y: y[0][0] < 2 and ((1, 2, 0), (0, 1, 3))[y[0][0]][y[0][1]] == x[0],
    ),
    "element, matrix": (
        "<element> <matrix> y[][] </matrix> <index> x[0] x[1] </index> <condition> (le,1) </condition> </element>",
        lambda x, y: x[0] in (0, 1) and x[1] in (0, 1) and y[x[0]][x[1]] <= 1,
    ),
    "channel": (
        "<channel> x[] </channel>",
        lambda x, y: all(0 <= v < 3 and x[v] == i for i, v in enumerate(x)),
    ),
    "channel, lists": (
        '<channel> <list> x[0..1] </list> <list startIndex="1"> y[0][] </list> </channel>',
        lambda x, y: (
            all(v in (1, 2) for v in x[:2])
            and all(v in (0, 1) for v in y[0])
            and all(y[0][x[i] - 1] == i and x[y[0][i]] - 1 == i for i in (0, 1))
        ),
    ),
    "channel, shorter list": (
        "<channel> <list> y[0][] </list> <list> x[] </list> </channel>",
        lambda x, y: all(x[v] == i for i, v in enumerate(y[0])),
    ),
    "channel, value": (
        "<channel> <list> y[0][] </list> <value> x[0] </value> </channel>",
        lambda x, y: x[0] in (0, 1) and all((v == 1) == (x[0] == i) for i, v in enumerate(y[0])),
    ),
    "precedence": (
        "<precedence> <list> x[] </list> <values> 3 0 -1 </values> </precedence>",
        lambda x, y: leads(x, (3, 0, -1)),
    ),
    "precedence, of all values": ("<precedence> x[] </precedence>", lambda x, y: leads(x, X)),
    "precedence, covered": (
        '<precedence> <list> x[] </list> <values covered="true"> 1 0 </values> </precedence>',
        lambda x, y: leads(x, (1, 0)) and 0 in x,
    ),
    "regular": (
        "<regular> <list> x[] </list> <transitions> (a,0,a)(a,1,b)(b,3,b)(b,-1,c) </transitions>"
        " <start> a </start> <final> b c </final> </regular>",
        lambda x, y: tuple(x) in ((0, 0, 1), (0, 1, 3), (1, 3, 3), (0, 1, -1), (1, 3, -1)),
    ),
    "mdd": (
        "<mdd> <list> x[0..1] y[0][0] </list>"
        " <transitions> (r,0,n1)(r,3,n2)(n1,1,m)(n2,1,m)(n2,-1,m)(m,2,t) </transitions> </mdd>",
        lambda x, y: (*x[:2], y[0][0]) in ((0, 1, 2), (3, 1, 2), (3, -1, 2)),
    ),
    "instantiation": (
        "<instantiation> <list> x[] </list> <values> 3 * 0 </values> </instantiation>",
        lambda x, y: (x[0], x[2]) == (3, 0),
    ),
    "group": (
        "<group> <intension> lt(%0,add(%1,1)) </intension> <args> x[0] x[1] </args> <args> 1 x[2] </args> </group>",
        lambda x, y: x[0] <= x[1] and x[2] >= 1,
    ),
    "group, the rest of the arguments": (
        "<group> <sum> <list> %... </list> <condition> (eq,%0) </condition> </sum> <args> 2 x[] </args>"
        " <args> x[0] y[0][] </args> </group>",
        lambda x, y: sum(x) == 2 and sum(y[0]) == x[0],
    ),
    "group of tables": (
        "<group> <extension> <list> %0 %1 </list> <conflicts> (0,1)(1,1) </conflicts> </extension>"
        " <args> x[0..1] </args> <args> y[0][] </args> </group>",
        lambda x, y: tuple(x[:2]) not in ((0, 1), (1, 1)) and tuple(y[0]) not in ((0, 1), (1, 1)),
    ),
    "block": (
        '<block class="symmetryBreaking"> <block> <intension> le(x[0],x[1]) </intension> </block>'
        ' <sum id="s" note="a sum"> <list> x[0] </list> <condition> (ge,1) </condition> </sum> </block>',
        lambda x, y: 1 <= x[0] <= x[1],
    ),
    "slide": (
        "<slide> <list> x[] </list> <intension> ne(%0,%1) </intension> </slide>",
        lambda x, y: x[0] != x[1] != x[2],
    ),
    "slide, circular": (
        '<slide circular="true"> <list> x[] </list> <intension> lt(%0,add(%1,2)) </intension> </slide>',
        lambda x, y: all(x[i] < x[(i + 1) % 3] + 2 for i in range(3)),
    ),
    "slide, offset": (
        '<slide> <list offset="2"> y[][] </list> <intension> lt(%0,%1) </intension> </slide>',
        lambda x, y: y[0][0] < y[0][1] and y[1][0] < y[1][1],
    ),
    "slide, two lists": (
        '<slide> <list> x[0..1] </list> <list collect="2"> x[] </list> <intension>'
        " ne(%0,add(%1,%2)) </intension> </slide>",
        lambda x, y: x[0] != x[0] + x[1] and x[1] != x[1] + x[2],
    ),
}


def one(path: Path, notes: list[str] | None = None) -> Instance[Problem]:
    (instance,) = read(path, ReaderOptions(notify=notes.append if notes is not None else str))
    return instance


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "a.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def models(instance: Instance[Problem]) -> set[tuple[int, ...]]:
    """Return the assignments, as numbers, that meet domains and constraints."""
    problem = instance.problem
    every = np.array(list(product(*(list(bits(mask)) for mask in instance.domains))), np.uint16)
    ok = np.all([constraint.satisfied(every, problem) for constraint in problem.constraints], axis=0)
    numbers = list(map(int, problem.values))
    return {tuple(numbers[v] for v in row) for row in every[ok].tolist()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_constraint_has_the_models_of_its_definition(kind: str, tmp_path: Path) -> None:
    text, held = KINDS[kind]
    instance = one(written(tmp_path, document(text)))
    assert list(instance.problem.variables[:4]) == ["x[0]", "x[1]", "x[2]", "y[0][0]"]
    wanted = {(*x, *y[0], *y[1]) for x, y in ALL if held(x, y)}
    assert {model[:7] for model in models(instance)} == wanted
    assert load(dump(instance.problem)) == instance.problem


def test_variables_and_constants(tmp_path: Path) -> None:
    text = document(
        "<sum> <list> u x[] </list> <condition> (le,7) </condition> </sum>"
        "<element> <list> 7 x[] 9 </list> <index> u </index> <value> 9 </value> </element>",
        '<var id="u"> -5 0..2 40 </var> <array id="x" size="[2]" note="two"> 9 </array> <var id="v" as="u"/>',
    )
    instance = one(written(tmp_path, text))
    problem = instance.problem
    assert list(problem.variables) == ["u", "x[0]", "x[1]", "v", "7", "9"]
    values = list(map(int, problem.values))
    wide = [-5, 0, 1, 2, 40]
    assert [[values[v] for v in bits(mask)] for mask in instance.domains] == [wide, [9], [9], wide, [7], [9]]
    assert not problem.shared


def test_without_constraints_every_assignment_is_a_solution(tmp_path: Path) -> None:
    text = '<instance format="XCSP3"><variables> <var id="u"> 1 3 </var> </variables></instance>'
    instance = one(written(tmp_path, text))
    assert (instance.problem.constraints, instance.domains) == ((), (3,))


def test_clauses_of_boolean_variables_are_clauses(tmp_path: Path) -> None:
    clause = "<clause> x[0] not(x[1]) </clause>"
    boolean = one(written(tmp_path, document(clause, '<array id="x" size="[2]"> 0..1 </array>')))
    assert [c.kind for c in boolean.problem.constraints] == ["clauses"]
    wider = '<array id="x" size="[2]"> 0..1 </array> <var id="z"> -3 </var>'
    mixed = one(written(tmp_path, document(clause, wider)))
    assert [c.kind for c in mixed.problem.constraints] == ["linear"]
    assert models(boolean) == {model[:2] for model in models(mixed)} == {(0, 0), (1, 0), (1, 1)}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_content_and_declared_encoding_decide(encoding: str, tmp_path: Path) -> None:
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    text = f'<?xml version="1.0" encoding="{declared}"?>\n<!-- caf\xe9 -->\n' + document(
        "<allDifferent> x[] </allDifferent>"
    )
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode(encoding))
    assert len(one(path).problem.constraints) == 1


UNSUPPORTED = {
    "one": ("<circuit> x[] </circuit>", VARIABLES, "circuit"),
    "several": (
        "<circuit> x[] </circuit> <allDifferent> x[] </allDifferent> <group> <cumulative/> <args> 1 </args> </group>"
        "<circuit> x[] </circuit>",
        VARIABLES,
        "circuit, cumulative",
    ),
    "a variant": (
        "<minimum> <list> x[] </list> <index> x[0] </index> <condition> (eq,1) </condition> </minimum>",
        VARIABLES,
        "minimum with index",
    ),
    "reification": ('<allDifferent reifiedBy="x[0]"> x[] </allDifferent>', VARIABLES, "allDifferent with reifiedBy"),
    "hybrid tables": (
        '<extension type="hybrid-1"> <list> x[0] </list> <supports> 1 </supports> </extension>',
        VARIABLES,
        "extension with type",
    ),
    "a mixed template": (
        "<group> <allDifferent> <list> x[0] %0 </list> </allDifferent> <args> x[1] </args> </group>",
        VARIABLES,
        "templates that mix parameters and others",
    ),
    "symbols": ("<allEqual> c </allEqual>", '<var id="c" type="symbolic"> red green </var>', "symbolic variables"),
    "long numbers": (
        f"<sum> <list> x[] </list> <coeffs> 1 1 {10**30} </coeffs> <condition> (eq,1) </condition> </sum>",
        VARIABLES,
        "numbers beyond 64 bits",
    ),
    "a long value": ("<allEqual> x </allEqual>", f'<var id="x"> 0 {1 << 63} </var>', "numbers beyond 64 bits"),
    "a large domain": ("<allEqual> x </allEqual>", '<var id="x"> 1..70000 </var>', "1 variables with 70000 values"),
    "a huge domain": (
        "<allEqual> x </allEqual>",
        f'<var id="x"> 1..{10**40} </var>',
        f"1 variables with {10**40} values",
    ),
    "a huge array": (
        "<allEqual> x[] </allEqual>",
        '<array id="x" size="[99999][99999]"> 1 </array>',
        "more than 262144 variables",
    ),
    "a huge range": (
        "<count> <list> x[] </list> <values> 0..99999999 </values> <condition> (eq,1) </condition> </count>",
        VARIABLES,
        "constraints of more than 1048576 parts",
    ),
}


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_what_is_not_read_makes_its_instance_unsupported_by_name(kind: str, tmp_path: Path) -> None:
    constraints, variables, names = UNSUPPORTED[kind]
    path = written(tmp_path, document(constraints, variables))
    notes: list[str] = []
    instance = one(path, notes)
    assert unsupported_parts(instance.problem) == names
    assert notes == [f"{path}: not supported: {names}"]
    with pytest.raises(Unsupported, match=re.escape(names)):
        spec("extended").formula(load(dump(instance.problem)))


def constraint(text: str) -> str:
    return document(f"<allDifferent> x[] </allDifferent>\n{text}")


LINE = 8  # of the second constraint in a document
BAD: dict[str, tuple[str, int, str]] = {
    "cut": (document("<allDifferent> x[] </allDifferent>")[:-30], 7, "not well-formed"),
    "not closed": (constraint("<sum> <list> x[] </sum>"), LINE, "not well-formed XML: mismatched tag"),
    "entities": (
        '<?xml version="1.0"?>\n<!DOCTYPE instance [ <!ENTITY a "ha"> ]>\n' + document("&a;"),
        2,
        "document type",
    ),
    "an unknown entity": (constraint("<intension> &a; </intension>"), LINE, "undefined entity"),
    "another root": ('<instance format="XCSP2">\n</instance>', 1, 'expected <instance format="XCSP3">'),
    "no variables": ('<instance format="XCSP3" type="CSP"><constraints/></instance>', 1, "one <variables>"),
    "no variable": ('<instance format="XCSP3" type="CSP">\n<variables/></instance>', 2, "declares none"),
    "constraints twice": (document("</constraints><constraints>"), 1, "<constraints> once at most"),
    "an unknown part": (document("", rest="<extra/>"), 8, "unknown element <extra>"),
    "an unknown constraint": (
        constraint("<alldifferent> x[] </alldifferent>"),
        LINE,
        "unknown constraint <alldifferent>",
    ),
    "an unknown argument": (constraint("<sum> <lists> x[] </lists> </sum>"), LINE, "unexpected <lists> in <sum>"),
    "an unknown variable": (constraint("<allDifferent> x[0] z </allDifferent>"), LINE, "unknown variable 'z'"),
    "an unknown variable in an expression": (constraint("<intension> eq(x[0],z) </intension>"), LINE, "variable 'z'"),
    "an unknown variable in a condition": (
        constraint("<sum> <list> x[] </list>\n<condition> (eq,z) </condition> </sum>"),
        LINE + 1,
        "unknown variable 'z'",
    ),
    "an index too large": (constraint("<allDifferent> x[0] x[3] </allDifferent>"), LINE, "'x[3]' is outside x"),
    "an index out of a row": (constraint("<intension> eq(y[0][3],1) </intension>"), LINE, "'y[0][3]' is outside y"),
    "an index too many": (constraint("<intension> eq(x[0][1],1) </intension>"), LINE, "'x[0][1]' needs 1 indices"),
    "an index missing": (constraint("<allEqual> y[0] </allEqual>"), LINE, "'y[0]' needs 2 indices"),
    "an unknown operator": (constraint("<intension> equal(x[0],1) </intension>"), LINE, "unknown operator 'equal'"),
    "operands missing": (constraint("<intension> eq(x[0]) </intension>"), LINE, "eq with 1 operands"),
    "text after an expression": (constraint("<intension> eq(x[0],1)x[2] </intension>"), LINE, "unexpected 'x[2]'"),
    "an expression cut": (
        constraint("<intension> eq(x[0],add(x[1],1) </intension>"),
        LINE,
        "not a complete expression",
    ),
    "deep nesting": (constraint(f"<intension> {'neg(' * 999}x[0]{')' * 999} </intension>"), LINE, "nested deeper than"),
    "a tuple not closed": (
        constraint("<extension> <list> x[0..1] </list>\n<supports> (1,1)(0,33 </supports> </extension>"),
        LINE + 1,
        "expected tuples such as (1,2)(3,*), not '(0,33'",
    ),
    "a tuple too long": (
        constraint("<extension> <list> x[0..1] </list> <supports> (1,1,1) </supports> </extension>"),
        LINE,
        "a tuple of 3 values for 2 variables",
    ),
    "tuples of two lengths": (
        constraint("<extension> <list> x[0..1] </list> <supports> (1,1)(1) </supports> </extension>"),
        LINE,
        "tuples of 1, 2 values",
    ),
    "a value that is no number": (
        constraint("<extension> <list> x[0] </list> <supports> 1 two </supports> </extension>"),
        LINE,
        "expected tuples",
    ),
    "underscores in numbers": (constraint("<intension> eq(x[0],1_0) </intension>"), LINE, "not an expression"),
    "a condition missing": (constraint("<sum> <list> x[] </list> </sum>"), LINE, "sum needs <condition>"),
    "a wrong condition": (
        constraint("<sum> <list> x[] </list> <condition> (lt,1 </condition> </sum>"),
        LINE,
        "condition",
    ),
    "coefficients missing": (
        constraint("<sum> <list> x[] </list> <coeffs> 1 2 </coeffs> <condition> (lt,1) </condition> </sum>"),
        LINE,
        "sum of 3 operands with 2 coefficients",
    ),
    "arguments missing": (
        constraint(
            "<group> <intension> eq(%0,%2) </intension> <args> x[0] x[1] x[2] </args>\n<args> 1 2 </args> </group>"
        ),
        LINE + 1,
        "2 arguments for a template that needs 3",
    ),
    "arguments too many": (
        constraint("<group> <intension> eq(%0,%1) </intension> <args> x[0] x[1] x[2] </args> </group>"),
        LINE,
        "3 arguments for a template that needs 2",
    ),
    "parameters outside a group": (constraint("<allDifferent> %0 %1 </allDifferent>"), LINE, "%"),
    "an empty list": (constraint("<allDifferent> <list> </list> </allDifferent>"), LINE, "<list> is empty"),
    "lists of two lengths": (
        constraint("<lex> <list> x[] </list> <list> y[0][] </list> <operator> lt </operator> </lex>"),
        LINE,
        "lists of 3, 2 items",
    ),
    "an mdd with two roots": (
        constraint("<mdd> <list> x[0..1] </list> <transitions> (r,0,a)(q,0,a)(a,0,t) </transitions> </mdd>"),
        LINE,
        "an mdd needs one state",
    ),
    "a domain the wrong way": (document("", '\n<var id="x"> 5..1 </var>'), 3, "'5..1' in a domain"),
    "a domain of letters": (document("", '\n<var id="x"> a b </var>'), 3, "'a' in a domain"),
    "an empty domain": (document("", '\n<var id="x"> </var>'), 3, "a domain without values"),
    "a name twice": (document("", '<var id="x"> 1 </var>\n<var id="x"> 1 </var>'), 3, "with id 'x'"),
    "a size of letters": (document("", '\n<array id="x" size="[n]"> 1 </array>'), 3, "size '[n]' of an array"),
    "as without origin": (document("", '\n<var id="x" as="u"/>'), 3, "as='u' names nothing"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_one_line_with_file_and_line(kind: str, tmp_path: Path) -> None:
    text, line, why = BAD[kind]
    path = written(tmp_path, text)
    with pytest.raises(BadInput) as raised:
        list(read(path))
    message = str(raised.value)
    assert re.match(rf"{re.escape(str(path))}:{line}(:\d+)?: ", message), message
    assert why in message
    assert "\n" not in message
    assert len(message) < 400


def test_without_pycsp3_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, document("<allDifferent> x[] </allDifferent>"))
    monkeypatch.setattr(xcsp3, "find_spec", lambda name: None)
    with pytest.raises(BadInput) as raised:
        list(read(path))
    assert str(raised.value) == (f"{path}: XCSP3 is read by pycsp3, which is not installed: pip install pycsp3")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import os; os.abort()", "its process died of SIGABRT"),
        ("exit(1)", "SystemExit: 1"),
        ("while True: pass", "it did not answer in time"),
        ("bytearray(1 << 40)", "MemoryError"),
    ],
)
def test_a_parser_that_fails_makes_its_instance_unsupported_and_the_next_is_read(
    code: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, document("<allDifferent> x[] </allDifferent>"))
    process = processes.pop(xcsp3.NAME, None)
    with monkeypatch.context() as patched:
        patched.setattr(xcsp3, "PARSE", "builtins:exec")
        patched.setattr(xcsp3, "SECONDS", 0.5 if code.startswith("while") else 100)
        patched.setattr(xcsp3, "xml_of", lambda root: code)
        assert why in unsupported_parts(one(path).problem)
    if process is not None:
        processes[xcsp3.NAME] = process
    assert unsupported_parts(one(path).problem) == ""


def test_a_decompression_bomb_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "a.xml.bz2"
    path.write_bytes(bz2.compress(document("").encode() + b" " * (65 << 20)))
    with pytest.raises(BadInput, match="grows more than 100-fold when unpacked"):
        list(read(path))
