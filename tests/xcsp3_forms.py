"""Each form of each constraint of XCSP3 that the reader takes, as XML beside its definition in plain Python.

x  three variables over -1, 0, 1, 3
y  two rows of two variables over 0, 1, 2; the last one over 0, 1

Long because it is one table, a row for each form.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise, product

X, Y = (-1, 0, 1, 3), (0, 1, 2)
ALL = [((a, b, c), ((d, e), (f, g))) for a, b, c, d, e, f, g in product(X, X, X, Y, Y, Y, Y[:2])]
VARIABLES = (
    '\n<array id="x" size="[3]"> -1..1 3 </array>\n<array id="y" size="[2][2]"> <domain for="y[0][]"> 0..2 </domain>'
    ' <domain for="y[1][1]"> 0 1 </domain> <domain for="others"> 0 1 2 </domain> </array>'
)
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


def peak(tasks: Iterable[tuple[int, int, int]]) -> int:
    """Return the most that tasks of (start, duration, height) take at a time."""
    used: dict[int, int] = {}
    for start, duration, height in tasks:
        for time in range(start, start + duration):
            used[time] = used.get(time, 0) + height
    return max(used.values(), default=0)


Box = tuple[tuple[int, ...], tuple[int, ...]]  # origin and lengths


def apart(boxes: Sequence[Box], ignored: bool = True) -> bool:
    """Each two boxes are apart in some dimension; boxes without size may be ignored."""

    def pair(a: Box, b: Box) -> bool:
        sides = [*zip(*a, *b, strict=True)]
        return any(x + d <= y or y + e <= x or (ignored and 0 in (d, e)) for x, d, y, e in sides)

    return all(pair(a, b) for a, b in combinations(boxes, 2))


def circuit(to: Vector, start: int = 0) -> int:
    """Return the number of nodes on the only circuit, 0 if there is none, or several, or a node has no successor."""
    nodes = [v - start for v in to]
    on = {i for i, v in enumerate(nodes) if v != i}
    path = [min(on)] if on else []
    while path and nodes[path[-1]] in on and nodes[path[-1]] not in path:
        path.append(nodes[path[-1]])
    return len(on) if on and set(path) == on and nodes[path[-1]] == path[0] else 0


def extremes(items: Vector, pick: Callable[[Vector], int]) -> list[int]:
    """Return the indices of an extreme."""
    return [i for i, v in enumerate(items) if v == pick(items)]


def selects(items: Vector, at: int, value: int) -> bool:
    return 0 <= at < len(items) and items[at] == value


FORMS: dict[str, tuple[str, Held]] = {
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
    "allDifferent, lists": (
        "<allDifferent> <list> x[0..1] </list> <list> y[0][] </list> <list> y[1][] </list> </allDifferent>",
        lambda x, y: len({tuple(x[:2]), tuple(y[0]), tuple(y[1])}) == 3,
    ),
    "allDifferent, lists, except": (
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
    "sum, range of one": (
        "<sum> <list> x[] </list> <condition> (in,4..4) </condition> </sum>",
        lambda x, y: sum(x) == 4,
    ),
    "sum, range of one as an argument": (
        "<group> <sum> <list> x[] </list> <condition> (in,%0) </condition> </sum> <args> 4..4 </args> </group>",
        lambda x, y: sum(x) == 4,
    ),
    "sum, outside a range of one": (
        "<sum> <list> x[] </list> <condition> (notin,4..4) </condition> </sum>",
        lambda x, y: sum(x) != 4,
    ),
    "maximum, range of one": (
        "<maximum> <list> x[] </list> <condition> (in,1..1) </condition> </maximum>",
        lambda x, y: max(x) == 1,
    ),
    "element from -1": (
        '<element> <list startIndex="-1"> x[] </list> <index> y[0][0] </index> <value> y[0][1] </value> </element>',
        lambda x, y: 0 <= y[0][0] + 1 < len(x) and x[y[0][0] + 1] == y[0][1],
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
    "allEqual, except": (
        "<allEqual> <list> x[] </list> <except> 0 </except> </allEqual>",
        lambda x, y: len({*x} - {0}) <= 1,
    ),
    "allEqual, trees, except": (
        "<allEqual> <list> add(x[0],1) x[1] y[0][0] </list> <except> 0 2 </except> </allEqual>",
        lambda x, y: len({x[0] + 1, x[1], y[0][0]} - {0, 2}) <= 1,
    ),
    "ordered, case": ('<ordered case="strictlyIncreasing"> x[] </ordered>', lambda x, y: x[0] < x[1] < x[2]),
    "ordered, case of a list": (
        '<ordered case="decreasing"> <list> x[] </list> <lengths> 1 y[0][0] </lengths> </ordered>',
        lambda x, y: x[0] + 1 >= x[1] and x[1] + y[0][0] >= x[2],
    ),
    "lex, case": (
        '<lex case="strictlyDecreasing"> <list> x[0..1] </list> <list> y[0][] </list> </lex>',
        lambda x, y: tuple(x[:2]) > tuple(y[0]),
    ),
    "cumulative": (
        "<cumulative> <origins> x[] y[0][0] </origins> <lengths> 2 1 3 2 </lengths> <heights> 1 2 1 2 </heights>"
        " <condition> (le,3) </condition> </cumulative>",
        lambda x, y: peak([(x[0], 2, 1), (x[1], 1, 2), (x[2], 3, 1), (y[0][0], 2, 2)]) <= 3,
    ),
    "cumulative, variables": (
        "<cumulative> <origins> x[] </origins> <lengths> y[0][0] 2 y[0][1] </lengths> <heights> 1 y[1][0] 2 </heights>"
        " <condition> (le,y[1][0]) </condition> </cumulative>",
        lambda x, y: peak([(x[0], y[0][0], 1), (x[1], 2, y[1][0]), (x[2], y[0][1], 2)]) <= y[1][0],
    ),
    "cumulative, below 0": (
        "<cumulative> <origins> y[0][] </origins> <lengths> x[0] 2 </lengths> <heights> x[1] 1 </heights>"
        " <condition> (le,x[2]) </condition> </cumulative>",
        lambda x, y: min(x) >= 0 and peak([(y[0][0], x[0], x[1]), (y[0][1], 2, 1)]) <= x[2],
    ),
    "cumulative, below a limit": (
        "<cumulative> <origins> x[] </origins> <lengths> 2 2 2 </lengths> <heights> 1 1 1 </heights>"
        " <condition> (lt,3) </condition> </cumulative>",
        lambda x, y: peak([(v, 2, 1) for v in x]) < 3,
    ),
    "cumulative, ends": (
        "<cumulative> <origins> x[0..1] </origins> <lengths> 2 y[0][0] </lengths> <ends> x[2] y[0][1] </ends>"
        " <heights> 1 1 </heights> <condition> (le,1) </condition> </cumulative>",
        lambda x, y: (x[0] + 2, x[1] + y[0][0]) == (x[2], y[0][1]) and peak([(x[0], 2, 1), (x[1], y[0][0], 1)]) <= 1,
    ),
    "group of cumulatives": (
        "<group> <cumulative> <origins> %0 %1 </origins> <lengths> %2 %3 </lengths> <heights> 1 1 </heights>"
        " <condition> (le,1) </condition> </cumulative> <args> x[0..1] 1 2 </args> <args> y[0][] 1 1 </args> </group>",
        lambda x, y: peak([(x[0], 1, 1), (x[1], 2, 1)]) <= 1 and y[0][0] != y[0][1],
    ),
    "noOverlap": (
        "<noOverlap> <origins> x[] </origins> <lengths> 2 0 1 </lengths> </noOverlap>",
        lambda x, y: apart([((x[0],), (2,)), ((x[1],), (0,)), ((x[2],), (1,))]),
    ),
    "noOverlap, zeros": (
        '<noOverlap zeroIgnored="false"> <origins> x[] </origins> <lengths> 2 0 1 </lengths> </noOverlap>',
        lambda x, y: apart([((x[0],), (2,)), ((x[1],), (0,)), ((x[2],), (1,))], False),
    ),
    "noOverlap, variables": (
        "<noOverlap> <origins> x[] </origins> <lengths> y[0][0] y[0][1] y[1][0] </lengths> </noOverlap>",
        lambda x, y: apart([((x[0],), (y[0][0],)), ((x[1],), (y[0][1],)), ((x[2],), (y[1][0],))]),
    ),
    "noOverlap, two dimensions": (
        "<noOverlap> <origins> (x[0],y[0][0])(x[1],y[0][1])(x[2],0) </origins>"
        " <lengths> (2,1)(1,2)(2,2) </lengths> </noOverlap>",
        lambda x, y: apart([((x[0], y[0][0]), (2, 1)), ((x[1], y[0][1]), (1, 2)), ((x[2], 0), (2, 2))]),
    ),
    "noOverlap, two dimensions, variables": (
        "<noOverlap> <origins> (x[0],x[1])(x[2],y[0][0]) </origins>"
        " <lengths> (y[0][1],y[1][0])(2,y[1][1]) </lengths> </noOverlap>",
        lambda x, y: apart([((x[0], x[1]), (y[0][1], y[1][0])), ((x[2], y[0][0]), (2, y[1][1]))]),
    ),
    "noOverlap, two dimensions, zeros": (
        '<noOverlap zeroIgnored="false"> <origins> (x[0],x[1])(x[2],y[0][0]) </origins>'
        " <lengths> (y[0][1],y[1][0])(2,y[1][1]) </lengths> </noOverlap>",
        lambda x, y: apart([((x[0], x[1]), (y[0][1], y[1][0])), ((x[2], y[0][0]), (2, y[1][1]))], False),
    ),
    "noOverlap, three dimensions": (
        "<noOverlap> <origins> (x[0],x[1],y[0][0])(x[2],y[0][1],0) </origins>"
        " <lengths> (2,1,1)(1,2,2) </lengths> </noOverlap>",
        lambda x, y: apart([((x[0], x[1], y[0][0]), (2, 1, 1)), ((x[2], y[0][1], 0), (1, 2, 2))]),
    ),
    "binPacking": (
        "<binPacking> <list> x[] </list> <sizes> 2 3 4 </sizes> <condition> (le,5) </condition> </binPacking>",
        lambda x, y: all(sum(s for v, s in zip(x, (2, 3, 4), strict=True) if v == b) <= 5 for b in X),
    ),
    "binPacking, below a limit": (
        "<binPacking> <list> x[] </list> <sizes> 2 3 4 </sizes> <condition> (lt,6) </condition> </binPacking>",
        lambda x, y: all(sum(s for v, s in zip(x, (2, 3, 4), strict=True) if v == b) < 6 for b in X),
    ),
    "binPacking, equal sizes": (
        "<binPacking> <list> x[] </list> <sizes> 1 1 1 </sizes> <condition> (le,y[0][0]) </condition> </binPacking>",
        lambda x, y: max(map(x.count, x)) <= y[0][0],
    ),
    "binPacking, limits": (
        "<binPacking> <list> y[0][] y[1][] </list> <sizes> 1 2 3 1 </sizes> <limits> 3 x[0] 4 </limits> </binPacking>",
        lambda x, y: all(
            sum(s for v, s in zip((*y[0], *y[1]), (1, 2, 3, 1), strict=True) if v == b) <= k
            for b, k in enumerate((3, x[0], 4))
        ),
    ),
    "binPacking, loads": (
        "<binPacking> <list> y[0][] </list> <sizes> 1 3 </sizes> <loads> x[0] x[1] </loads> </binPacking>",
        lambda x, y: max(y[0]) < 2 and all((y[0][0] == b) + 3 * (y[0][1] == b) == x[b] for b in (0, 1)),
    ),
    "knapsack": (
        "<knapsack> <list> x[] </list> <weights> 1 2 3 </weights> <condition> (le,y[0][0]) </condition>"
        " <profits> 3 1 2 </profits> <condition> (ge,1) </condition> </knapsack>",
        lambda x, y: x[0] + 2 * x[1] + 3 * x[2] <= y[0][0] and 3 * x[0] + x[1] + 2 * x[2] >= 1,
    ),
    "circuit": ("<circuit> y[0][] y[1][0] </circuit>", lambda x, y: circuit((*y[0], y[1][0])) > 1),
    "circuit, size": (
        "<circuit> <list> y[0][] y[1][0] </list> <size> 2 </size> </circuit>",
        lambda x, y: circuit((*y[0], y[1][0])) == 2,
    ),
    "circuit, variable size": (
        "<circuit> <list> y[0][] y[1][0] 3 </list> <size> x[0] </size> </circuit>",
        lambda x, y: x[0] > 1 and circuit((*y[0], y[1][0], 3)) == x[0],
    ),
    "circuit, start": (
        '<circuit> <list startIndex="1"> x[0] 2 x[1] </list> </circuit>',
        lambda x, y: circuit((x[0], 2, x[1]), 1) > 1,
    ),
    "maximumArg": (
        "<maximumArg> <list> x[] </list> <condition> (eq,y[0][0]) </condition> </maximumArg>",
        lambda x, y: y[0][0] in extremes(x, max),
    ),
    "maximumArg, first": (
        '<maximumArg rank="first"> <list startIndex="1"> x[] </list> <condition> (eq,y[0][0]) </condition>'
        " </maximumArg>",
        lambda x, y: extremes(x, max)[0] + 1 == y[0][0],
    ),
    "maximumArg, last": (
        '<maximumArg rank="last"> <list> x[] </list> <condition> (eq,1) </condition> </maximumArg>',
        lambda x, y: extremes(x, max)[-1] == 1,
    ),
    "minimumArg": (
        "<minimumArg> <list> x[] y[0][0] </list> <condition> (le,1) </condition> </minimumArg>",
        lambda x, y: extremes((*x, y[0][0]), min)[0] <= 1,
    ),
    "minimumArg, first, trees": (
        '<minimumArg rank="first"> <list> neg(x[0]) x[1] </list> <condition> (eq,y[0][0]) </condition> </minimumArg>',
        lambda x, y: extremes((-x[0], x[1]), min)[0] == y[0][0],
    ),
    "minimumArg, last, in a set": (
        '<minimumArg rank="last"> <list> x[] </list> <condition> (notin,{0,2}) </condition> </minimumArg>',
        lambda x, y: extremes(x, min)[-1] == 1,
    ),
    "element, first": (
        '<element> <list> x[] </list> <index rank="first"> y[0][0] </index> <value> y[0][1] </value> </element>',
        lambda x, y: y[0][1] in x and x.index(y[0][1]) == y[0][0],
    ),
    "element, last": (
        '<element rank="last"> <list startIndex="1"> x[] </list> <index> y[0][0] </index> <value> 0 </value>'
        " </element>",
        lambda x, y: y[0][0] > 0 and x[y[0][0] - 1] == 0 and 0 not in x[y[0][0] :],
    ),
    "reified intension": (
        '<intension reifiedBy="y[1][1]"> lt(x[0],x[1]) </intension>',
        lambda x, y: (y[1][1] == 1) == (x[0] < x[1]),
    ),
    "reified sum": (
        '<sum reifiedBy="y[1][1]"> <list> x[] </list> <coeffs> 2 1 -1 </coeffs> <condition> (in,0..2) </condition>'
        " </sum>",
        lambda x, y: (y[1][1] == 1) == (0 <= 2 * x[0] + x[1] - x[2] <= 2),
    ),
    "half reified from": (
        '<allDifferent hreifiedFrom="y[1][1]"> x[] </allDifferent>',
        lambda x, y: y[1][1] == 0 or len({*x}) == 3,
    ),
    "half reified to": (
        '<extension hreifiedTo="y[1][1]"> <list> x[0..1] </list> <supports> (0,*)(1,1) </supports> </extension>',
        lambda x, y: y[1][1] == 1 or (x[0] != 0 and tuple(x[:2]) != (1, 1)),
    ),
    "reified conflicts": (
        '<extension reifiedBy="y[1][1]"> <list> x[0..1] </list> <conflicts> (0,*)(1,1) </conflicts> </extension>',
        lambda x, y: (y[1][1] == 1) == (x[0] != 0 and tuple(x[:2]) != (1, 1)),
    ),
    "reified counts": (
        '<cardinality reifiedBy="y[1][1]"> <list> x[] </list> <values closed="true"> 0 1 </values>'
        " <occurs> y[0][] </occurs> </cardinality>"
        ' <count hreifiedFrom="y[1][1]"> <list> x[] </list> <values> 1 3 </values>'
        " <condition> (gt,y[1][0]) </condition> </count>"
        ' <nValues hreifiedTo="y[1][1]"> <list> x[] </list> <condition> (eq,3) </condition> </nValues>',
        lambda x, y: (
            (y[1][1] == 1) == ({*x} <= {0, 1} and [x.count(0), x.count(1)] == [*y[0]])
            and (y[1][1] == 0 or sum(v in (1, 3) for v in x) > y[1][0])
            and (y[1][1] == 1 or len({*x}) != 3)
        ),
    ),
    "reified choices": (
        '<element reifiedBy="y[1][1]"> <list> y[0][] y[1][0] </list> <index> x[0] </index> <value> x[1] </value>'
        ' </element> <maximum hreifiedFrom="y[1][1]"> <list> x[] </list> <condition> (le,y[1][0]) </condition>'
        ' </maximum> <lex hreifiedTo="y[1][1]"> <list> x[0..1] </list> <list> y[0][] </list> <operator> lt </operator>'
        " </lex>",
        lambda x, y: (
            (y[1][1] == 1) == selects([*y[0], y[1][0]], x[0], x[1])
            and (y[1][1] == 0 or max(x) <= y[1][0])
            and (y[1][1] == 1 or tuple(x[:2]) >= tuple(y[0]))
        ),
    ),
    "reified in a group": (
        '<group> <intension reifiedBy="y[1][1]"> eq(%0,%1) </intension> <args> x[0] x[1] </args>'
        " <args> x[1] x[2] </args> </group>",
        lambda x, y: (y[1][1] == 1) == (x[0] == x[1]) == (x[1] == x[2]),
    ),
}
