"""Families of plug-ins: an entry point of the group `crosscheck.families` names a Family of the same name.

Only plug-in processes import them. Every other process has a Family whose functions ask the plug-in's process, and
checks the replies: the layout is well-formed, an image is a symmetry of the units, a drawing is text. The process calls
`describe`, `built`, `drawn` and `image`.
"""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from puzzles.boards.family import Family
from puzzles.boards.layout import Layout
from puzzles.errors import BadLayout
from puzzles.plugins import Descriptions, PluginFailed, call, entries
from puzzles.plugins.text import checked_text, one_line
from puzzles.problem.dumped import decoded, dump

GROUP = "crosscheck.families"
MAX_GUESSED = 2500  # squares of a board whose parameters its size can determine
MAX_SQUARES = 1 << 16
MAX_VALUES = 1 << 12
MAX_DRAWING = 1 << 20  # characters


def load_family(name: str) -> Family:
    """Import the family of a plug-in. Raises any exception of the plug-in."""
    found = entries(GROUP)[name].load()
    if not isinstance(found, Family) or found.name != name:
        raise TypeError(f"the entry point {name!r} is no Family of that name")
    return found


def describe(name: str) -> dict[str, Any]:
    """Return a family's usage, and for each size of board that determines parameters, these parameters."""
    family = load_family(name)
    guesses = {str(n): parameters for n in range(1, MAX_GUESSED + 1) if (parameters := family.guess(n))}
    return {"usage": family.usage, "guesses": guesses}


def built(name: str, parameters: str, alphabet: str | None) -> dict[str, str]:
    """Return a layout as text, or the reason why the parameters are invalid. Raises TypeError if it is no layout."""
    try:
        layout = load_family(name).build(parameters, alphabet)
    except BadLayout as e:
        return {"bad": str(e)}
    if not isinstance(layout, Layout):
        raise TypeError(f"build returned {type(layout).__name__}, not a layout")
    return {"layout": dump(layout).decode("latin-1")}


def drawn(name: str, layout: str, cells: list[str]) -> str:
    """Return the drawing of a board."""
    return load_family(name).draw(read_layout(layout), cells)


def image(name: str, layout: str, seed: int) -> list[int]:
    """Return a random symmetry."""
    return list(load_family(name).symmetry(read_layout(layout), Random(seed)))


def read_layout(text: str) -> Layout:
    """Return the layout of a dumped problem. Raises PluginFailed if it is no layout."""
    data = decoded(text.encode("latin-1"))
    if "squares" not in data:
        raise PluginFailed("it builds no Layout")
    return Layout.from_data(data)


def parse_family(name: str, data: Any) -> Family:
    """Return a Family that asks the plug-in's process, from its description. Raises PluginFailed."""
    guesses = data.get("guesses") if isinstance(data, dict) else None
    if not isinstance(guesses, dict):
        raise PluginFailed("its description is invalid")
    known = {size: checked_text(parameters, "a guess") for size, parameters in guesses.items()}
    return Family(
        checked_text(name, "a family's name"),
        checked_text(data.get("usage"), "its usage"),
        partial(build, name),
        lambda squares: known.get(str(squares)),
        partial(draw, name),
        partial(symmetry, name),
    )


PLUGINS = Descriptions(GROUP, "puzzles.boards.plugged_families:describe", parse_family)


def ask(name: str, function: str, *args: Any) -> Any:
    """Call a function of this module in the plug-in's process. Raises BadLayout if the plug-in fails."""
    try:
        return call(GROUP, name, f"puzzles.boards.plugged_families:{function}", name, *args)
    except PluginFailed as e:
        raise BadLayout(f"family {name!r} failed: {e}") from None


def build(name: str, parameters: str, alphabet: str | None) -> Layout:
    """Return a layout of a plug-in's family, whose name must give the same layout. Raises BadLayout."""
    layout = build_once(name, parameters, alphabet)
    stated = layout.name.partition(" ")[2]
    if build_once(name, stated, alphabet).key != layout.key:
        again = "" if stated != parameters else " when it was asked again"
        raise BadLayout(f"family {name!r} built another layout for {layout.name!r}{again}")
    return layout


def build_once(name: str, parameters: str, alphabet: str | None) -> Layout:
    """Return a valid layout of a plug-in's family. Raises BadLayout."""
    data = ask(name, "built", parameters, alphabet)
    if isinstance(data, dict) and "bad" in data:
        raise BadLayout(one_line(str(data["bad"])))
    try:
        layout = read_layout(data["layout"])
        check_layout(name, layout)
    except (PluginFailed, KeyError, TypeError, ValueError, AttributeError) as e:
        raise BadLayout(f"family {name!r} built an invalid layout: {one_line(str(e))}") from None
    return layout


def check_layout(family: str, layout: Layout) -> None:
    """Raise PluginFailed unless the texts of a layout are printable and its units hold squares."""
    if checked_text(layout.name, "its name").partition(" ")[0] != family:
        raise PluginFailed(f"its name {layout.name!r} does not start with {family!r}")
    for texts, what, most in ((layout.squares, "squares", MAX_SQUARES), (layout.values, "values", MAX_VALUES)):
        if not 0 < len(texts) <= most or len({checked_text(text, f"one of its {what}") for text in texts}) != len(
            texts
        ):
            raise PluginFailed(f"it needs 1 to {most} different {what}")
    for unit in layout.units:
        if len(set(unit)) != len(unit) or not all(type(s) is int and 0 <= s < len(layout.squares) for s in unit):
            raise PluginFailed("a unit does not consist of different squares")


def draw(name: str, layout: Layout, cells: Sequence[str]) -> str:
    """Return the drawing of a board. Raises BadLayout."""
    text = ask(name, "drawn", dump(layout).decode("latin-1"), list(cells))
    if not isinstance(text, str) or len(text) > MAX_DRAWING or not all(c == "\n" or c.isprintable() for c in text):
        raise BadLayout(f"family {name!r} failed: its drawing is not printable")
    return text


def symmetry(name: str, layout: Layout, random: Random) -> tuple[int, ...]:
    """Return a random symmetry of the units. Raises BadLayout."""
    found = ask(name, "image", dump(layout).decode("latin-1"), random.getrandbits(63))
    squares = range(len(layout.squares))
    if not isinstance(found, list) or not all(type(s) is int for s in found) or sorted(found) != list(squares):
        raise BadLayout(f"family {name!r} failed: its symmetry is no permutation of the squares")
    if {frozenset(found[s] for s in unit) for unit in layout.units} != set(map(frozenset, layout.units)):
        raise BadLayout(f"family {name!r} failed: its symmetry does not map units to units")
    return tuple(found)
