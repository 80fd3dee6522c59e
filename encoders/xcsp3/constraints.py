"""Every kind of constraint as XCSP3 text."""

from collections.abc import Sequence

from encoders.formula import Unsupported
from encoders.rewriting import deterministic
from encoders.xcsp3.text import LARGEST, Xcsp3Text
from puzzles.constraints import by_kind
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.circuit import Circuit
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.cumulative import Cumulative
from puzzles.constraints.element import Element
from puzzles.constraints.expression import OPERATOR_OF, Expression
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.no_overlap import NoOverlap
from puzzles.constraints.numbers import ORDER
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table


def write_clauses(text: Xcsp3Text, part: Clauses) -> None:
    for clause in part.rows:
        if clause:
            text.add_tree(("or", *(("eq" if k > 0 else "ne", ("var", abs(k) - 1), ("number", 1)) for k in clause)))
        else:
            text.add_false()


def write_linear(text: Xcsp3Text, part: Linear) -> None:
    for coefficients, variables, comparison, bound in part.rows:
        terms = [(a, x) for a, x in zip(coefficients, variables, strict=True) if a]
        if max(map(abs, [bound, *(a for a, _ in terms)])) > LARGEST:
            raise Unsupported("XCSP3 files hold no linear constraints with numbers above 64 bits")
        if terms:
            shown = " ".join(str(a) for a, _ in terms)
            text.add_condition("sum", [x for _, x in terms], comparison, str(bound), coeffs=shown)
        else:
            text.add_truth(ORDER[comparison](0, bound))


def write_all_different(text: Xcsp3Text, part: AllDifferent) -> None:
    for unit in part.units:
        if len(unit) > 1:
            text.lines.append(f"  <allDifferent> {text.list_of(unit)} </allDifferent>")


def write_table(text: Xcsp3Text, part: Table) -> None:
    """Write a table. A forbidden tuple with stars is written as an expression, which more solvers take."""
    rows = sorted(set(map(tuple, part.rows.tolist()))) if part.scopes else []
    starred = [] if part.positive else [row for row in rows if STAR in row]
    listed = [row for row in rows if row not in starred]
    for scope in part.scopes:
        for row in starred:
            different = [("ne", ("var", x), ("number", n)) for x, n in zip(scope, row, strict=True) if n != STAR]
            text.add_tree(("or", *different) if different else ("number", 0))
        if (STAR,) * len(scope) in listed:
            continue
        if listed:
            tuples = [",".join("*" if n == STAR else str(n) for n in row) for row in listed]
            shown = " ".join(tuples) if len(scope) == 1 else "".join(f"({row})" for row in tuples)
            text.add("extension", list=text.list_of(scope), **{"supports" if part.positive else "conflicts": shown})
        elif part.positive:
            text.add_false()


def write_element(text: Xcsp3Text, part: Element) -> None:
    """Write an element constraint, with an auxiliary variable as the index: its list begins at 0, as all solvers read
    it.
    """
    for variables, index, start, value in part.rows:
        text.restrict_to(index, start, start + len(variables) - 1)
        if not variables:
            continue
        *listed, at, result = text.each_once((*variables, index, value))
        if start:
            shifted = text.new(range(len(variables)))
            text.add_text(f"eq({at},add({shifted},{start}))")
            at = shifted
        if len(text.numbers(value)) == 1:
            result = text.operand(value)
        rest = f"<index> {at} </index> <value> {result} </value>"
        text.lines.append(f"  <element> <list> {' '.join(listed)} </list> {rest} </element>")


def write_count(text: Xcsp3Text, part: Count) -> None:
    for variables, numbers, comparison, bound in part.rows:
        if numbers and variables:
            text.add_condition("count", variables, comparison, text.operand(bound), values=" ".join(map(str, numbers)))
        else:
            text.add_tree((OPERATOR_OF[comparison], ("number", 0), ("var", bound)))


def write_cardinality(text: Xcsp3Text, part: Cardinality) -> None:
    """Write `closed` as domains, since some solvers do not read it: no other number is taken."""
    for variables, numbers, occurrences, closed in part.rows:
        for x in dict.fromkeys(variables) if closed else ():
            text.restrict(x, numbers.__contains__, ("in", ("var", x), ("set", *numbers)))
        if not variables:
            for x in occurrences:
                text.add_tree(("eq", ("var", x), ("number", 0)))
        elif numbers:
            fixed = all(len(text.numbers(x)) == 1 for x in occurrences)
            occurs = " ".join(map(text.operand, occurrences)) if fixed else text.list_of(occurrences)
            listed = f"<list> {text.list_of(variables)} </list>"
            values = f"<values> {' '.join(map(str, numbers))} </values>"
            text.lines.append(f"  <cardinality> {listed} {values} <occurs> {occurs} </occurs> </cardinality>")


def write_nvalues(text: Xcsp3Text, part: NValues) -> None:
    """Write a count of distinct values as an auxiliary variable, since some solvers compare it only by equality."""
    for variables, excepted, comparison, bound in part.rows:
        number = text.new(range(len(variables) + 1))
        if variables:
            parts = {"except": " ".join(map(str, excepted))} if excepted else {}
            text.add_condition("nValues", variables, "=", number, **parts)
        else:
            text.add_text(f"eq({number},0)")
        text.add_text(f"{OPERATOR_OF[comparison]}({number},{text.names[bound]})")


