"""Generators of boards with cages, sums or comparisons, one file per family, which has `make` and `KINDS`.

A board is a text, the line of its notation. It depends on the seed and on which boards have one solution, not on the
solver that counts.
"""

import importlib
from collections.abc import Mapping
from random import Random
from typing import Protocol

from puzzles.boards import kinds as boards
from puzzles.errors import BadLayout, ParseError
from puzzles.generating.generate import Oracle
from puzzles.generating.grids import GenerationError
from puzzles.readers.boards.board_lines import JIGSAW

FAMILIES = frozenset((*boards.names(), JIGSAW))


class Maker(Protocol):
    """The module of a family's generator."""

    KINDS: Mapping[str, str]  # name of a kind -> what is claimed of its boards, as after '#:'

    def make(self, parameters: str, kind: str, random: Random, oracle: Oracle) -> str:
        """Return the line of one board. Raises GenerationError, ParseError, BadLayout."""


def maker(name: str, kind: str) -> Maker:
    """Return the generator of a family. Raises GenerationError if the family does not have this kind."""
    found: Maker = importlib.import_module(f"{__name__}.{name}")
    if kind not in found.KINDS:
        raise GenerationError(
            f"{name} boards of the kind {kind!r} can't be generated: known are {', '.join(found.KINDS)}"
        )
    return found


def nth_line(layout: str, kind: str, seed: int, n: int, oracle: Oracle) -> str:
    """Return board `n` of a series. Raises GenerationError."""
    name, _, parameters = layout.partition(" ")
    try:
        return maker(name, kind).make(parameters, kind, Random(f"{seed} {layout} {kind} {n}"), oracle)
    except (ParseError, BadLayout) as e:
        raise GenerationError(str(e)) from None
