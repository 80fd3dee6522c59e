"""`generate`: generate a shipped corpus again, byte for byte, or any number of puzzles of a kind."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.commands import arguments as shared
from harness.commands.progress import ProgressBar, progress_bar, silent
from harness.model.errors import BadUsage
from puzzles.boards.families import layout
from puzzles.boards.layout import Layout
from puzzles.files import replacing_text, write_file
from puzzles.generating import boards, recipes, writing
from puzzles.generating.folders import FOLDERS, folder_files
from puzzles.generating.generate import KINDS, Oracle
from puzzles.generating.grids import GenerationError
from puzzles.problem import Problem
from puzzles.problem.values import Domains

NATIVE_SQUARES = 100  # squares up to which the native backend counts; beyond, a warm SAT solver does
HOURS = 1e5  # seconds: no timeout, since counts must be exact


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help=f"a corpus: {', '.join((*recipes.RECIPES, *FOLDERS))}")
    parser.add_argument("--as", dest="layout", metavar="LAYOUT", help="instead of a name: 'sudoku 3x3', 'latin 9', ...")
    parser.add_argument("--alphabet", help="with --as: one symbol per value")
    parser.add_argument("--kind", choices=tuple(KINDS), help="with --as (default: easy)")
    parser.add_argument(
        "-n",
        type=int,
        metavar="COUNT",
        help="number of puzzles (default 10); for a named corpus, at most COUNT per part",
    )
    parser.add_argument(
        "--base",
        type=int,
        metavar="COUNT",
        help="with --as: generate COUNT puzzles, and the rest as symmetric images of these",
    )
    parser.add_argument("--seed", type=shared.seed, help="random seed (default: the corpus's own, or 1)")
    parser.add_argument("-o", "--output", metavar="PATH", help="file to write (default: standard output), or folder")


def run(args: argparse.Namespace) -> int:
    if args.name in FOLDERS:
        return write_folder(args)
    check_options(args)
    try:
        with progress_bar(number_of_puzzles(args), logged=True, unit="puzzles") as progress:
            lines = (f"{line}\n" for line in requested_lines(args, oracle(progress)))
            if args.output is None:
                for line in counted(lines, progress):
                    sys.stdout.write(line)
                sys.stdout.flush()
            else:
                write_lines(Path(args.output), counted(lines, progress))
    except GenerationError as e:
        raise BadUsage(str(e)) from e
    return 0


def counted(lines: Iterator[str], progress: ProgressBar) -> Iterator[str]:
    """Yield lines, and count those of puzzles."""
    for line in lines:
        yield line
        if not line.startswith("#"):
            progress(1)


def number_of_puzzles(args: argparse.Namespace) -> int:
    """Return the number of puzzles that the arguments ask for, 0 if unknown in advance."""
    recipe = recipes.RECIPES.get(recipes.find_recipe(args.name or "") or "")
    if recipe is None or isinstance(recipe, recipes.Colouring):
        return (args.n or 10) if recipe is None else 0
    sizes = [len(part.indices) if part.indices else part.puzzles for part in recipe.parts]
    return sum(size if args.n is None else min(size, args.n) for size in sizes)


def write_lines(path: Path, lines: Iterator[str]) -> None:
    """Write a file that is no journal. Raises BadUsage.

    Lines that take long to make wait in a file without a name, so that a killed process leaves nothing.
    """
    from harness.storing.schema import refuse_journal

    try:
        refuse_journal(path)
        with tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as made:
            made.writelines(lines)
            made.seek(0)
            with replacing_text(path, newline="\n") as file:
                shutil.copyfileobj(made, file)
    except OSError as e:
        raise BadUsage(f"can't write {path}: {e.strerror}") from e


def write_folder(args: argparse.Namespace) -> int:
    """Write the files of a shipped folder. Raises BadUsage."""
    check_options(args)
    if args.output is None:
        raise BadUsage(f"{args.name} is a folder of files: state where to write it, with -o FOLDER")
    folder = Path(args.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in folder_files(args.name, args.seed, args.n):
            write_file(folder / name, text, newline="\n")
    except OSError as e:
        raise BadUsage(f"can't write {args.output}: {e.strerror}") from e
    return 0


def check_options(args: argparse.Namespace) -> None:
    """Raise BadUsage for numbers that are too small, and for options that conflict with a name."""
    for option, least in (("n", 1), ("base", 1), ("seed", 0)):
        value = getattr(args, option)
        if value is not None and value < least:
            raise BadUsage(f"{'-n' if option == 'n' else '--' + option} {value}: at least {least}")
    if (args.name is None) == (args.layout is None):
        raise BadUsage("name a corpus, or give --as LAYOUT and --kind KIND")
    for option in ("kind", "base", "alphabet") if args.name else ():
        if getattr(args, option) is not None:
            raise BadUsage(f"--{option} goes with --as, not with the name of a corpus")


def requested_lines(args: argparse.Namespace, oracle: Oracle) -> Iterator[str]:
    """Return the lines that the arguments ask for. Raises BadUsage."""
    if args.layout is not None:
        return custom_lines(args, oracle)
    name = recipes.find_recipe(args.name)
    if name is None:
        raise BadUsage(f"no recipe for {args.name!r}: known are {', '.join((*recipes.RECIPES, *FOLDERS))}")
    return writing.corpus_lines(name, recipes.RECIPES[name], oracle, args.seed, args.n)


def custom_lines(args: argparse.Namespace, oracle: Oracle) -> Iterator[str]:
    """Return the lines of new puzzles of a layout and kind. Raises BadUsage."""
    kind, seed, puzzles = args.kind or "easy", 1 if args.seed is None else args.seed, args.n or 10
    if args.layout.partition(" ")[0] in boards.FAMILIES:
        return lines_of_boards(args, kind, seed, puzzles, oracle)
    board = layout(args.layout, args.alphabet)
    words = (
        f"--as '{board.name}'"
        + (f" --alphabet {args.alphabet}" if args.alphabet else "")
        + f" --kind {kind} -n {puzzles}"
    )
    words += f"{f' --base {args.base}' if args.base else ''} --seed {seed}"
    command = f"{writing.COMMAND} {words}"
    return writing.series_lines(board, args.alphabet, kind, seed, puzzles, args.base or 0, command, oracle)


def lines_of_boards(args: argparse.Namespace, kind: str, seed: int, puzzles: int, oracle: Oracle) -> Iterator[str]:
    """Return the lines of new boards with cages or sums. Raises BadUsage."""
    for option in ("base", "alphabet"):
        if getattr(args, option) is not None:
            raise BadUsage(f"--{option} goes with boards of units alone, not with {args.layout!r}")
    name = " ".join(args.layout.split())
    command = f"{writing.COMMAND} --as '{name}' --kind {kind} -n {puzzles} --seed {seed}"
    return writing.nth_lines(name, kind, seed, puzzles, command, oracle)


def oracle(progress: ProgressBar = silent) -> Oracle:
    """Return an exact counter, fast for the size of the board, and the reference measure of effort.

    Both tell how many squares of a board of units are open.
    """
    from functools import cache

    from backends.contract.answer import Ask, Session, WarmBackend
    from backends.contract.registry import find
    from encoders.cnf import extended
    from encoders.direct import alldifferent, constraints

    @cache
    def reference(board: Layout) -> Session:
        return find("native:python").open(alldifferent(board))

    @cache
    def counter(board: Layout) -> Session:
        if len(board.squares) <= NATIVE_SQUARES:
            return find("native").open(alldifferent(board))
        kept = find("pysat:minisat22")
        return kept.open_warm(extended(board)) if isinstance(kept, WarmBackend) else kept.open(extended(board))

    def tell(at: str) -> None:
        progress(0, at)

    def tell_open(domains: Domains) -> None:
        tell(f"{sum(d & d - 1 > 0 for d in domains):,} of {len(domains):,} squares open")

    def count(board: Problem, domains: Domains, limit: int) -> int:
        if isinstance(board, Layout):
            tell_open(domains)
        session = counter(board) if isinstance(board, Layout) else find("cpsat").open(constraints(board))
        return len(session.ask(Ask(domains, limit, HOURS)).solutions)

    def effort(board: Layout, domains: Domains, limit: int) -> int:
        tell_open(domains)
        return reference(board).ask(Ask(domains, 2, HOURS, limit)).counters["decisions"]

    return Oracle(count, effort, tell)