def write_minmax(text: Xcsp3Text, part: MinMax) -> None:
    """Write a minimum or maximum. Some solvers read only equality: otherwise an auxiliary variable is the result."""
    for which, variables, comparison, bound in part.rows:
        if comparison == "=" and len(variables) > 1:
            text.add_condition(which, variables, comparison, text.operand(bound))
        else:
            chosen = (which[:3], *(("var", x) for x in variables))
            text.add_tree((OPERATOR_OF[comparison], chosen, ("var", bound)))


def write_lex(text: Xcsp3Text, part: Lex) -> None:
    for left, right, comparison in part.rows:
        if left:
            lists = {"list": text.list_of(left), "list_2": text.list_of(right)}
            text.add("lex", **lists, operator=OPERATOR_OF[comparison])
        else:
            text.add_truth(comparison in ("<=", ">="))


def write_automaton(text: Xcsp3Text, part: Automaton) -> None:
    transitions, finals = deterministic(part)
    for scope in part.scopes:
        if not scope or not transitions or not finals:
            text.add_truth(not scope and part.start in part.finals)
            continue
        steps = "".join(f"(q{a},{number},q{b})" for a, number, b in transitions)
        ends = " ".join(f"q{q}" for q in finals)
        text.add("regular", list=text.list_of(scope), transitions=steps, start="q0", final=ends)


def write_cumulative(text: Xcsp3Text, part: Cumulative) -> None:
    for starts, durations, heights, limit in part.rows:
        for x in dict.fromkeys((*durations, *heights, limit)):
            text.not_negative(x)
        if starts:
            parts = zip(("origins", "lengths", "heights"), (starts, durations, heights), strict=True)
            condition = f"(le,{text.operand(limit)})"
            text.add("cumulative", **{name: text.all_operands(xs) for name, xs in parts}, condition=condition)


def write_no_overlap(text: Xcsp3Text, part: NoOverlap) -> None:
    """Write boxes; two without dimensions always overlap."""
    for origins, lengths, ignored in part.rows:
        for x in (x for box in lengths for x in box):
            text.not_negative(x)
        size = max(map(len, origins), default=0)
        if len(origins) > 1 and size:
            names = text.all_operands([x for box in origins for x in box]).split()
            sizes = text.all_operands([x for box in lengths for x in box]).split()
            inner = f"<origins> {boxes(names, size)} </origins> <lengths> {boxes(sizes, size)} </lengths>"
            text.lines.append(f'  <noOverlap zeroIgnored="{str(ignored).lower()}"> {inner} </noOverlap>')
        elif len(origins) > 1:
            text.add_false()


def boxes(words: Sequence[str], size: int) -> str:
    """Return words one after another, or as tuples of this size if it is above 1."""
    if size == 1:
        return " ".join(words)
    return "".join(f"({','.join(words[i : i + size])})" for i in range(0, len(words), size))


def write_circuit(text: Xcsp3Text, part: Circuit) -> None:
    """Write a circuit, and its size as a sum. A circuit of XCSP3 is never empty: that is the other case of a choice."""
    for variables, start, comparison, bound in part.rows:
        for x in dict.fromkeys(variables):
            text.restrict_to(x, start, start + len(variables) - 1)
        on = [("ne", ("var", x), ("number", start + i)) for i, x in enumerate(variables)]
        text.add_tree((OPERATOR_OF[comparison], ("add", *on) if on else ("number", 0), ("var", bound)))
        sizes = text.numbers(bound)
        empty = any(ORDER[comparison](0, n) for n in (*sizes[:1], *sizes[-1:], *([0] if 0 in sizes else [])))
        if len(variables) > 1 and start in (0, 1) and not empty:
            listed = f'<list startIndex="{start}"> {text.list_of(variables)} </list>'
            text.lines.append(f"  <circuit> {listed} </circuit>")
        elif variables:
            write_positions(text, variables, start)


def write_positions(text: Xcsp3Text, variables: Sequence[int], start: int) -> None:
    """Write a circuit that may be empty: an auxiliary variable for each node is its position after the first."""
    text.lines.append(f"  <allDifferent> {text.list_of(variables)} </allDifferent>")
    names = text.each_once(variables)
    positions = [text.new(range(len(variables))) for _ in variables]
    for j, x in enumerate(names):
        here = f"eq({positions[j]},0)"
        root = conjunction(f"ne({x},{start + j})", *(f"eq({y},{start + i})" for i, y in enumerate(names[:j])))
        text.add_text(f"imp(or({root},eq({x},{start + j})),{here})")
        for i, y in enumerate(names):
            if i != j:
                text.add_text(f"imp(eq({y},{start + j}),or({root},eq({positions[j]},add({positions[i]},1))))")


def conjunction(*parts: str) -> str:
    return f"and({','.join(parts)})" if len(parts) > 1 else parts[0]


def write_expression(text: Xcsp3Text, part: Expression) -> None:
    for tree in part.trees:
        text.add_tree(tree)


TO_XCSP3 = by_kind(globals())
