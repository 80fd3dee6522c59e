"""First screen of `list`: what is installed, what is missing, and the options that show more."""

from collections.abc import Iterable
from itertools import chain
from textwrap import fill

WIDTH, MARGIN = 80, 12  # columns of the screen without a terminal, and of its first column
MOST = 4  # backends of one base that are named
MORE = {
    "--backends": "versions, abilities, and how to install the missing ones",
    "--protocols": "what a program of your own reads and must print",
    "--options BACKEND": "options of a backend",
    "--encodings": "encodings and their sizes; `list FILE` for an instance",
    "--families": "families of layouts and boards; --corpora: corpora",
    "--all": "all of these but options",
}


def overview() -> str:
    """Return the names of backends, encodings, families and corpora, and the options of `list`."""
    from backends.contract.catalogue import catalogues
    from backends.contract.description import Missing
    from backends.contract.registry import NONE_KNOWN, bases
    from encoders.registry import names
    from harness.reporting.writing.printable import printable, terminal_width
    from puzzles.boards import families
    from puzzles.boards import kinds as boards
    from puzzles.corpora import shipped

    found = list(chain.from_iterable(catalogues(bases()).values()))
    corpora = [c.name for c in shipped()]
    graphs = {name for name in corpora if name.endswith(".col")}
    groups = {
        "installed": grouped(b.name for b in found if not isinstance(b, Missing)),
        "missing": grouped(b.name for b in found if isinstance(b, Missing) and b.why != NONE_KNOWN),
        "encodings": ", ".join(names()),
        "families": ", ".join([*families.families(), *families.plugged(), *sorted(boards.names())]),
        "corpora": ", ".join([*(name for name in corpora if name not in graphs), f"*.col ({len(graphs)})"]),
    }
    margin, width = " " * MARGIN, terminal_width() or WIDTH
    shown = [
        fill(printable(f"{head:{MARGIN}}{text}"), width, subsequent_indent=margin, break_on_hyphens=False)
        for head, text in groups.items()
    ]
    return "\n".join([*shown, "", *(f"list {option:18} {what}" for option, what in MORE.items())])


def grouped(names: Iterable[str]) -> str:
    """Return names by their base, one as it is, up to MOST with their ends, and else their number."""
    every: dict[str, list[str]] = {}
    for name in names:
        base, _, end = name.partition(":")
        every.setdefault(base, []).append(end)
    return ", ".join(one_group(base, ends) for base, ends in every.items())


def one_group(base: str, ends: list[str]) -> str:
    """Return the names of one base in words."""
    named = [end for end in ends if end]
    if len(named) > MOST:
        return f"{base}:* ({len(named)})"
    return f"{base}:{'|'.join(named)}" if named else base
