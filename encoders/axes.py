"""Axes of encodings: an encoding of any problem as clauses is one choice on each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Axes:
    """Names on the axes; the defaults are those that names of contenders leave out.

    variables    literals of integer variables: direct, order, log (encoders/variables.py)
    at_most_one  groups of which at most one literal is true (encoders/at_most_one.py)
    linear       weighted sums (encoders/linear)
    table        tuples (encoders/kinds/tables.py)
    """

    variables: str = "direct"
    at_most_one: str = "pairwise"
    linear: str = "mixed"
    table: str = "support"


DEFAULTS = Axes()


def joined(name: str, at_most_one: str = "", linear: str = "", table: str = "") -> str:
    """Return the name of an encoding with its choices on the axes; '' and defaults are left out."""
    choices = [at_most_one if at_most_one != DEFAULTS.at_most_one else ""]
    choices += [f"linear={linear}"] if linear not in ("", DEFAULTS.linear) else []
    choices += [f"table={table}"] if table not in ("", DEFAULTS.table) else []
    return "+".join([name, *filter(None, choices)])
