"""Ask and answer of a counter: clauses, a projection and weights; a number, or an estimate of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import NamedTuple

from backends.contract.answer import Unsupported

ONE = Fraction(1)


@dataclass(frozen=True)
class CountAsk:
    """Models to count over variables 1..variables.

    shown     variables on which models differ, None for all        weights  by literal; 1 without one
    deadline  time of the clock `now`, in ns                          proving   a circuit is wanted too
    """

    variables: int
    clauses: list[list[int]]
    shown: tuple[int, ...] | None
    weights: Mapping[int, Fraction]
    deadline: int
    proving: bool = False

    @property
    def projection(self) -> Sequence[int]:
        """Variables on which models differ."""
        return range(1, self.variables + 1) if self.shown is None else self.shown

    @property
    def unused(self) -> set[int]:
        """Variables of the projection that stand in no clause."""
        return {*self.projection} - {abs(p) for clause in self.clauses for p in clause}

    def weight(self, *literals: int) -> Fraction:
        """Return the weight of literals together."""
        return prod((self.weights.get(p, ONE) for p in literals), start=ONE)

    def integer_weights(self) -> tuple[dict[int, int], int]:
        """Return weights of shown literals times a factor of each variable, and the product of the factors."""
        shown, scale = set(self.projection), 1
        found = dict[int, int]()
        for p, weight in self.weights.items():
            if p > 0 and p in shown:
                factor = weight.denominator * self.weights[-p].denominator
                scale *= factor
                found |= {p: int(weight * factor), -p: int(self.weights[-p] * factor)}
        return found, scale


class Estimate(NamedTuple):
    """A number that is not exact, but within a factor of 1 + epsilon, except with probability delta.

    Without an epsilon it claims no error.
    """

    number: Fraction
    epsilon: float | None = None
    delta: float = 0.0

    @property
    def note(self) -> str:
        """Return the claim in words, which `guarantee_of` reads."""
        return "an estimate" if self.epsilon is None else f"an estimate: epsilon {self.epsilon:g}, delta {self.delta:g}"


class CompiledCount(NamedTuple):
    """An exact number with the circuit that it was read from, as D4 writes it."""

    number: Fraction
    circuit: bytes


Counted = Fraction | int | Estimate | CompiledCount


class Guarantee(NamedTuple):
    """Claim of an estimate: within a factor of 1 + epsilon of the number, except with probability delta."""

    epsilon: float
    delta: float


GUARANTEED = re.compile(r"an estimate: epsilon ([0-9.e+-]+), delta ([0-9.e+-]+)")


def guarantee_of(note: str) -> Guarantee | None:
    """Return the claim of the note of an estimate; None if it claims no error, and of what is exact."""
    found = GUARANTEED.match(note)
    return Guarantee(float(found[1]), float(found[2])) if found else None


class TooLate(Exception):
    """The deadline has come."""


def refuse(name: str, cases: Mapping[str, bool]) -> None:
    """Raise Unsupported with the first case that holds, in which a counter is known to be wrong, or to crash."""
    for case, holds in cases.items():
        if holds:
            raise Unsupported(f"{name} is known to fail {case} ([raw=1] asks it all the same)")


def normalised(clauses: list[list[int]]) -> list[list[int]]:
    """Return clauses without repeated literals, and without those that always hold."""
    rows = (dict.fromkeys(clause) for clause in clauses)
    return [list(row) for row in rows if not any(-p in row for p in row)]
