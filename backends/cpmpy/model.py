"""CPMpy's expressions of a problem: every kind of constraint, by CPMpy's own global constraint where it has one.

CPMpy takes an undefined expression for false in the nearest Boolean one, so each division adds a constraint that its
divisor is not 0 (decision 21). Its division and remainder truncate towards zero.
"""

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from encoders.formula import Constraints, Unsupported
from encoders.rewriting import LOGICAL, definitions, deterministic, simplified, truth
from puzzles.constraints import by_kind
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
from puzzles.constraints.numbers import ORDER
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table

Expressions = Iterator[Any]
Variables = list[Any]


def build(form: Constraints, domains: Sequence[Sequence[int]]) -> tuple[Variables, list[Any]]:
    """Return a CPMpy variable for each variable of the problem, and the constraints. Raises Unsupported."""
    import cpmpy

    xs = [cpmpy.intvar(numbers[0], numbers[-1]) for numbers in domains]
    gaps = [(x, n) for x, n in zip(xs, domains, strict=True) if n[-1] - n[0] >= len(n)]
    constraints = [x == x for x in xs]  # so that the solver has every variable
    constraints += [cpmpy.InDomain(x, list(n)) for x, n in gaps]
    for part in form.constraints:
        constraints += TO_CPMPY[part.kind](xs, part)
    return xs, constraints


def known(truth: bool) -> Any:
    from cpmpy.expressions.core import BoolVal

    return BoolVal(truth)


def chosen(xs: Variables, scope: Sequence[int]) -> Variables:
    return [xs[x] for x in scope]


def all_different(xs: Variables, part: AllDifferent) -> Expressions:
    import cpmpy

    for unit in part.units:
        if len(unit) > 1:
            yield cpmpy.AllDifferent(chosen(xs, unit))


def clauses(xs: Variables, part: Clauses) -> Expressions:
    import cpmpy

    for row in part.rows:
        literals = [xs[abs(p) - 1] == 1 if p > 0 else xs[abs(p) - 1] != 1 for p in row]
        yield cpmpy.any(literals) if literals else known(False)


def linear(xs: Variables, part: Linear) -> Expressions:
    import cpmpy

    for coefficients, scope, comparison, bound in part.rows:
        terms = [a * xs[x] for a, x in zip(coefficients, scope, strict=True) if a]
        yield ORDER[comparison](cpmpy.sum(terms), bound) if terms else known(ORDER[comparison](0, bound))


def table(xs: Variables, part: Table) -> Expressions:
    import cpmpy

    # each once: Choco (pychoco 0.4.0) loses solutions where a forbidden tuple is listed twice
    rows = list(map(list, dict.fromkeys(map(tuple, part.rows.tolist())))) if part.scopes else []
    starred = any(STAR in row for row in rows)
    for scope in part.scopes:
        if part.positive and starred:  # CPMpy 1.1.1 raises TypeError on a ShortTable for Choco 0.4.0
            named = ([xs[x] == n for x, n in zip(scope, row, strict=True) if n != STAR] for row in rows)
            yield cpmpy.any([cpmpy.all(equal) if equal else known(True) for equal in named])
        elif part.positive:
            yield cpmpy.Table(chosen(xs, scope), rows) if rows else known(False)
        elif starred:
            for row in rows:
                different = [xs[x] != n for x, n in zip(scope, row, strict=True) if n != STAR]
                yield cpmpy.any(different) if different else known(False)
        elif rows:
            yield cpmpy.NegativeTable(chosen(xs, scope), rows)


def element(xs: Variables, part: Element) -> Expressions:
    import cpmpy

    for items, index, start, value in part.rows:
        yield xs[index] >= start
        yield xs[index] < start + len(items)
        if items:
            yield cpmpy.Element(chosen(xs, items), xs[index] - start) == xs[value]


def count(xs: Variables, part: Count) -> Expressions:
    import cpmpy

    for scope, numbers, comparison, bound in part.rows:
        counted = cpmpy.Among(chosen(xs, scope), sorted(set(numbers))) if scope and numbers else 0
        yield ORDER[comparison](counted, xs[bound])


