"""MiniZinc text of a problem: every kind of constraint, over variables v1, v2, ... with their own domains.

Globals are included by their own files, since Debian's Gecode library does not fit `globals.mzn`. MiniZinc takes an
undefined expression for false in the nearest Boolean one; here it breaks the whole constraint (decision 21), so what
has to hold for divisions and powers is a constraint of its own. `div` and `mod` truncate towards zero.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from encoders.formula import Constraints
from encoders.rewriting import LOGICAL, definitions, deterministic
from puzzles.constraints import by_kind
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree, largest
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.numbers import ORDER
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.problem.values import Domains, bits

INCLUDES = (
    *("alldifferent", "among", "cumulative", "global_cardinality", "lex_less"),
    *("lex_lesseq", "nvalue", "regular", "subcircuit", "table"),
)
COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "!="}
LARGEST = (1 << 31) - 2  # Gecode's integers
Lines = Iterator[str]  # constraints, as Boolean expressions


def minizinc(form: Constraints, domains: Domains, forbidden: Sequence[Sequence[int]] = ()) -> bytes:
    """Return a MiniZinc model of a problem under these domains, none empty. Each of `forbidden` is a solution, in value
    indices.

    It prints a line of `v` and the values. Raises Unsupported.
    """
    form = form.expressed(WRITE)
    constraints = [line for part in form.constraints for line in WRITE[part.kind](part)]
    domains, kept = not_negative(form, domains)
    constraints += [] if kept else ["false"]
    constraints += [exists(f"v{x + 1} != {form.numbers[v]}" for x, v in enumerate(found)) for found in forbidden]
    shown = "".join(f', " ", show(v{x + 1})' for x in range(form.variables))
    lines = [f'include "{name}.mzn";' for name in INCLUDES if any(f"{name}(" in line for line in constraints)]
    for x, mask in enumerate(domains):
        lines.append(f"var {number_set([form.numbers[v] for v in bits(mask)])}: v{x + 1};")
    lines += [f"constraint {line};" for line in constraints]
    return "\n".join([*lines, "solve satisfy;", f'output ["v"{shown}, "\\n"];', ""]).encode()


def not_negative(form: Constraints, domains: Domains) -> tuple[Domains, bool]:
    """Return domains without negative durations, heights and limits, as MiniZinc needs them, and if none is empty."""
    least = bisect_left(form.numbers, 0)
    rows = [row for part in form.constraints if isinstance(part, Cumulative) for row in part.rows]
    xs = {x for _, durations, heights, limit in rows for x in (*durations, *heights, limit)}
    found = [mask >> least << least if x in xs else mask for x, mask in enumerate(domains)]
    return tuple([kept or mask for kept, mask in zip(found, domains, strict=True)]), all(found)


def unsupported(form: Constraints, reader: str) -> str | None:
    """Return the reason why a problem can't be written, a kind of constraint or too large a number; else None."""
    form = form.expressed(WRITE)
    if kinds := [kind for kind in form.kinds() if kind not in WRITE]:
        return f"{reader} takes no constraints of the kind {', '.join(kinds)}"
    most = max(map(abs, (form.numbers[0], form.numbers[-1]))) if form.numbers else 0
    sizes = [float(most)]
    for part in form.constraints:
        if isinstance(part, Linear):
            sizes += [sum(abs(a) * most for a in row[0]) + abs(row[3]) for row in part.rows]
        elif isinstance(part, Cumulative):
            sizes += [most * max(2, len(row[0])) for row in part.rows]
        elif isinstance(part, Expression):
            sizes += [largest(tree, most) for tree in part.trees]
    return f"{reader} takes no numbers above {LARGEST}" if max(sizes) > LARGEST else None


def number_set(numbers: Sequence[int]) -> str:
    whole = numbers and len(numbers) == numbers[-1] - numbers[0] + 1
    return f"{numbers[0]}..{numbers[-1]}" if whole else f"{{{', '.join(map(str, numbers))}}}"


def array(xs: Sequence[int], less: int = 0) -> str:
    """Return the text of an array of variables, each less a number."""
    return f"[{', '.join(f'v{x + 1} - {less}' if less else f'v{x + 1}' for x in xs)}]"


def exists(parts: Iterator[str]) -> str:
    return " \\/ ".join(parts) or "false"


