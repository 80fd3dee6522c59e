"""`list`: print backends with versions or reasons why they are missing, encodings and corpora."""

import argparse

HELP = "list backends with versions or why they are missing, encodings and corpora"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--backends", action="store_true", help="backends, their versions and capabilities")
    parser.add_argument("--encodings", action="store_true", help="encodings, at-most-one encodings and their sizes")
    parser.add_argument("--corpora", action="store_true", help="shipped corpora")
    parser.add_argument(
        "--as", dest="as_", default="sudoku 3x3", metavar="LAYOUT", help="layout for the sizes (default sudoku 3x3)"
    )


def run(args: argparse.Namespace) -> int:
    chosen = args.backends or args.encodings or args.corpora
    parts = []
    if args.backends or not chosen:
        parts.append(backends())
    if args.encodings or not chosen:
        parts.append(encodings(args.as_))
    if args.corpora or not chosen:
        parts.append(corpora())
    print("\n\n".join(parts))
    return 0


def backends() -> str:
    """Return a table of backends, missing ones included."""
    from itertools import chain

    from tabulate import tabulate

    from backends.catalogue import catalogues
    from backends.description import Missing
    from backends.registry import bases
    from encoders.registry import ENCODINGS

    rows = []
    for backend in chain.from_iterable(catalogues(bases()).values()):
        if isinstance(backend, Missing):
            rows.append([backend.name, "-", "-", backend.why])
        else:
            takes = [e.name for e in ENCODINGS.values() if e.formula in backend.accepts]
            rows.append([backend.name, backend.version or "program", ", ".join(takes), ", ".join(sorted(backend.can))])
    return str(tabulate(rows, ["backend", "version", "encodings, default first", "can"], disable_numparse=True))


def encodings(name: str) -> str:
    """Return a table of the sizes of every encoding for the layout `name`."""
    from tabulate import tabulate

    from encoders.formula import Cnf, Unsupported
    from encoders.registry import AT_MOST_ONE, ENCODINGS, Spec
    from puzzles.families import layout

    board = layout(name)
    rows = []
    for encoding in ENCODINGS.values():
        for at_most_one in AT_MOST_ONE if encoding.combines else ("",):
            label = f"{encoding.name}+{at_most_one}" if at_most_one else encoding.name
            sizes = ["-"] * 4
            try:
                formula = Spec(encoding, at_most_one).formula(board)
            except Unsupported:
                rows.append([label, "unsupported", *sizes])
                continue
            if isinstance(formula, Cnf):
                clauses = int((formula.clauses == 0).sum())
                counts = (formula.variables, clauses, len(formula.clauses) - clauses, len(formula.at_most))
                sizes = [f"{n:,}" for n in counts]
            rows.append([label, type(formula).__name__, *sizes])
    headers = [f"encoding of {board.name}", "formula", "variables", "clauses", "literals", "at-most"]
    align = ("left", "left", *["right"] * 4)
    return str(tabulate(rows, headers, colalign=align, disable_numparse=True))


def corpora() -> str:
    """Return a table of shipped corpora."""
    from tabulate import tabulate

    from puzzles.corpora import shipped

    return str(tabulate([[c.name, c.title] for c in shipped()], ["corpus", "description"]))
