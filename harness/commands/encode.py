"""`encode`: write instances in the formats of solvers: clauses, sums, constraints, models, scripts."""

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from harness.commands.given import given_puzzle, print_note, reader_options

if TYPE_CHECKING:
    from harness.reporting.formats.instance_files import InstanceFile
    from puzzles.problem import Instance

SCRIPTS = ("icnf", "trace")  # of query scripts
TARGETS = ("dimacs", "wcnf", "opb", "xcsp3", "mzn", "fzn", "smt2", "lp", "mps")
INCOMPLETE = 4  # exit code if an instance has no file
EPILOG = """\
Every format but dimacs states objectives; what a format can't state is refused
by name. Beside each file is its map of variables, FILE.map.json
(docs/reference/formats.md)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    parser.add_argument(
        "--to",
        choices=(*TARGETS, *SCRIPTS),
        type=lambda text: {"cnf": "dimacs"}.get(text, text),
        default="dimacs",
        help="format of the file (default dimacs, which has no objectives); icnf, trace: of query scripts",
    )
    parser.add_argument(
        "--encoding",
        default="extended",
        metavar="ENCODING[+AT_MOST_ONE][+linear=NAME][+table=NAME]",
        help="encoding of a DIMACS or WCNF file, as in a contender's name (default extended)",
    )
    parser.add_argument(
        *("-o", "--output"),
        metavar="FILE",
        help="file to write (default: standard output), or FOLDER/ for a file of each instance of the corpus",
    )


def run(args: argparse.Namespace) -> int:
    from encoders.formula import Unsupported
    from harness.model.errors import BadUsage

    if args.output and (args.output.endswith(os.sep) or os.path.isdir(args.output)):
        return write_all(args)
    try:
        made = made_file(given_puzzle(args), args)
    except Unsupported as e:
        raise BadUsage(str(e)) from None
    for note in made.notes:
        print_note(note)
    if args.output is None:
        for block in made.blocks:
            sys.stdout.write(block.decode())
        return 0
    write(made, args.output)
    return 0


def made_file(instance: "Instance[Any]", args: argparse.Namespace) -> "InstanceFile":
    """Return the file of an instance. Raises Unsupported, and BadUsage for an unknown encoding."""
    from encoders.registry import NoEncoding
    from harness.model.errors import BadUsage
    from harness.reporting.formats.instance_files import instance_file

    try:
        return instance_file(instance, args.to, args.encoding)
    except NoEncoding as e:
        raise BadUsage(str(e)) from None


def write(made: "InstanceFile", path: str | Path) -> None:
    """Write a file and its map. Raises BadUsage."""
    from harness.model.errors import BadUsage
    from harness.storing.schema import refuse_journal
    from puzzles.files import replacing
    from puzzles.readers.folder import MAP

    for target, blocks in ((path, made.blocks), (f"{path}{MAP}", made.map.text())):
        try:
            refuse_journal(Path(target))
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            with replacing(target) as part, part.open("wb") as file:
                file.writelines(blocks)
        except OSError as e:
            raise BadUsage(f"{e.filename or target}: can't be written: {e.strerror}") from None


def write_all(args: argparse.Namespace) -> int:
    """Write a file of each instance of a corpus to the folder; note those that the format can't state.

    Raises BadUsage, BadInput.
    """
    from dataclasses import replace

    from encoders.formula import Unsupported
    from harness.reporting.formats.instance_files import SUFFIXES
    from puzzles.corpora import find
    from puzzles.formats import read

    refused: list[str] = []
    written = 0
    options = replace(reader_options(args), refuse=lambda row: refused.append(str(row)))
    for instance in read(find(args.puzzle), options):
        try:
            made = made_file(instance, args)
        except Unsupported as e:
            why = str(e)
            refused.append(why if why.startswith(instance.name) else f"{instance.name}: {why}")
            continue
        write(made, Path(args.output, file_name(instance.name) + SUFFIXES[args.to]))
        written += 1
        for note in made.notes:
            print_note(note)
    for why in refused:
        print_note(f"not written: {why}")
    print(f"{written} written to {args.output}, {len(refused)} refused")
    return INCOMPLETE if refused else 0


def file_name(name: str) -> str:
    """Return the path of an instance's file below the folder: its name, with - for : and _ for a step upwards."""
    parts = [re.sub(r"^\.\.?$", "_", part) for part in name.replace(":", "-").split("/") if part]
    return "/".join(parts) or "_"
