"""Refusal of an instance that is well-formed but not supported: the others of its folder are read."""

from collections.abc import Sequence

from puzzles.constraints.unsupported import UnsupportedParts
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Integers
from puzzles.readers.source import NOT_SUPPORTED, Source


class Refusal(Exception):
    """An instance has parts that are not supported; `names` are theirs."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = tuple(names)


def refused(source: Source, refusal: Refusal, advice: str = "") -> Instance[Problem]:
    """Return an instance of one constraint, `unsupported`, and name the parts in a note, with advice."""
    source.note(f"{NOT_SUPPORTED}: {refusal}{advice and f'; {advice}'}")
    return Instance(source.name, Problem(source.name, (), Integers(range(1)), (UnsupportedParts(refusal.names),)), ())
