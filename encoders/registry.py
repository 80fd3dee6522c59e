"""Which encodings there are. A new one is a function in a file beside this one and a line here."""

from collections.abc import Callable
from dataclasses import dataclass

from encoders import at_most_one, cnf
from encoders.formula import AllDifferent, Cnf, Formula
from puzzles.layout import Domains, Layout


def alldifferent(layout: Layout, domains: Domains | None = None) -> AllDifferent:
    """The layout as it is, for solvers that know the constraint."""
    return AllDifferent(len(layout.squares), len(layout.values), layout.units)


@dataclass(frozen=True)
class Encoding:
    """An encoding by name. `per_puzzle`: it sees the domains, so its work is charged to each puzzle.

    `combines`: it takes an at-most-one encoding as its third parameter.
    """

    name: str
    formula: type
    encode: Callable[..., Formula]
    per_puzzle: bool = False
    combines: bool = False


# For each formula type the first is the default.
ENCODINGS = {
    e.name: e
    for e in (
        Encoding("extended", Cnf, cnf.extended, combines=True),
        Encoding("minimal", Cnf, cnf.minimal, combines=True),
        Encoding("efficient", Cnf, cnf.efficient, combines=True),
        Encoding("alldifferent", AllDifferent, alldifferent),
    )
}
AT_MOST_ONE = at_most_one.AT_MOST_ONE
