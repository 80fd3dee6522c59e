"""Constraint optimisation problems as XCSP3 text, with known optima; each function returns the parts of a file.

All forms of objective occur: a variable, an expression, sum, product, minimum, maximum and nValues, of variables and of
expressions, minimised and maximised.
"""

from itertools import combinations, pairwise, product
from random import Random
from typing import NamedTuple

from puzzles.generating import csp_files
from puzzles.generating.csp_files import all_different, array, group, intension
from puzzles.generating.graphs import GRAPHS


class CopParts(NamedTuple):
    """Elements of <variables>, of <constraints>, and of <objectives>."""

    variables: list[str]
    constraints: list[str]
    objective: str


def minimise(text: str, form: str = "", coefficients: list[int] | None = None) -> str:
    return objective("minimize", text, form, coefficients)


def maximise(text: str, form: str = "", coefficients: list[int] | None = None) -> str:
    return objective("maximize", text, form, coefficients)


def objective(tag: str, text: str, form: str, coefficients: list[int] | None) -> str:
    """Return the element of an objective; without a form, its text is a variable or an expression."""
    if not form:
        return f"<{tag}> {text} </{tag}>"
    if coefficients is None:
        return f'<{tag} type="{form}"> {text} </{tag}>'
    shown = " ".join(map(str, coefficients))
    return f'<{tag} type="{form}"> <list> {text} </list> <coeffs> {shown} </coeffs> </{tag}>'


def weighted(scope: str, coefficients: list[int], condition: str) -> str:
    shown = " ".join(map(str, coefficients))
    return f"<sum> <list> {scope} </list> <coeffs> {shown} </coeffs> <condition> {condition} </condition> </sum>"


def element(items: str, index: str, value: str) -> str:
    return f"<element> <list> {items} </list> <index> {index} </index> <value> {value} </value> </element>"


def golomb(marks: int) -> CopParts:
    """Find the shortest ruler whose distances all differ: the last mark is a variable to be minimised."""
    variables, constraints = csp_files.golomb(marks, marks * marks)
    return CopParts(variables, constraints, minimise(f"x[{marks - 1}]"))


def colouring(graph: str, number: int, colours: int) -> CopParts:
    """Colour a graph with as few colours as possible: the number of values."""
    vertices, edges = GRAPHS[graph](Random(), number)
    pairs = [f"x[{u}] x[{v}]" for u, v in edges]
    variables = [array("x", (vertices,), f"0..{colours - 1}")]
    return CopParts(variables, [group(intension("ne(%0,%1)"), pairs)], minimise("x[]", "nValues"))


def independent_set(vertices: int, edges: int, random: Random) -> CopParts:
    """Choose vertices of the greatest weight, no two of them adjacent."""
    chosen = sorted(random.sample(list(combinations(range(vertices), 2)), edges))
    weights = [random.randint(1, 20) for _ in range(vertices)]
    constraint = group(intension("le(add(%0,%1),1)"), [f"x[{u}] x[{v}]" for u, v in chosen])
    return CopParts([array("x", (vertices,), "0 1")], [constraint], maximise("x[]", "sum", weights))


def magic_frame(n: int) -> CopParts:
    """Fill the border of a board with different numbers so that its sides have one sum, as great as possible."""
    top = [(0, c) for c in range(n)]
    sides = [top, [(n - 1, c) for c in range(n)], [(r, 0) for r in range(n)], [(r, n - 1) for r in range(n)]]
    squares = sorted({square for side in sides for square in side})
    names = {square: f"x[{i}]" for i, square in enumerate(squares)}
    total = "<sum> <list> %... </list> <condition> (eq,s) </condition> </sum>"
    count = len(squares)
    variables = [array("x", (count,), f"1..{count}"), f'<var id="s"> {count}..{n * count} </var>']
    corners = [names[0, 0], names[0, n - 1], names[n - 1, 0], names[n - 1, n - 1]]
    constraints = [
        all_different("x[]"),
        group(total, [" ".join(names[square] for square in side) for side in sides]),
        group(intension("lt(%0,%1)"), [f"{corners[0]} {corner}" for corner in corners[1:]]),
    ]
    return CopParts(variables, constraints, maximise("s"))


