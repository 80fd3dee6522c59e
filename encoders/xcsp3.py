"""XCSP3 text of a problem: every kind of constraint, over variables v1, v2, ... with their own domains.

A constraint that is always false is written as one on v1 that no value satisfies. Where solvers differ, the text is
explicit: a division by zero is excluded by a constraint of its own, an operator on truth values gets truth values, a
list has no variable twice, and an automaton is deterministic.

All kinds are in one file, since they share these workarounds and the text under construction.

operand  a variable's name, or its number if it has only one
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from encoders.formula import Constraints, Unsupported
from encoders.rewriting import definitions, deterministic, simplified, truth
from puzzles.constraints import by_kind
from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.automaton import Automaton
from puzzles.constraints.cardinality import Cardinality
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.count import Count
from puzzles.constraints.element import Element
from puzzles.constraints.expression import Expression, Tree, tree_text
from puzzles.constraints.lex import Lex
from puzzles.constraints.linear import Linear
from puzzles.constraints.minmax import MinMax
from puzzles.constraints.numbers import ORDER
from puzzles.constraints.nvalues import NValues
from puzzles.constraints.table import STAR, Table
from puzzles.problem.values import Domains, Numbered, bits

OPERATORS = {"<": "lt", "<=": "le", ">=": "ge", ">": "gt", "=": "eq", "!=": "ne"}
NEEDED: dict[str, Callable[[int], bool]] = {"ne": lambda number: number != 0, "ge": lambda number: number >= 0}
LARGEST = (1 << 63) - 1
Row = tuple[Any, ...]


def xcsp3(form: Constraints, domains: Domains, forbidden: Sequence[Sequence[int]] = ()) -> bytes:
    """Return an XCSP3 file of a problem under these domains. Each of `forbidden` is a solution, in value indices.

    Raises Unsupported.
    """
    text = Xcsp3Text(form, domains)
    for part in form.constraints:
        WRITE[part.kind](text, part)
    for solution in forbidden:
        text.add_tree(("or", *(("ne", ("var", x), ("number", form.numbers[v])) for x, v in enumerate(solution))))
    if not all(text.domains):
        text.add_false()
    if not text.lines:  # some solvers need a constraint
        text.add_tree(("ge", ("var", 0), ("number", (text.numbers(0) or [0])[0])))
    own = [(name, text.numbers(x)) for x, name in enumerate(text.names)]
    auxiliary = [(f"a{i}", numbers) for i, numbers in enumerate(text.auxiliary, 1)]
    variables = [f'  <var id="{name}"> {domain_text(numbers)} </var>' for name, numbers in (*own, *auxiliary)]
    lines = ['<instance format="XCSP3" type="CSP">', " <variables>", *variables, " </variables>", " <constraints>"]
    return "\n".join([*lines, *text.lines, " </constraints>", "</instance>", ""]).encode()


def unsupported(form: Constraints, reader: str = "XCSP3") -> str | None:
    """Return the kinds of constraint in a problem that a reader of XCSP3 does not take, as a reason; else None."""
    kinds = [kind for kind in form.kinds() if kind not in WRITE]
    return f"{reader} takes no constraints of the kind {', '.join(kinds)}" if kinds else None


def domain_text(numbers: Sequence[int]) -> str:
    """Return ascending numbers with ranges, as in 1 3..6. The text is never empty, since XCSP3 has no empty domain."""
    ends = [a for a, b in pairwise(numbers) if b - a > 1] + list(numbers[-1:])
    starts = list(numbers[:1]) + [b for a, b in pairwise(numbers) if b - a > 1]
    return " ".join(str(a) if a == b else f"{a}..{b}" for a, b in zip(starts, ends, strict=True)) or "0"


class Xcsp3Text:
    """The constraints of a file under construction. Raises Unsupported."""

    def __init__(self, form: Constraints, domains: Domains) -> None:
        if why := unsupported(form):
            raise Unsupported(why)
        self.form, self.domains, self.lines = form, list(domains), list[str]()
        self.names = Numbered("v", max(form.variables, 1))
        self.auxiliary: list[Sequence[int]] = []  # the domains of a1, a2, ...

    def numbers(self, x: int) -> list[int]:
        """Return the numbers that a variable may take."""
        return [self.form.numbers[v] for v in bits(self.domains[x])] if x < len(self.domains) else []

    def restrict(self, x: int, keep: Callable[[int], bool]) -> None:
        """Remove from the domain of a variable all numbers but `keep`."""
        numbers = self.form.numbers
        self.domains[x] = sum(1 << v for v in bits(self.domains[x]) if keep(numbers[v]))

    def operand(self, x: int) -> str:
        numbers = self.numbers(x)
        return str(numbers[0]) if len(numbers) == 1 else self.names[x]

    def new(self, numbers: Sequence[int]) -> str:
        """Return the name of an auxiliary variable with this domain."""
        self.auxiliary.append(numbers)
        return f"a{len(self.auxiliary)}"

    def each_once(self, variables: Sequence[int]) -> list[str]:
        """Return names of variables. A copy stands for a repeated variable, since some solvers take each only once."""
        found = dict[str, int]()
        for x in variables:
            name = self.names[x]
            if name in found:
                name = self.new(self.numbers(x))
                self.add_text(f"eq({name},{self.names[x]})")
            found[name] = x
        return list(found)

    def list_of(self, variables: Sequence[int]) -> str:
        return " ".join(self.each_once(variables))

    def add_text(self, expression: str) -> None:
        """Add an expression that is already text."""
        self.lines.append(f"  <intension> {expression} </intension>")

    def add(self, kind: str, **parts: object) -> None:
        """Add a constraint with these child elements; an element's name ends before `_`, so that it may be repeated."""
        inner = "".join(
            f" <{name.partition('_')[0]}> {part} </{name.partition('_')[0]}>" for name, part in parts.items()
        )
        self.lines.append(f"  <{kind}>{inner} </{kind}>")

    def add_false(self) -> None:
        """Add a constraint that nothing satisfies."""
        numbers = self.numbers(0) or [0]
        self.add_text(f"eq(v1,{numbers[-1] + 1})")

    def add_truth(self, held: bool) -> None:
        """Add a constraint that is always true, or always false."""
        if not held:
            self.add_false()

    def add_condition(
        self, kind: str, variables: Sequence[int], comparison: str, operand: str, **parts: object
    ) -> None:
        """Add a constraint whose result for a list of variables compares with an operand."""
        condition = f"({OPERATORS[comparison]},{operand})"
        self.add(kind, list=self.list_of(variables), **parts, condition=condition)

    def add_tree(self, tree: Tree) -> None:
        """Add an expression, and the conditions under which its divisions and powers are defined."""
        for needed in definitions(tree):
            if needed[1][0] == "var":
                self.restrict(needed[1][1], NEEDED[needed[0]])
            else:
                self.add_tree(needed)
        shown = simplified(truth(tree))
        if shown[0] == "number":
            self.add_truth(shown[1] != 0)
        else:
            self.add_text(tree_text(shown, self.names))


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
        text.restrict(index, range(start, start + len(variables)).__contains__)
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
            text.add_tree((OPERATORS[comparison], ("number", 0), ("var", bound)))