def cardinality(xs: Variables, part: Cardinality) -> Expressions:
    import cpmpy

    for scope, numbers, occurrences, closed in part.rows:
        if scope and numbers:
            bounds = chosen(xs, occurrences)
            yield cpmpy.GlobalCardinalityCount(chosen(xs, scope), list(numbers), bounds, closed=closed)
        elif not scope:
            yield from (xs[x] == 0 for x in occurrences)
        elif closed:
            yield known(False)


def nvalues(xs: Variables, part: NValues) -> Expressions:
    import cpmpy

    for scope, excepted, comparison, bound in part.rows:
        taken = chosen(xs, scope)
        span = sorted({n for x in taken for n in range(x.lb, x.ub + 1)})
        if span and not excepted and span[-1] - span[0] < len(span):  # CPMpy lists all numbers between, wide gaps too
            yield ORDER[comparison](cpmpy.NValue(taken), xs[bound])
            continue
        taking = [cpmpy.any([x == n for x in taken]) for n in span if n not in excepted]
        yield ORDER[comparison](cpmpy.sum(taking) if taking else 0, xs[bound])


def minmax(xs: Variables, part: MinMax) -> Expressions:
    import cpmpy

    for which, scope, comparison, bound in part.rows:
        pick = cpmpy.Minimum if which == "minimum" else cpmpy.Maximum
        yield ORDER[comparison](pick(chosen(xs, scope)), xs[bound])


def lex(xs: Variables, part: Lex) -> Expressions:
    import cpmpy

    for left, right, comparison in part.rows:
        sides = [chosen(xs, side) for side in ((left, right) if comparison in ("<", "<=") else (right, left))]
        strict = comparison in ("<", ">")
        if left:
            yield (cpmpy.LexLess if strict else cpmpy.LexLessEq)(*sides)
        else:
            yield known(not strict)


def automaton(xs: Variables, part: Automaton) -> Expressions:
    import cpmpy

    transitions, finals = deterministic(part)
    least = min((n for _, n, _ in transitions), default=0)
    most = max((n for _, n, _ in transitions), default=0) - least
    steps = [(a, n - least, b) for a, n, b in transitions]
    for scope in part.scopes:
        if len(scope) == 1:  # CPMpy 1.1.1 raises TypeError on words of one letter
            ends = [xs[scope[0]] == n for a, n, b in transitions if a == 0 and b in finals]
            yield cpmpy.any(ends) if ends else known(False)
        elif scope and transitions and finals:  # Choco in Python ends the process on letters below 0
            letters = [cpmpy.intvar(0, most) for _ in scope]
            yield from (letter == xs[x] - least for letter, x in zip(letters, scope, strict=True))
            yield cpmpy.Regular(letters, steps, 0, finals)
        else:
            yield known(not scope and part.start in part.finals)


def cumulative(xs: Variables, part: Cumulative) -> Expressions:
    import cpmpy

    for starts, durations, heights, limit in part.rows:
        yield from (xs[x] >= 0 for x in dict.fromkeys((*durations, *heights, limit)))
        if starts:
            tasks = [chosen(xs, scope) for scope in (starts, durations, heights)]
            ends = [x + d for x, d in zip(*tasks[:2], strict=True)]
            yield cpmpy.Cumulative(tasks[0], tasks[1], ends, tasks[2], xs[limit])


def circuit(xs: Variables, part: Circuit) -> Expressions:
    """A walk from the first node on the circuit comes back after all others: CPMpy's own circuits have all nodes."""
    import cpmpy

    for scope, start, comparison, bound in part.rows:
        to, nodes = [xs[x] - start for x in scope], range(len(scope))
        yield from ((node >= 0) & (node < len(scope)) for node in to)
        if len(to) > 1:
            yield cpmpy.AllDifferent(to)
        on, own = ([compare(node, i) for i, node in enumerate(to)] for compare in (operator.ne, operator.eq))
        size = cpmpy.sum(on) if on else 0
        yield ORDER[comparison](size, xs[bound])
        first = at = cpmpy.intvar(0, max(len(scope) - 1, 0))
        yield from (cpmpy.any([*on[:i], own[i], first == i]) for i in nodes)
        yield cpmpy.any([*on, first == 0])
        for step in nodes[1:]:
            after = cpmpy.intvar(0, len(scope) - 1)
            yield after == cpmpy.Element(to, at)
            yield cpmpy.any([size <= step, after != first])
            at = after