def tour(cities: int, random: Random) -> CopParts:
    """Visit cities on a round trip of least length: the sum of distances that elements of a list give."""
    sites = [(random.randint(0, 50), random.randint(0, 50)) for _ in range(cities)]
    lengths = [[abs(a[0] - b[0]) + abs(a[1] - b[1]) for b in sites] for a in sites]
    flat = " ".join(str(n) for row in lengths for n in row)
    variables = [
        array("x", (cities,), f"0..{cities - 1}"),
        array("k", (cities,), f"0..{cities * cities - 1}"),
        array("d", (cities,), f"0..{max(map(max, lengths))}"),
    ]
    steps = [f"k[{i}] x[{i}] x[{(i + 1) % cities}]" for i in range(cities)]
    return CopParts(
        variables,
        [
            all_different("x[]"),
            intension("eq(x[0],0)"),
            group(intension(f"eq(%0,add(mul(%1,{cities}),%2))"), steps),
            group(element(flat, "%0", "%1"), [f"k[{i}] d[{i}]" for i in range(cities)]),
        ],
        minimise("d[]", "sum"),
    )


def assignment(n: int, random: Random) -> CopParts:
    """Give each worker a task so that the least of their gains is greatest."""
    gains = [[random.randint(1, 40) for _ in range(n)] for _ in range(n)]
    costs = [element(" ".join(map(str, row)), f"x[{i}]", f"g[{i}]") for i, row in enumerate(gains)]
    variables = [array("x", (n,), f"0..{n - 1}"), array("g", (n,), "1..40")]
    return CopParts(variables, [all_different("x[]"), *costs], maximise("g[]", "minimum"))