def write_cardinality(text: Xcsp3Text, part: Cardinality) -> None:
    """Write `closed` as domains, since some solvers do not read it: no other number is taken."""
    for variables, numbers, occurrences, closed in part.rows:
        for x in dict.fromkeys(variables) if closed else ():
            text.restrict(x, numbers.__contains__)
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
        text.add_text(f"{OPERATORS[comparison]}({number},{text.names[bound]})")


def write_minmax(text: Xcsp3Text, part: MinMax) -> None:
    """Write a minimum or maximum. Some solvers read only equality: otherwise an auxiliary variable is the result."""
    for which, variables, comparison, bound in part.rows:
        if comparison == "=" and len(variables) > 1:
            text.add_condition(which, variables, comparison, text.operand(bound))
        else:
            chosen = (which[:3], *(("var", x) for x in variables))
            text.add_tree((OPERATORS[comparison], chosen, ("var", bound)))


def write_lex(text: Xcsp3Text, part: Lex) -> None:
    for left, right, comparison in part.rows:
        if left:
            lists = {"list": text.list_of(left), "list_2": text.list_of(right)}
            text.add("lex", **lists, operator=OPERATORS[comparison])
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


def write_expression(text: Xcsp3Text, part: Expression) -> None:
    for tree in part.trees:
        text.add_tree(tree)


WRITE = by_kind(
    write_all_different,
    write_automaton,
    write_cardinality,
    write_clauses,
    write_count,
    write_element,
    write_expression,
    write_lex,
    write_linear,
    write_minmax,
    write_nvalues,
    write_table,
)
