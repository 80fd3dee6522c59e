"""Families of layouts, one file per family, which defines FAMILY; adding a file or an entry point adds the family.

`--as 'sudoku 2x3'` is the family's name and its parameters; a layout's name has the same form, so its first word is its
family.
"""

import importlib
import pkgutil
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import isqrt
from random import Random

from puzzles.errors import BadLayout
from puzzles.layout import Layout
from puzzles.plugins import PluginFailed, entries


@dataclass(frozen=True)
class Family:
    """A family of layouts: its name, usage and functions.

    build     parameters ('2x3') and an alphabet, if stated -> layout; raises BadLayout
    guess     number of squares -> parameters if the size determines them, else None
    draw      layout, one text per square -> a drawing of the board, several lines
    symmetry  layout, a seeded Random -> image of each square under a random symmetry of the units
    """

    name: str
    usage: str
    build: Callable[[str, str | None], Layout]
    guess: Callable[[int], str | None]
    draw: Callable[[Layout, Sequence[str]], str]
    symmetry: Callable[[Layout, Random], tuple[int, ...]]


def no_size(squares: int) -> str | None:
    """Guess nothing: the `guess` of a family that a number of squares does not suggest."""
    return None


def turned(layout: Layout, random: Random) -> tuple[int, ...]:
    """Return a random rotation or reflection that keeps the units: the `symmetry` of a family without others."""
    return random.choice(dihedral(layout))


@cache
def families() -> dict[str, Family]:
    """Return the families of this package, by name."""
    modules = (importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    return {module.FAMILY.name: module.FAMILY for module in modules}


def plugged() -> Collection[str]:
    """Return the names of families that plug-ins have."""
    return entries("crosscheck.families").keys()


def family_named(name: str) -> Family | None:
    """Return the family of that name, which a plug-in can't override, or None. Raises BadLayout if it is broken."""
    if name in families() or name not in plugged():
        return families().get(name)
    found = plugged_families([name])[name]
    if isinstance(found, PluginFailed):
        raise BadLayout(f"family {name!r} can't be loaded: {found}")
    return found


def plugged_families(names: Iterable[str]) -> dict[str, Family | PluginFailed]:
    """Describe families of plug-ins: broken ones are failures."""
    from puzzles.plugged_families import PLUGINS

    return PLUGINS.of(names)


def guesses(squares: int) -> list[str]:
    """Return the layouts that a number of squares determines; plug-ins guess only what no family of ours does."""
    ours = [f"{f.name} {p}" for f in families().values() if (p := f.guess(squares))]
    others = [] if ours else [f for f in plugged_families(plugged()).values() if isinstance(f, Family)]
    return ours + [f"{f.name} {p}" for f in others if (p := f.guess(squares))]


def layout(name: str, alphabet: str | None = None) -> Layout:
    """Return the layout that `--as` names, one object per name and alphabet. Raises BadLayout."""
    return _built(" ".join(name.split()), alphabet)


@lru_cache(256)  # bounded: names and alphabets come from files
def _built(name: str, alphabet: str | None) -> Layout:
    word, _, parameters = name.partition(" ")
    family = family_named(word)
    if family is None:
        raise BadLayout(f"unknown family {word!r}: known are {', '.join(sorted((*families(), *plugged())))}")
    built = family.build(parameters, alphabet)
    return built if built.name == name else _built(built.name, alphabet)


def family_of(layout: Layout) -> Family | None:
    """Return the family that built `layout`, or None for a layout built directly."""
    return family_named(layout.name.partition(" ")[0])


def draw(layout: Layout, cells: Sequence[str]) -> str:
    """Draw a board, given one text per square; as square=text if the layout has no family."""
    family = family_of(layout)
    if family is not None:
        return family.draw(layout, cells)
    return " ".join(f"{name}={cell}" for name, cell in zip(layout.squares, cells, strict=True))


def symbols(count: int, alphabet: str | None) -> tuple[str, ...]:
    """Return one symbol per value: the alphabet, or digits from 1 then letters, or numbers past 35."""
    if alphabet is not None:
        if len(alphabet) != count or len(set(alphabet)) != count or not alphabet.isalnum():
            raise BadLayout(f"alphabet {alphabet!r} needs {count} different letters or digits")
        return tuple(alphabet)
    if count <= 9:
        return tuple(str(v) for v in range(1, count + 1))
    if count <= 35:
        return tuple("123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count])
    return tuple(str(v) for v in range(1, count + 1))


def dihedral(layout: Layout) -> list[tuple[int, ...]]:
    """Return the rotations and reflections of a square board that map its units onto units, the identity first."""
    n = isqrt(len(layout.squares))
    images = []
    for flip, up, left in product((False, True), repeat=3):
        ends = [(n - 1 - r if up else r, n - 1 - c if left else c) for r, c in product(range(n), range(n))]
        images.append(tuple(c * n + r if flip else r * n + c for r, c in ends))
    units = set(map(frozenset, layout.units))
    return [image for image in images if {frozenset(image[s] for s in unit) for unit in units} == units]


def columns(cells: Sequence[str], width: int, every: tuple[int, int] = (0, 0)) -> str:
    """Format cells in rows of `width`, columns aligned, with rules after `every` rows, columns (0: none)."""
    box_rows, box_columns = every
    step = box_columns or max(width, 1)
    wide = [max(map(len, cells[c::width]), default=0) for c in range(width)]
    rule = "-+-".join("-" * (sum(wide[c : c + step]) + len(wide[c : c + step]) - 1) for c in range(0, width, step))
    lines = []
    for r in range(0, len(cells), width):
        if box_rows and r and r // width % box_rows == 0:
            lines.append(rule)
        row = [cell.center(w) for cell, w in zip(cells[r : r + width], wide, strict=False)]
        lines.append(" | ".join(" ".join(row[c : c + step]) for c in range(0, len(row), step)).rstrip())
    return "\n".join(lines)