def forall(parts: Iterator[str]) -> str:
    return " /\\ ".join(parts) or "true"


def write_all_different(part: AllDifferent) -> Lines:
    for unit in part.units:
        if len(unit) > 1:
            yield f"alldifferent({array(unit)})"


def write_clauses(part: Clauses) -> Lines:
    for clause in part.rows:
        yield exists(f"v{abs(k)} {'=' if k > 0 else '!='} 1" for k in clause)


def write_linear(part: Linear) -> Lines:
    for coefficients, xs, comparison, bound in part.rows:
        terms = ", ".join(f"{a}*v{x + 1}" for a, x in zip(coefficients, xs, strict=True))
        yield f"sum([{terms}]) {comparison} {bound}" if terms else truth_text(ORDER[comparison](0, bound))


def truth_text(held: bool) -> str:
    return "true" if held else "false"


def write_table(part: Table) -> Lines:
    rows = part.rows.tolist() if part.scopes else []
    sign, join, outer = ("=", forall, exists) if part.positive else ("!=", exists, forall)
    numbers = ", ".join(str(n) for row in rows for n in row)
    for scope in part.scopes:
        if part.positive and rows and not any(STAR in row for row in rows):
            yield f"table({array(scope)}, array2d(1..{len(rows)}, 1..{len(scope)}, [{numbers}]))"
        else:
            matches = (
                join(f"v{x + 1} {sign} {n}" for x, n in zip(scope, row, strict=True) if n != STAR) for row in rows
            )
            yield outer(f"({match})" for match in matches)


def write_element(part: Element) -> Lines:
    for items, index, start, value in part.rows:
        yield f"v{index + 1} in {start}..{start + len(items) - 1}"
        if items:
            yield f"{array(items)}[v{index + 1} - {start} + 1] = v{value + 1}".replace("- -", "+ ")


def compared(name: str, counted: str, most: int, comparison: str, bound: int) -> str:
    """Return a predicate on a count. Its first part counts; the result is compared with the number of `bound`."""
    if comparison == "=":
        return f"{name}(v{bound + 1}, {counted})"
    return f"let {{var 0..{most}: n}} in {name}(n, {counted}) /\\ n {comparison} v{bound + 1}"


def write_count(part: Count) -> Lines:
    for xs, numbers, comparison, bound in part.rows:
        if xs and numbers:
            counted = f"{array(xs)}, {number_set(sorted(set(numbers)))}"
            yield compared("among", counted, len(xs), comparison, bound)
        else:
            yield f"0 {comparison} v{bound + 1}"


def write_cardinality(part: Cardinality) -> Lines:
    for xs, numbers, occurrences, closed in part.rows:
        if xs and numbers:
            yield f"global_cardinality({array(xs)}, [{', '.join(map(str, numbers))}], {array(occurrences)})"
        elif not xs:
            yield forall(f"v{x + 1} = 0" for x in occurrences)
        for x in dict.fromkeys(xs) if closed else ():
            yield f"v{x + 1} in {number_set(sorted(set(numbers)))}"


def write_nvalues(part: NValues) -> Lines:
    for xs, excepted, comparison, bound in part.rows:
        if not xs:
            yield f"0 {comparison} v{bound + 1}"
        elif not excepted:
            yield compared("nvalue", array(xs), len(xs), comparison, bound)
        else:
            yield (
                f"let {{int: least = lb_array({array(xs)}); int: most = ub_array({array(xs)})}} in"
                f" sum(n in least..most where not (n in {number_set(sorted(set(excepted)))}))"
                f"(bool2int(exists(x in {array(xs)})(x = n))) {comparison} v{bound + 1}"
            )


def write_minmax(part: MinMax) -> Lines:
    for which, xs, comparison, bound in part.rows:
        yield f"{which[:3]}({array(xs)}) {comparison} v{bound + 1}"


def write_lex(part: Lex) -> Lines:
    for left, right, comparison in part.rows:
        if comparison in (">", ">="):
            left, right = right, left
        strict = comparison in ("<", ">")
        name = "lex_less" if strict else "lex_lesseq"
        yield f"{name}({array(left)}, {array(right)})" if left else truth_text(not strict)


