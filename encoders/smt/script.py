"""The text of an SMT-LIB script under construction.

A variable that takes 0 and 1 is a Bool, any other an Int, or a bit vector in two's complement. All vectors of a script
have one width, which holds every number that a term may take; WIDTH stands for it until the text is complete. Repeated
terms are defined once; definitions take no arguments, so they add no models.

    x  an index of a variable   n  a number   formula  text of sort Bool   term  text of an integer, with its bounds
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from encoders.formula import Constraints, Unsupported

WIDTH = "@"
MAX_BITS = 1 << 12  # bits of a number
OPERATORS = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "<=": "bvsle", "<": "bvslt", ">=": "bvsge", ">": "bvsgt"}


class Term(NamedTuple):
    """Integer with bounds. If `formula` is set, the term is 1 where the formula is true, else 0."""

    text: str
    low: int
    high: int
    formula: str = ""


class Script:
    """The lines of a script; `domains` are the numbers of each variable, ascending. Raises Unsupported."""

    def __init__(self, form: Constraints, vectors: bool) -> None:
        self.vectors, self.lines, self.reach, self.definitions = vectors, list[str](), 1, 0
        self.nonlinear = False  # True if a term is a product or a quotient of terms that are no numbers
        masks, numbers = form.choices()
        self.domains = [numbers[mask] for mask in masks]
        self.sort = f"(_ BitVec {WIDTH})" if vectors else "Int"
        self.taken: dict[tuple[int, int], str] = {}  # results of `takes`
        for x, domain in enumerate(self.domains):
            self.declare(x, domain)

    def text(self) -> str:
        """Return the script, without commands that solve it."""
        return self.completed("\n".join(self.lines)) + "\n"

    def completed(self, text: str) -> str:
        """Return a text with the width of bit vectors filled in, once all constraints are written."""
        return text.replace(WIDTH, str(self.width()))

    def width(self) -> int:
        """Return the width of the bit vectors."""
        return self.reach.bit_length() + 1

    def declare(self, x: int, domain: Sequence[int]) -> None:
        self.lines.append(f"(declare-const v{x} {'Bool' if domain == (0, 1) else self.sort})")
        if domain != (0, 1):
            self.require(self.within(Term(f"v{x}", domain[0], domain[-1]), domain))

    def require(self, formula: str) -> None:
        self.lines.append(f"(assert {formula})")

    def number(self, n: int) -> Term:
        self.extend(n)
        if self.vectors:
            return Term(f"(bvneg (_ bv{-n} {WIDTH}))" if n < 0 else f"(_ bv{n} {WIDTH})", n, n)
        return Term(f"(- {-n})" if n < 0 else str(n), n, n)

    def term(self, text: str, low: int, high: int) -> Term:
        """Return a term of these bounds."""
        self.extend(low)
        self.extend(high)
        return self.number(low) if low == high else Term(text, low, high)

    def extend(self, n: int) -> None:
        """Make vectors wide enough for a number."""
        self.reach = max(self.reach, abs(n))
        if self.reach.bit_length() > MAX_BITS:
            raise Unsupported(f"numbers of more than {MAX_BITS} bits are not supported")

    def variable(self, x: int) -> Term:
        domain = self.domains[x]
        if len(domain) == 1:
            return self.number(domain[0])
        return self.truth(f"v{x}") if domain == (0, 1) else self.term(f"v{x}", domain[0], domain[-1])

    def variables(self, xs: Iterable[int]) -> list[Term]:
        return [self.variable(x) for x in xs]

    def truth(self, formula: str) -> Term:
        """Return a term that is 1 where a formula is true, else 0."""
        if formula in ("true", "false"):
            return self.number(int(formula == "true"))
        return Term(self.choice(formula, self.number(1), self.number(0)).text, 0, 1, formula)

    def choice(self, condition: str, a: Term, b: Term) -> Term:
        """Return a term that is a where the condition is true, else b."""
        if condition in ("true", "false"):
            return a if condition == "true" else b
        return self.term(f"(ite {condition} {a.text} {b.text})", min(a.low, b.low), max(a.high, b.high))

    def named(self, term: Term) -> Term:
        """Return a term that is cheap to repeat."""
        if " " not in term.text or term.low == term.high:
            return term
        if term.formula:
            return self.truth(self.named_formula(term.formula))
        return term._replace(text=self.define(term.text))

    def named_formula(self, formula: str) -> str:
        return self.define(formula, "Bool") if " " in formula else formula

    def define(self, text: str, sort: str = "") -> str:
        self.definitions += 1
        self.lines.append(f"(define-fun d{self.definitions} () {sort or self.sort} {text})")
        return f"d{self.definitions}"

    def apply(self, operator: str, *parts: str) -> str:
        """Return an operator of OPERATORS on terms."""
        return f"({OPERATORS[operator] if self.vectors else operator} {' '.join(parts)})"

    def compare(self, a: Term, comparison: str, b: Term) -> str:
        """Return the formula for: a comparison of two terms holds."""
        if comparison == "!=":
            return negation(self.compare(a, "=", b))
        if comparison == "=":
            if a.high < b.low or a.low > b.high:
                return "false"
            if a.low == a.high == b.low == b.high:
                return "true"
            if a.formula and b.formula:
                return f"(= {a.formula} {b.formula})"
            for one, other in ((a, b), (b, a)):
                if one.formula and other.low == other.high:
                    return one.formula if other.low else negation(one.formula)
            return f"(= {a.text} {b.text})"
        if comparison in (">", ">="):
            return self.compare(b, comparison.replace(">", "<"), a)
        strict = comparison == "<"
        if a.high < b.low + (not strict):
            return "true"
        return self.apply(comparison, a.text, b.text) if a.low < b.high + (not strict) else "false"

    def takes(self, x: int, n: int) -> str:
        """Return the formula for: x takes the number n."""
        if (x, n) not in self.taken:
            domain = self.domains[x]
            at = bisect_left(domain, n)
            in_domain = at < len(domain) and domain[at] == n
            self.taken[x, n] = self.compare(self.variable(x), "=", self.number(n)) if in_domain else "false"
        return self.taken[x, n]

    def given(self, x: int, numbers: Sequence[int]) -> str:
        """Return the formula for: x takes one of these numbers of its domain, which ascend."""
        if isinstance(numbers, range):
            return self.between(self.variable(x), numbers[0], numbers[-1])
        return disjunction(self.takes(x, n) for n in numbers)

    def within(self, term: Term, numbers: Sequence[int]) -> str:
        """Return the formula for: a term takes one of these numbers, which ascend."""
        if isinstance(numbers, range):
            return self.between(term, numbers[0], numbers[-1])
        starts = [*numbers[:1], *(b for a, b in pairwise(numbers) if b - a > 1)]
        ends = [*(a for a, b in pairwise(numbers) if b - a > 1), *numbers[-1:]]
        return disjunction(self.between(term, a, b) for a, b in zip(starts, ends, strict=True))

    def between(self, term: Term, low: int, high: int) -> str:
        if low == high:
            return f"(= {term.text} {self.number(low).text})"
        ends = self.apply("<=", self.number(low).text, term.text), self.apply("<=", term.text, self.number(high).text)
        return conjunction(ends)


def negation(formula: str) -> str:
    return {"true": "false", "false": "true"}.get(formula) or f"(not {formula})"


def conjunction(formulas: Iterable[str]) -> str:
    return connected("and", "true", "false", formulas)


def disjunction(formulas: Iterable[str]) -> str:
    return connected("or", "false", "true", formulas)


def connected(operator: str, neutral: str, dominant: str, formulas: Iterable[str]) -> str:
    """Connect formulas by `and` or `or`, without those that change nothing."""
    kept = list(dict.fromkeys(formula for formula in formulas if formula != neutral))
    if dominant in kept:
        return dominant
    return f"({operator} {' '.join(kept)})" if len(kept) > 1 else (kept or [neutral])[0]
