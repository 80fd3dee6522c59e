"""Families of layouts, one file per family, which defines FAMILY; adding a file or an entry point adds the family.

`--as 'sudoku 2x3'` is the family's name and its parameters; a layout's name has the same form, so its first word is its
family.
"""

import importlib
import pkgutil
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from puzzles.boards.family import Family
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout
from puzzles.plugins import PluginFailed, entries


@cache
def families() -> dict[str, Family]:
    """Return the families of this package, by name."""
    modules = (importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__))
    return {module.FAMILY.name: module.FAMILY for module in modules}


def plugged() -> Collection[str]:
    """Return the names of the families of plug-ins."""
    return entries("crosscheck.families").keys()


def family_named(name: str) -> Family | None:
    """Return the family of a name, ours before those of plug-ins; None if unknown. Raises BadLayout if broken."""
    if name in families() or name not in plugged():
        return families().get(name)
    found = plugged_families([name])[name]
    if isinstance(found, PluginFailed):
        raise BadLayout(f"family {name!r} can't be loaded: {found}")
    return found


def plugged_families(names: Iterable[str]) -> dict[str, Family | PluginFailed]:
    """Describe families of plug-ins; a broken family is described by its failure."""
    from puzzles.boards.plugged_families import PLUGINS

    return PLUGINS.of(names)


def guesses(squares: int) -> list[str]:
    """Return the layouts that a number of squares determines; plug-ins only add sizes that ours do not guess."""
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
