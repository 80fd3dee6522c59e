"""Axes of encodings: an encoding of any problem as clauses is one choice on each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Axes:
    """Names on the axes; the defaults are those that names of contenders leave out.

    variables    literals of integer variables: direct, order, log (encoders/integers.py)
    at_most_one  groups of which at most one literal is true (encoders/at_most_one.py)
    linear       weighted sums (encoders/linear)
    table        tuples (encoders/kinds/tables.py)
    """

    variables: str = "direct"
    at_most_one: str = "pairwise"
    linear: str = "mixed"
    table: str = "support"
