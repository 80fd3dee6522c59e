"""Every kind of constraint as MiniZinc text.

Globals are included by their own files, since Debian's Gecode library does not fit `globals.mzn`.
"""

from encoders.minizinc.text import Lines, array, clause_text, exists, forall, number_set, tree_lines, truth_text
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
from puzzles.constraints.numbers import ORDER
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table

INCLUDES = (
    *("alldifferent", "among", "cumulative", "global_cardinality", "lex_less"),
    *("lex_lesseq", "nvalue", "regular", "subcircuit", "table"),
)


def write_all_different(part: AllDifferent) -> Lines:
    for unit in part.units:
        if len(unit) > 1:
            yield f"alldifferent({array(unit)})"


def write_clauses(part: Clauses) -> Lines:
    for clause in part.rows:
        yield clause_text(clause)


def write_linear(part: Linear) -> Lines:
    for coefficients, xs, comparison, bound in part.rows:
        terms = ", ".join(f"{a}*v{x + 1}" for a, x in zip(coefficients, xs, strict=True))
        yield f"sum([{terms}]) {comparison} {bound}" if terms else truth_text(ORDER[comparison](0, bound))


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


TO_MINIZINC = by_kind(globals())
