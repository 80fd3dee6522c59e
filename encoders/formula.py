"""Formulas, the input of solvers. Squares and values are indices, never names.

A formula encodes a layout and serves every puzzle on it; only encodings marked `per_puzzle` use the domains.
"""

from bisect import bisect_left
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from puzzles.constraints import all_different
from puzzles.constraints.clauses import split_clauses
from puzzles.objectives.models import ModelCount
from puzzles.objectives.queries import QueryScript
from puzzles.problem import Constraint, Objective
from puzzles.problem.values import WORD, Domains, bits, bounded

Int32Array = npt.NDArray[np.int32]
OBJECTIVE = "objective"  # among the kinds of constraint
MAX_LISTED = 64  # numbers of a range that are a tuple, as those of any other domain
MAX_NUMBERS = 1 << 16  # numbers of a variable that a backend may list


class Unsupported(Exception):
    """An encoding does not accept a problem, or a backend a formula; the text names the unaccepted part.

    This is expected, not a failure: the instances are reported as unsupported. Any other exception is an error.
    """


@dataclass(frozen=True, eq=False)
class Cnf:
    """Clauses over variables 1..variables.

    clauses  one flat array, each clause ended by 0, as in a DIMACS file
    literal  [square][value] -> the literal that is true iff the value is placed there; every encoding defines all of
             them, and givens, decoding, blocking and projection use them
    at_most  (literals, k): at most k of them are true; only for solvers that accept cardinality constraints
    """

    clauses: Int32Array
    variables: int
    literal: Sequence[tuple[int, ...]]
    at_most: tuple[tuple[tuple[int, ...], int], ...] = ()

    def clause_lists(self) -> list[list[int]]:
        """Return the clauses as lists, without the 0."""
        return split_clauses(self.clauses)


@dataclass(frozen=True, eq=False)
class Wcnf:
    """Clauses with an objective, which is to be minimised: `offset` and the weights of the soft clauses that are false.

    hard     clauses that hold, and the literals of squares and values
    soft     one flat array, each clause ended by 0
    weights  of each soft clause, positive: int64[n], or Python integers if one is longer
    linear   name of the encoding of sums, for a solver that bounds the sum of the weights by clauses
    """

    hard: Cnf
    soft: Int32Array
    weights: npt.NDArray[Any]
    offset: int = 0
    linear: str = "mixed"

    def soft_rows(self) -> list[tuple[int, list[int]]]:
        """Return weight and literals of each soft clause."""
        return list(zip(self.weights.tolist(), split_clauses(self.soft), strict=True))


@dataclass(frozen=True, eq=False)
class CountedCnf:
    """Clauses whose models are counted.

    shown    variables on which models differ, None for all; auxiliary variables of an encoding are not among them
    weights  exact, by literal; those of a model are multiplied
    goal     the number that is wanted
    """

    cnf: Cnf
    shown: tuple[int, ...] | None
    weights: Mapping[int, Fraction]
    goal: ModelCount


@dataclass(frozen=True, eq=False)
class QueryFormula:
    """A query script as it is: its clauses are those of its asks. One over a model has that too, and as clauses."""

    script: QueryScript
    model: "Constraints | None" = None
    clauses: Callable[[], Cnf] | None = None


@dataclass(frozen=True, eq=False)
class AllDifferent:
    """`squares` variables over 0..values-1; the squares of each unit take different values."""

    squares: int
    values: int
    units: tuple[tuple[int, ...], ...]

    def as_constraints(self) -> "Constraints":
        """Return the formula as constraints on the numbers 0 to values - 1."""
        return Constraints(self.squares, range(self.values), (all_different.AllDifferent(self.units),))


@dataclass(frozen=True, eq=False)
class Booleans:
    """One Boolean per candidate, square * values + value, and groups with exactly or at most one true."""

    squares: int
    values: int
    exactly_one: tuple[tuple[int, ...], ...]
    at_most_one: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class Channelled:
    """Integers and Booleans of the same squares: a candidate is true iff its square takes its value."""

    integers: AllDifferent
    booleans: Booleans


@dataclass(frozen=True, eq=False)
class Text:
    """Symbols for programs that read puzzles as text: one per value, and one for an open square; name of the layout."""

    symbols: str
    open: str
    layout: str