def job_order(jobs: int, random: Random) -> CopParts:
    """Order jobs on a machine so that the sum of weighted completion times is least; some wait for others."""
    lengths = [random.randint(1, 6) for _ in range(jobs)]
    weights = [random.randint(1, 9) for _ in range(jobs)]
    before = sorted(random.sample(list(combinations(range(jobs), 2)), jobs // 2))
    last = sum(lengths)
    apart = [f"s[{i}] s[{j}] {lengths[i]} {lengths[j]}" for i, j in combinations(range(jobs), 2)]
    return CopParts(
        [array("s", (jobs,), f"0..{last - min(lengths)}")],
        [
            group(intension("or(le(add(%0,%2),%1),le(add(%1,%3),%0))"), apart),
            group(intension("le(add(%0,%2),%1)"), [f"s[{j}] s[{i}] {lengths[j]}" for i, j in before]),
            group(intension(f"le(add(%0,%1),{last})"), [f"s[{i}] {length}" for i, length in enumerate(lengths)]),
        ],
        minimise(" ".join(f"add(s[{i}],{length})" for i, length in enumerate(lengths)), "sum", weights),
    )


def makespan(tasks: int, machines: int, random: Random) -> CopParts:
    """Share tasks among machines so that the greatest load is least."""
    lengths = [random.randint(3, 20) for _ in range(tasks)]
    variables = [array("x", (tasks, machines), "0 1"), array("load", (machines,), f"0..{sum(lengths)}")]
    loads = [weighted(f"x[][{m}]", lengths, f"(eq,load[{m}])") for m in range(machines)]
    one = "<sum> <list> %... </list> <condition> (eq,1) </condition> </sum>"
    return CopParts(variables, [group(one, [f"x[{t}][]" for t in range(tasks)]), *loads], minimise("load[]", "maximum"))


def knapsack(items: int, limits: int, random: Random) -> CopParts:
    """Take up to three of each item, of the greatest worth within weight limits."""
    weights = [[random.randint(1, 30) for _ in range(items)] for _ in range(limits)]
    worth = [random.randint(1, 40) for _ in range(items)]
    rows = [weighted("x[]", row, f"(le,{sum(row)})") for row in weights]
    return CopParts([array("x", (items,), "0..3")], rows, maximise("x[]", "sum", worth))


def greatest_product(parts: int, total: int) -> CopParts:
    """Split a number into ascending parts of different sizes whose product is greatest."""
    ascending = [f"x[{i}] x[{j}]" for i, j in pairwise(range(parts))]
    summed = f"<sum> <list> x[] </list> <condition> (eq,{total}) </condition> </sum>"
    constraints = [group(intension("lt(%0,%1)"), ascending), summed]
    return CopParts([array("x", (parts,), f"1..{total}")], constraints, maximise("x[]", "product"))


def still_life(n: int) -> CopParts:
    """Fill a board with as many cells as possible that the game of life keeps, nothing arising beside it."""
    inside = {square: f"x[{square[0]}][{square[1]}]" for square in product(range(1, n + 1), repeat=2)}
    constraints = []
    for r, c in product(range(n + 2), repeat=2):
        around = [inside[q] for q in product((r - 1, r, r + 1), (c - 1, c, c + 1)) if q in inside and q != (r, c)]
        summed = f"add({','.join(around)})" if len(around) > 1 else around[0]
        if (r, c) in inside:
            cell = inside[r, c]
            constraints.append(intension(f"if(eq({cell},1),in({summed},set(2,3)),ne({summed},3))"))
        elif len(around) > 2:
            constraints.append(intension(f"ne({summed},3)"))
    border = [f"x[{r}][{c}]" for r, c in product(range(n + 2), repeat=2) if (r, c) not in inside]
    constraints.append(group(intension("eq(%0,0)"), border))
    return CopParts([array("x", (n + 2, n + 2), "0 1")], constraints, maximise("x[][]", "sum"))


def bandwidth(vertices: int, edges: int, random: Random) -> CopParts:
    """Number the vertices of a graph so that the greatest difference along an edge is least."""
    chosen = sorted(random.sample(list(combinations(range(vertices), 2)), edges))
    differences = " ".join(f"dist(x[{u}],x[{v}])" for u, v in chosen)
    variables = [array("x", (vertices,), f"0..{vertices - 1}")]
    return CopParts(variables, [all_different("x[]")], minimise(differences, "maximum"))


def polynomial(size: int) -> CopParts:
    """Find the least value of an expression, which is negative."""
    condition = intension("le(add(mul(x,x),mul(y,y)),mul(z,z))")
    variables = [f'<var id="{name}"> -{size}..{size} </var>' for name in "xyz"]
    return CopParts(variables, [condition, intension("ne(x,y)")], minimise("sub(mul(x,y,z),mul(3,abs(sub(x,y))))"))


def latin_diagonals(n: int) -> CopParts:
    """Fill a Latin square whose diagonals have as many different values as possible, both counted together."""
    diagonal = [f"x[{i}][{i}]" for i in range(n - 1)]
    return CopParts(
        [array("x", (n, n), f"1..{n}")], [csp_files.latin_lines(n)], minimise(" ".join(diagonal), "nValues")
    )


def greatest_diagonal(n: int) -> CopParts:
    """Fill a Latin square of the greatest weighted diagonal; its first row ascends."""
    first = [intension(f"eq(x[0][{i}],{i + 1})") for i in range(n)]
    diagonal = " ".join(f"x[{i}][{i}]" for i in range(n))
    return CopParts(
        [array("x", (n, n), f"1..{n}")],
        [csp_files.latin_lines(n), *first],
        maximise(diagonal, "sum", list(range(1, n + 1))),
    )


def impossible(n: int) -> CopParts:
    """Order numbers so that the distances of neighbours are all different and none is 1."""
    variables, constraints = csp_files.all_interval(n)
    forbidden = group(intension("ne(%0,1)"), [f"d[{i}]" for i in range(n - 1)])
    return CopParts(variables, [*constraints, forbidden], minimise("x[0]"))


def constant(n: int) -> CopParts:
    """Order numbers: whatever the order is, their sum is the same."""
    return CopParts([array("x", (n,), f"-3..{n - 4}")], [all_different("x[]")], minimise("x[]", "sum"))


def cop_text(parts: CopParts, comments: list[str]) -> str:
    """Return an instance as an XCSP3 file."""
    text = csp_files.csp_text((parts.variables, parts.constraints), comments).replace('type="CSP"', 'type="COP"')
    return text.replace("</instance>", f"<objectives>\n{parts.objective}\n</objectives>\n</instance>")
