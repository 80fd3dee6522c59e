"""`list`: print a first screen, or backends, protocols, encodings, families and corpora in full."""

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.commands import arguments as shared
from harness.commands.overview import overview

if TYPE_CHECKING:
    from encoders.formula import Formula
    from encoders.registry import Encoding, Spec
    from puzzles.problem import Instance
    from puzzles.readers.options import ReaderOptions

LAYOUT = "sudoku 3x3"  # layout whose encodings are listed
LEAST_WIDTH = 12  # least width of a wrapped column
INDENT = 2  # indentation of the lines of a cell after the first
Cell = str | int


class ListTable(NamedTuple):
    """A table of `list`: its name in JSON, headings, rows, and lines below it; `sized` is that of encodings' sizes."""

    name: str
    headers: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    below: Sequence[str] = ()
    sized: bool = False

    def text(self) -> str:
        """Return the table for people."""
        from tabulate import tabulate

        cells = [[f"{cell:,}" if isinstance(cell, int) else cell for cell in row] for row in self.rows]
        align = ("left", "left", *["right"] * (len(self.headers) - 2))
        found = tabulate(cells, self.headers, colalign=align, disable_numparse=True) if self.sized else ""
        if cells or not self.below:
            found = (found or table(self.headers, cells)) + "\n\n" * bool(self.below)
        return found + "\n".join(self.below)

    def records(self) -> list[dict[str, Cell]]:
        """Return an object for each row, by the headings without what follows `of` or a bracket."""
        fields = [re.sub(r" (of |\().*", "", header).replace(" ", "_") for header in self.headers]
        found = [dict(zip(fields, row, strict=True)) for row in self.rows]
        instance = self.headers[0].removeprefix("sizes of ")
        return [{"instance": instance, "encoding": row.pop("sizes"), **row} for row in found] if self.sized else found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "puzzle",
        nargs="*",
        metavar="PUZZLE",
        help="list only the sizes of all encodings of a puzzle or instance: a file, FILE:LINE, ...",
    )
    parser.add_argument("--features", action="store_true", help="features of instances, for `run --where`")
    parser.add_argument("--ids", action="store_true", help="digests of the instances of corpora, and their duplicates")
    parser.add_argument(
        "-n",
        "--number",
        type=shared.positive_int,
        default=1,
        metavar="N",
        help="number of PUZZLE in its file (default 1)",
    )
    parser.add_argument("--backends", action="store_true", help="backends, their versions and capabilities")
    parser.add_argument("--protocols", action="store_true", help="what programs of your own read, and must print")
    parser.add_argument("--options", metavar="BACKEND", help="options of a backend, and their values")
    parser.add_argument("--encodings", action="store_true", help="encodings, at-most-one encodings and their sizes")
    parser.add_argument("--families", action="store_true", help="families of layouts, for --as, and of boards")
    parser.add_argument("--corpora", action="store_true", help="shipped corpora")
    parser.add_argument("--all", action="store_true", help="all of these tables")
    shared.add_json(parser, "tables")
    parser.add_argument("--as", dest="as_", metavar="LAYOUT", help=f"layout for the sizes (default {LAYOUT})")


def run(args: argparse.Namespace) -> int:
    tables = list(chosen(args))
    if args.json and not tables:
        args.all = True
        tables = list(chosen(args))
    if args.json != "-":
        print("\n\n".join(one.text() for one in tables) or overview())
    if args.json:
        from harness.commands.output import write_json

        found = dict[str, list[dict[str, Cell]]]()
        for one in tables:
            found.setdefault(one.name, []).extend(one.records())
        write_json(found, args.json)
    return 0


