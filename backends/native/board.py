"""Tables of a layout, computed once when a native solver is opened.

s  a square    v  a value, or the mask with its bit alone    d  a domain, a mask of values    u  a unit
"""

from dataclasses import dataclass

from encoders.formula import AllDifferent


@dataclass(frozen=True, eq=False)
class LayoutTables:
    """Tables of a layout.

    peers         [square] -> the squares that must differ from it, ascending
    units_of      [square] -> indices of the units that contain it
    permutations  indices of the units with as many squares as values, where every value needs a square
    """

    values: int
    units: tuple[tuple[int, ...], ...]
    peers: tuple[tuple[int, ...], ...]
    units_of: tuple[tuple[int, ...], ...]
    permutations: frozenset[int]


def board(formula: AllDifferent) -> LayoutTables:
    """Return the tables of a layout.

    The tables are computed from the formula rather than by Layout, so that native shares no code with the encoders.
    """
    units_of: list[list[int]] = [[] for _ in range(formula.squares)]
    for u, unit in enumerate(formula.units):
        for s in unit:
            units_of[s].append(u)
    peers = tuple(tuple(sorted({p for u in us for p in formula.units[u]} - {s})) for s, us in enumerate(units_of))
    whole = frozenset(u for u, unit in enumerate(formula.units) if len(unit) == formula.values)
    return LayoutTables(formula.values, formula.units, peers, tuple(map(tuple, units_of)), whole)
