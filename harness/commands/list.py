"""`list`: print backends with versions or reasons why they are missing, encodings, families and corpora."""

import argparse

HELP = "list backends with versions or why they are missing, encodings, families and corpora"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--backends", action="store_true", help="backends, their versions and capabilities")
    parser.add_argument("--encodings", action="store_true", help="encodings, at-most-one encodings and their sizes")
    parser.add_argument("--families", action="store_true", help="families of layouts, for --as")
    parser.add_argument("--corpora", action="store_true", help="shipped corpora")
    parser.add_argument(
        "--as", dest="as_", default="sudoku 3x3", metavar="LAYOUT", help="layout for the sizes (default sudoku 3x3)"
    )


def run(args: argparse.Namespace) -> int:
    chosen = args.backends or args.encodings or args.families or args.corpora
    parts = []
    if args.backends or not chosen:
        parts.append(backends())
    if args.encodings or not chosen:
        parts.append(encodings(args.as_))
    if args.families or not chosen:
        parts.append(families())
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
    from encoders.registry import Encoding, lookup, names
    from harness.reporting.printable import printable

    encodings = [e for e in lookup(names()).values() if isinstance(e, Encoding)]
    rows = []
    for backend in chain.from_iterable(catalogues(bases()).values()):
        if isinstance(backend, Missing):
            rows.append([backend.name, "-", "-", backend.why])
        else:
            takes = [e.name for e in encodings if e.formula in backend.accepts]
            rows.append([backend.name, backend.version or "program", ", ".join(takes), ", ".join(sorted(backend.can))])
    cells = [[printable(cell) for cell in row] for row in rows]
    return str(tabulate(cells, ["backend", "version", "encodings, default first", "can"], disable_numparse=True))


def encodings(layout_name: str) -> str:
    """Return a table of the sizes of every encoding for a layout."""
    from tabulate import tabulate

    from encoders.formula import Cnf, Unsupported
    from encoders.registry import AT_MOST_ONE, NoEncoding, Spec, lookup, names
    from puzzles.families import layout
    from puzzles.plugins import PluginFailed

    board = layout(layout_name)
    rows = []
    for name, encoding in lookup(names()).items():
        if isinstance(encoding, PluginFailed):
            rows.append([name, f"can't be loaded: {encoding}", *["-"] * 4])
            continue
        for at_most_one in AT_MOST_ONE if encoding.combines else ("",):
            label = f"{encoding.name}+{at_most_one}" if at_most_one else encoding.name
            sizes = ["-"] * 4
            try:
                formula = Spec(encoding, at_most_one).formula(board)
            except (Unsupported, NoEncoding) as e:
                rows.append([label, "unsupported" if isinstance(e, Unsupported) else str(e), *sizes])
                continue
            if isinstance(formula, Cnf):
                clauses = int((formula.clauses == 0).sum())
                counts = (formula.variables, clauses, len(formula.clauses) - clauses, len(formula.at_most))
                sizes = [f"{n:,}" for n in counts]
            rows.append([label, type(formula).__name__, *sizes])
    headers = [f"encoding of {board.name}", "formula", "variables", "clauses", "literals", "at-most"]
    align = ("left", "left", *["right"] * 4)
    return str(tabulate(rows, headers, colalign=align, disable_numparse=True))


def families() -> str:
    """Return a table of families of layouts."""
    from tabulate import tabulate

    from puzzles import families
    from puzzles.plugins import PluginFailed

    found = families.plugged_families(families.plugged()) | families.families()
    rows = [[name, f"can't be loaded: {f}" if isinstance(f, PluginFailed) else f.usage] for name, f in found.items()]
    return str(tabulate(rows, ["family", "usage"], disable_numparse=True))


def corpora() -> str:
    """Return a table of shipped corpora."""
    from tabulate import tabulate

    from puzzles.corpora import shipped

    return str(tabulate([[c.name, c.title] for c in shipped()], ["corpus", "description"]))