def chosen(args: argparse.Namespace) -> Iterator[ListTable]:
    """Yield the tables that options ask for. Raises BadInput, BadUsage."""
    if args.puzzle or args.ids or args.features:
        from harness.commands.given import print_note
        from harness.model.reading import read_puzzle
        from puzzles.readers.options import ReaderOptions

        reading = ReaderOptions(args.as_, notify=print_note)
        if args.ids:
            yield identities(args.puzzle, reading)
        if args.features:
            yield features_table(args.puzzle, reading)
        if not (args.ids or args.features):
            yield from (sizes(read_puzzle(text, reading, args.number)) for text in args.puzzle)
    if args.options:
        yield options(args.options)
    parts: dict[str, Callable[[], list[ListTable]]] = {
        "backends": backends,
        "protocols": lambda: [protocols()],
        "encodings": lambda: [encodings(args.as_ or LAYOUT)],
        "families": families,
        "corpora": lambda: [corpora()],
    }
    for name, make in parts.items():
        if args.all or getattr(args, name):
            yield from make()


def table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of texts; on a terminal, cells are wrapped as little as possible to fit it."""
    from tabulate import tabulate

    from harness.reporting.writing.printable import printable, terminal_width

    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headers, *cells, strict=True)]
    room = (terminal_width() or sum(widths) + 2 * len(widths)) - 2 * (len(widths) - 1)
    least = [max(map(least_width, column)) for column in zip(headers, *cells, strict=True)]
    while sum(widths) > room and (wide := [c for c in range(1, len(widths)) if widths[c] > least[c]]):
        widths[min(wide, key=lambda c: sum(len(row[c]) >= widths[c] for row in cells))] -= 1
    while sum(widths) > room and max(widths) > LEAST_WIDTH:  # words are broken only where nothing else helps
        long = [c for c in range(1, len(widths)) if widths[c] > LEAST_WIDTH] or [0]  # names are broken last
        widths[max(long, key=widths.__getitem__)] -= 1
    fitted = [[broken(cell, width) for cell, width in zip(row, widths, strict=True)] for row in cells]
    return str(tabulate(fitted, headers, disable_numparse=True))


def broken(cell: str, width: int) -> str:
    """Return a cell in lines of at most `width`: broken between words, and a longer word at the end of its line."""
    lines = wrap(cell, width, subsequent_indent=" " * INDENT, break_on_hyphens=False)
    return "\n".join(lines)


def least_width(cell: str) -> int:
    """Return the least width of a cell: words are unbroken, and lines after the first are indented."""
    first, *others = cell.split() or [""]
    return max([LEAST_WIDTH, len(first), *(len(word) + INDENT for word in others)])


def backends() -> list[ListTable]:
    """Return a table of backends, with a line of encodings, and a table of missing ones with remedies."""
    from backends.contract.catalogue import catalogues
    from backends.contract.description import Missing
    from backends.contract.registry import bases
    from backends.programs.backend import found_program
    from encoders.formula import Cnf
    from encoders.registry import Encoding, lookup, names
    from harness.reporting.writing.printable import wrapped

    encodings = [e for e in lookup(names()).values() if isinstance(e, Encoding)]
    clauses = ", ".join(e.name for e in encodings if e.formula is Cnf)
    rows, missing = [], []
    for backend in chain.from_iterable(catalogues(bases()).values()):
        if isinstance(backend, Missing):
            missing.append([backend.name, backend.why])
            continue
        takes = [e.name for e in encodings if e.formula in backend.accepts and e.formula is not Cnf]
        takes[:0] = ["clauses"] * (Cnf in backend.accepts)
        version = backend.version or found_program(backend.name) or "program"
        rows.append([backend.name, version, ", ".join(takes), ", ".join(sorted(backend.can))])
    below = wrapped(f"encodings: the first of a backend is its default; clauses: {clauses}")
    found = ListTable("backends", ["backend", "version", "encodings", "can"], rows, [below])
    return [found, ListTable("missing", ["missing", "what to do"], missing)] if missing else [found]


def protocols() -> ListTable:
    """Return a table of the protocols of programs."""
    from backends.programs.protocols import COMMAND, PROTOCOLS
    from harness.reporting.writing.printable import wrapped

    rows = [[base, *protocol] for base, protocol in PROTOCOLS.items()]
    return ListTable("protocols", ["base", "the program reads", "it must print"], rows, [wrapped(COMMAND)])


def options(name: str) -> ListTable:
    """Return a table of the options of a backend. Raises BadUsage."""
    from backends.contract import catalogue, registry
    from harness.model.errors import BadUsage

    try:
        backend = catalogue.describe(name)
    except registry.NoBackend as e:
        raise BadUsage(str(e)) from None
    rows = [
        ["-...", "any argument of the program, passed on"] if o.type == "argument" else [o.name, o.expected()]
        for o in backend.options
    ]
    below = [] if rows else [f"{backend.name} takes no options"]
    return ListTable("options", [f"option of {backend.name}", "values"], rows, below)


def encodings(layout_name: str) -> ListTable:
    """Return a table of the sizes of every encoding for a layout."""
    from puzzles.boards.families import layout
    from puzzles.problem import Instance

    board = layout(layout_name)
    return sizes(Instance(board.name, board, board.open))


def sizes(instance: "Instance[Any]") -> ListTable:
    """Return a table of the sizes of every encoding for an instance, its givens included."""
    from encoders.formula import Unsupported
    from encoders.registry import NoEncoding, lookup, names
    from harness.reporting.writing.printable import printable, wrapped
    from puzzles.boards.layout import Layout
    from puzzles.plugins import PluginFailed

    board = isinstance(instance.problem, Layout)
    rows = list[list[Cell]]()
    seen = set()  # formulas: a choice that changes nothing is left out
    reasons: dict[str, str] = {}  # reason for a missing choice -> the first such choice; later ones are left out
    for name, encoding in lookup(names()).items():
        if isinstance(encoding, PluginFailed):
            rows.append([name, f"can't be loaded: {encoding}", *["-"] * 4])
            continue
        if not (board or encoding.variables):
            continue
        for label, chosen in board_choices(encoding) if board else axis_choices(encoding):
            try:
                formula = chosen.formula(instance.problem, instance.domains)
            except NoEncoding as e:
                rows.append([label, str(e), *["-"] * 4])
                continue
            except Unsupported as e:
                if board or str(e) not in reasons:
                    rows.append([label, "unsupported", *["-"] * 4])
                    reasons.setdefault(str(e), label)
                continue
            key = label if board else key_of(formula, label)
            if key in seen and chosen.name == encoding.name:
                break
            if key not in seen:
                rows.append([label, type(formula).__name__, *size_cells(instance, formula)])
            seen.add(key)
    headers = [f"sizes of {printable(instance.name)}", "formula", "vars", "clauses", "literals", "at-most"]
    below = [] if board else [wrapped(printable(f"{label}: {why}")) for why, label in reasons.items()]
    return ListTable("encodings", headers, rows, below, sized=True)


def board_choices(encoding: "Encoding") -> Iterator[tuple[str, "Spec"]]:
    """Yield an encoding of a board with each at-most-one encoding, and its label."""
    from encoders.registry import AT_MOST_ONE, Spec

    for at_most_one in AT_MOST_ONE if encoding.combines else ("",):
        yield f"{encoding.name}+{at_most_one}" if at_most_one else encoding.name, Spec(encoding, at_most_one)


def axis_choices(encoding: "Encoding") -> Iterator[tuple[str, "Spec"]]:
    """Yield an encoding of integers with its default choices, then with each other choice on one axis."""
    from encoders.registry import CHOICES, Spec

    yield encoding.name, Spec(encoding)
    for axis, names in enumerate(CHOICES):
        for name in names[1:]:
            choice = ["", "", ""]
            choice[axis] = name
            chosen = Spec(encoding, *choice)
            yield chosen.name, chosen


def key_of(formula: "Formula", label: str) -> object:
    """Return a key that is the same for equal formulas of clauses; for any other formula its label."""
    from encoders.formula import Cnf, Wcnf

    if isinstance(formula, Wcnf):
        return key_of(formula.hard, label), hash(formula.soft.tobytes()), tuple(formula.weights.tolist())
    return (formula.variables, hash(formula.clauses.tobytes()), formula.at_most) if isinstance(formula, Cnf) else label


def size_cells(instance: "Instance[Any]", formula: "Formula") -> list[Cell]:
    """Return the numbers of variables, clauses, literals and cardinality constraints of a formula.

    Soft clauses are counted beside hard ones, unit clauses of the domains with these, as `encode` writes them.
    """
    from encoders.formula import Cnf, Wcnf
    from harness.reporting.formats.instance_files import unit_clauses

    hard = formula.hard if isinstance(formula, Wcnf) else formula
    if not isinstance(hard, Cnf):
        return ["-"] * 4
    units, soft = len(unit_clauses(instance, hard)), ""
    clauses, literals = int((hard.clauses == 0).sum()) + units, int((hard.clauses != 0).sum()) + units
    if isinstance(formula, Wcnf):
        soft, literals = f" + {len(formula.weights):,} soft", literals + int((formula.soft != 0).sum())
    return [hard.variables, f"{clauses:,}{soft}" if soft else clauses, literals, len(hard.at_most)]


def instances_of(corpora: Sequence[str], options: "ReaderOptions") -> "Iterator[Instance[Any]]":
    """Return the instances of corpora. Raises BadInput, BadUsage."""
    from harness.model.errors import BadUsage
    from harness.model.reading import file_and_line, read_corpus

    if not corpora:
        raise BadUsage("list --ids and --features need a file or a corpus")
    return chain.from_iterable(read_corpus(*file_and_line(text), options) for text in corpora)


def features_table(corpora: Sequence[str], options: "ReaderOptions") -> ListTable:
    """Return a table of the features of instances, those that some instance has. Raises BadInput, BadUsage."""
    from puzzles.identity.features import features

    rows = [(instance.name, features(instance)) for instance in instances_of(corpora, options)]
    names = [n for n in dict.fromkeys(n for _, found in rows for n in found) if any(found.get(n) for _, found in rows)]
    return ListTable(
        "features", ["instance", *names], [[name, *(found.get(n, 0) for n in names)] for name, found in rows]
    )


def identities(corpora: Sequence[str], options: "ReaderOptions") -> ListTable:
    """Return a table of the digests of instances and of what each is equal to. Raises BadInput, BadUsage."""
    from puzzles.identity.digests import ids_of
    from puzzles.identity.duplicates import Duplicates

    rows, before = [], Duplicates()
    for instance in instances_of(corpora, options):
        same = before.take(instance)
        rows.append([instance.name, *ids_of(instance), f"{same.how}: {same.first}" if same else ""])
    return ListTable("ids", ["instance", "digest", "gbdhash", "up to renaming", "duplicate"], rows)


def families() -> list[ListTable]:
    """Return a table of families of layouts, and a table of families of boards that are written on one line."""
    from puzzles.boards import families
    from puzzles.boards import kinds as boards
    from puzzles.plugins import PluginFailed

    found = families.plugged_families(families.plugged()) | families.families()
    rows = [[name, f"can't be loaded: {f}" if isinstance(f, PluginFailed) else f.usage] for name, f in found.items()]
    lines = [[name, boards.family(name).usage] for name in sorted(boards.names())]
    boards_listed = ListTable("boards", ["board", "line (docs/reference/boards.md)"], lines)
    return [ListTable("families", ["family", "usage"], rows), boards_listed]


def corpora() -> ListTable:
    """Return a table of shipped corpora."""
    from puzzles.corpora import shipped

    rows = [[c.name, "the best" if c.optimised else "a solution", c.title] for c in shipped()]
    return ListTable("corpora", ["corpus", "asks for", "description"], rows)
