"""Blocks of a run: neighbouring puzzles that all contenders are given at one time."""

from dataclasses import dataclass

from backends.answer import Int64Array, UInt64Array
from puzzles.layout import Layout


@dataclass(frozen=True)
class Block:
    """Neighbouring puzzles of one layout, as the journal holds them."""

    problem: Layout
    puzzles: Int64Array
    domains: UInt64Array