def expression(xs: Variables, part: Expression) -> Expressions:
    for tree in part.trees:
        yield from trees(xs, tree)


def trees(xs: Variables, tree: Tree) -> Expressions:
    """Yield the conditions under which a tree is defined, then the tree."""
    for needed in definitions(tree):
        yield from trees(xs, needed)
    yield boolean(xs, simplified(truth(tree)))


def boolean(xs: Variables, tree: Tree) -> Any:
    """Return the expression of a simplified tree whose value is a truth value."""
    import cpmpy

    name, *parts = tree
    if name == "number":
        return known(parts[0] != 0)
    if name == "in":
        return cpmpy.any([integer(xs, parts[0]) == n for n in sorted(set(parts[1][1:]))])
    if name in COMPARE:
        return COMPARE[name](*(integer(xs, part) for part in parts))
    truths = [boolean(xs, part) for part in parts]
    match name:
        case "not":
            return negation(truths[0])
        case "imp":
            return cpmpy.any([negation(truths[0]), truths[1]])
        case "and":
            return cpmpy.all(truths)
        case "or":
            return cpmpy.any(truths)
        case "xor":
            return cpmpy.Xor(truths)
        case _:  # iff, of two parts
            return truths[0] == truths[1]


def negation(truth: Any) -> Any:
    """Return the opposite of a Boolean expression, or of a truth value: CPMpy's `any` and `all` may return one."""
    return ~truth if hasattr(truth, "args") else known(not truth)


def as_integer(truth: Any) -> Any:
    """Return a Boolean as an integer: CPMpy 1.1.1 takes no Boolean as an index, nor in divisions for z3.

    A truth value is a number: CPMpy 1.1.1 has no sum of numbers alone for z3.
    """
    from cpmpy.expressions.core import BoolVal, Operator

    return int(bool(truth)) if isinstance(truth, BoolVal | bool) else Operator("sum", [truth])


def integer(xs: Variables, tree: Tree) -> Any:
    """Return the expression of a simplified tree, or a number. Raises Unsupported for an exponent that is no number."""
    import cpmpy

    name, *parts = tree
    if name in ("var", "number"):
        return xs[parts[0]] if name == "var" else parts[0]
    if name in LOGICAL:
        return as_integer(boolean(xs, tree))
    if name == "if":
        index = as_integer(boolean(xs, parts[0]))
        if isinstance(index, int):  # which CPMpy takes for no index
            return integer(xs, parts[1 if index else 2])
        return cpmpy.Element([integer(xs, parts[2]), integer(xs, parts[1])], index)
    if name == "pow" and parts[1][0] != "number":
        raise Unsupported("cpmpy does not support powers whose exponent is no number")
    return INTEGER[name](*(integer(xs, part) for part in parts))


def extreme(name: str) -> Callable[..., Any]:
    def post(*parts: Any) -> Any:
        import cpmpy

        return getattr(cpmpy, name)(list(parts))

    return post


def total(*parts: Any) -> Any:
    import cpmpy

    return cpmpy.sum(list(parts))


def divided(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def post(a: Any, b: Any) -> Any:
        """Return a division, or 0 by what can only be 0, which CPMpy refuses: its definition is false."""
        from cpmpy.expressions.utils import get_bounds

        return operation(a, b) if any(get_bounds(b)) else 0

    return post


def product(*parts: Any) -> Any:
    first, *rest = parts
    for part in rest:
        first = first * part
    return first


COMPARE = {name: getattr(operator, name) for name in ("lt", "le", "ge", "gt", "eq", "ne")}
INTEGER: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "abs": abs,
    "sqr": lambda a: a * a,
    "add": total,
    "sub": lambda a, b: a - b,
    "mul": product,
    "div": divided(operator.floordiv),
    "mod": divided(operator.mod),
    "pow": lambda a, b: a**b if b > 0 else 1,  # Choco 0.4.0 crashes on other exponents; below 0 it is undefined
    "dist": lambda a, b: abs(a - b),
    "min": extreme("Minimum"),
    "max": extreme("Maximum"),
}
TO_CPMPY = by_kind(globals())