def write_automaton(part: Automaton) -> Lines:
    transitions, finals = deterministic(part)
    least = min((n for _, n, _ in transitions), default=0)
    width = max((n for _, n, _ in transitions), default=0) - least + 1
    states = 1 + max((max(a, b) for a, _, b in transitions), default=0)
    steps = [["0"] * width for _ in range(states)]
    for a, n, b in transitions:
        steps[a][n - least] = str(b + 1)
    moves = f"array2d(1..{states}, 1..{width}, [{', '.join(step for row in steps for step in row)}])"
    ends = number_set([q + 1 for q in sorted(finals)])
    for scope in part.scopes:
        if not scope or not transitions or not finals:
            yield truth_text(not scope and part.start in part.finals)
            continue
        yield from (f"v{x + 1} in {least}..{least + width - 1}" for x in dict.fromkeys(scope))
        yield f"regular({array(scope, least - 1)}, {states}, {width}, {moves}, 1, {ends})".replace("- -", "+ ")


def write_cumulative(part: Cumulative) -> Lines:
    for starts, durations, heights, limit in part.rows:
        yield from (f"v{x + 1} >= 0" for x in dict.fromkeys((*durations, *heights, limit)))
        if starts:
            yield f"cumulative({array(starts)}, {array(durations)}, {array(heights)}, v{limit + 1})"


def write_circuit(part: Circuit) -> Lines:
    for xs, start, comparison, bound in part.rows:
        if xs:
            yield f"subcircuit({array(xs, start - 1)})".replace("- -", "+ ")
        on = ", ".join(f"bool2int(v{x + 1} != {start + i})" for i, x in enumerate(xs))
        yield f"{f'sum([{on}])' if xs else 0} {comparison} v{bound + 1}"


def write_expression(part: Expression) -> Lines:
    for tree in part.trees:
        yield from tree_lines(tree)


def tree_lines(tree: Tree) -> Lines:
    """Yield the conditions under which a tree is defined, then the tree."""
    for needed in definitions(tree):
        yield from tree_lines(needed)
    yield boolean(tree)


def boolean(tree: Tree) -> str:
    """Return the text of a Boolean expression that is true where the tree is not 0."""
    name, *parts = tree
    if name not in LOGICAL:
        return f"{integer(tree)} != 0"
    if name == "in":
        return f"{integer(parts[0])} in {number_set(sorted(set(parts[1][1:])))}"
    if name in COMPARISONS:
        first, *rest = map(integer, parts)
        return forall(f"{first} {COMPARISONS[name]} {other}" for other in rest)
    truths = [f"({boolean(part)})" for part in parts]
    match name:
        case "not":
            return f"not {truths[0]}"
        case "and":
            return forall(iter(truths))
        case "or":
            return exists(iter(truths))
        case "imp":
            return " -> ".join(truths)
        case "xor":
            return " xor ".join(truths)
        case _:
            return forall(f"({truths[0]} <-> {other})" for other in truths[1:])


def integer(tree: Tree) -> str:
    """Return the text of an integer expression."""
    name, *parts = tree
    if name == "var":
        return f"v{parts[0] + 1}"
    if name == "number":
        return f"({parts[0]})"
    if name in LOGICAL:
        return f"bool2int({boolean(tree)})"
    if name == "if":
        return f"(if {boolean(parts[0])} then {integer(parts[1])} else {integer(parts[2])} endif)"
    return INTEGER[name](*map(integer, parts))


def infix(operator: str) -> Callable[..., str]:
    return lambda *parts: f"({f' {operator} '.join(parts)})"


INTEGER: dict[str, Callable[..., str]] = {
    "neg": lambda a: f"(-{a})",
    "abs": lambda a: f"abs({a})",
    "sqr": lambda a: f"({a} * {a})",
    "dist": lambda a, b: f"abs({a} - {b})",
    "pow": lambda a, b: f"pow({a}, {b})",
    "min": lambda *parts: f"min([{', '.join(parts)}])",
    "max": lambda *parts: f"max([{', '.join(parts)}])",
    "add": infix("+"),
    "sub": infix("-"),
    "mul": infix("*"),
    "div": infix("div"),
    "mod": infix("mod"),
}
WRITE = by_kind(
    write_all_different,
    write_automaton,
    write_cardinality,
    write_circuit,
    write_clauses,
    write_count,
    write_cumulative,
    write_element,
    write_expression,
    write_lex,
    write_linear,
    write_minmax,
    write_nvalues,
    write_table,
)