@dataclass(frozen=True, eq=False)
class Constraints:
    """`variables` integers over `numbers`, and constraints of several kinds, unchanged, on indices of variables.

    `domains` are those of the problem's only instance, as masks of `numbers`, if the formula is made for it; if
    `ranged`, as bounds (`puzzles.problem.values.bounded`).
    `names` are those of the variables, for answers to the file that an instance came as. With an `objective` the best
    solution is wanted; a reader that takes none refuses it by its name in `kinds`.
    """

    variables: int
    numbers: Sequence[int]
    constraints: tuple[Constraint, ...]
    domains: Domains | None = None
    names: Sequence[str] = ()
    objective: Objective | None = None
    ranged: bool = False

    def kinds(self) -> tuple[str, ...]:
        """Return the names of the kinds of constraint, in order, and OBJECTIVE if the formula has an objective."""
        goal = [OBJECTIVE] if self.objective is not None else []
        return tuple(dict.fromkeys([*(c.kind for c in self.constraints), *goal]))

    @property
    def known(self) -> Domains:
        """Return the domain of each variable: all numbers, unless the formula is made for one instance."""
        return self.domains or (self.full,) * self.variables

    @property
    def full(self) -> int:
        """Domain of all numbers."""
        return bounded(0, len(self.numbers) - 1) if self.ranged else (1 << len(self.numbers)) - 1

    @property
    def first(self) -> int:
        """Domain of the first number alone."""
        return bounded(0, 0) if self.ranged else 1

    def members(self, domain: int) -> Sequence[int]:
        """Return the numbers of a domain, ascending; more than MAX_LISTED of a range are a `range`."""
        if not self.ranged:
            return tuple([self.numbers[v] for v in bits(domain)])
        found = self.numbers[domain & WORD : domain >> 64]
        return found if len(found) > MAX_LISTED else tuple(found)

    def at_least(self, domain: int, number: int) -> int:
        """Return the domain without lower numbers."""
        least = bisect_left(self.numbers, number)
        if not self.ranged:
            return domain >> least << least
        first, last = max(least, domain & WORD), (domain >> 64) - 1
        return bounded(first, last) if first <= last else 0

    def choices(self) -> tuple[list[int], dict[int, Sequence[int]]]:
        """Return the domain of each variable, and the numbers of each domain.

        The first number stands for an empty domain: an ask that has one is answered without the solver.
        """
        masks = [mask or self.first for mask in self.known]
        if self.ranged:
            return masks, {mask: self.members(mask) for mask in set(masks)}
        every, full = tuple(self.numbers), self.full
        known = dict.fromkeys(masks)
        return masks, {m: every if m == full else tuple([every[v] for v in bits(m)]) for m in known}

    def index(self) -> Callable[[int], int]:
        """Return the function that gives the index of a number, and one past the last for any other."""
        numbers, beyond = self.numbers, len(self.numbers)
        if self.ranged:
            return lambda number: numbers.index(number) if number in numbers else beyond
        known = {number: v for v, number in enumerate(numbers)}
        return lambda number: known.get(number, beyond)

    def ends(self) -> list[tuple[int, int]]:
        """Return the least and the greatest number of each variable; those of an empty domain are the first."""
        masks, numbers = self.choices()
        found = {mask: (own[0], own[-1]) for mask, own in numbers.items()}
        return [found[mask] for mask in masks]

    def expressed(self, kinds: Container[str]) -> "Constraints":
        """Return the formula with constraints of other kinds rewritten as expressions, where possible."""
        if all(c.kind in kinds for c in self.constraints):
            return self
        from encoders.decomposing import TO_EXPRESSIONS, expressed  # which loads all kinds that it knows
        from puzzles.constraints.expression import Expression

        others = {i for i, c in enumerate(self.constraints) if c.kind not in kinds and c.kind in TO_EXPRESSIONS}
        if Expression.kind not in kinds or not others:
            return self
        ends = self.ends()
        parts = (expressed(c, ends) if i in others else c for i, c in enumerate(self.constraints))
        return replace(self, constraints=tuple(parts))


Formula = Cnf | Wcnf | CountedCnf | QueryFormula | AllDifferent | Booleans | Channelled | Constraints | Text
KINDS: dict[str, type] = {kind.__name__: kind for kind in get_args(Formula)}


def constraints_of(
    formula: Formula, reader: str, kinds: Container[str] | None = None, ranges: Container[str] = ()
) -> Constraints:
    """Return a board or problem as constraints; all must be of `kinds`, if stated, or be expressed by these.

    The reader takes wide ranges in constraints of the kinds `ranges`, and lists the numbers of variables in others.
    Raises Unsupported, with the name of the reader, for another formula or kind, or a variable of too many numbers.
    """
    if isinstance(formula, AllDifferent):
        formula = formula.as_constraints()
    if not isinstance(formula, Constraints):
        raise Unsupported(f"{reader} takes constraints, not {type(formula).__name__}")
    formula = formula if kinds is None else formula.expressed(kinds)
    if formula.ranged:
        refuse_wide(formula, reader, ranges)
    if kinds is None:
        return formula
    if unknown := [kind for kind in formula.kinds() if kind not in kinds]:
        raise Unsupported(f"{reader} does not support {', '.join(unknown)}")
    return formula


def refuse_wide(form: Constraints, reader: str, ranges: Container[str]) -> None:
    """Raise Unsupported if constraints of other kinds than `ranges` have a variable of more than MAX_NUMBERS."""
    from puzzles.constraints.moving import variables_of  # which loads all kinds

    masks, numbers = form.choices()
    if not ranges:
        x = max(range(form.variables), key=lambda x: len(numbers[masks[x]]))
        raise Unsupported(f"{reader} takes no ranges such as {range_text(form, x)}")
    wide = {x for x, mask in enumerate(masks) if len(numbers[mask]) > MAX_NUMBERS}
    for part in form.constraints:
        if part.kind not in ranges and (x := min(wide & variables_of(part), default=-1)) >= 0:
            raise Unsupported(f"{reader} lists the numbers of a variable of {part.kind}: {range_text(form, x)}")


def range_text(form: Constraints, x: int) -> str:
    """Return the name of a variable with its bounds."""
    least, most = form.ends()[x]
    return f"{form.names[x] if x < len(form.names) else f'x{x + 1}'} in {least}..{most}"


WORDS: dict[type, str] = {  # names of formula types in messages: plural, of kinds of constraint
    Cnf: "clauses",
    Wcnf: "clauses with an objective",
    CountedCnf: "clauses to count",
    QueryFormula: "query scripts",
    AllDifferent: all_different.AllDifferent.kind,
    Booleans: "groups of Booleans",
    Text: "boards as text",
    Constraints: "constraints",
}


def kinds_of(formula: Formula) -> str:
    """Return the name of a formula's type, or its kinds of constraint, for messages."""
    if isinstance(formula, Constraints):
        return ", ".join(formula.kinds()) or "a problem without constraints"
    return WORDS.get(type(formula), type(formula).__name__)
