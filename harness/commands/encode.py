"""`encode`: write instances as the DIMACS, WCNF, OPB or XCSP3 files that programs get, or as SMT-LIB scripts."""

import argparse
import os
import re
import sys
from pathlib import Path

from harness.commands import arguments as shared
from harness.commands.given import given_puzzle, print_note, reader_options

SUFFIXES = {"dimacs": ".cnf", "wcnf": ".wcnf", "opb": ".opb", "xcsp3": ".xml", "smt2": ".smt2"}
INCOMPLETE = 4  # exit code if an instance has no file


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    parser.add_argument(
        "--to",
        choices=("dimacs", "wcnf", "opb", "xcsp3", "smt2"),
        default="dimacs",
        help="format of the file (default dimacs, which has no objectives)",
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
    from encoders.registry import NoEncoding
    from harness.model.errors import BadUsage
    from harness.reporting.formats.instance_files import instance_text
    from harness.storing.schema import refuse_journal
    from puzzles.files import write_file

    if args.output and (args.output.endswith(os.sep) or os.path.isdir(args.output)):
        return write_all(args)
    puzzle = given_puzzle(args)
    try:
        text, notes = instance_text(puzzle, args.to, args.encoding)
    except (NoEncoding, Unsupported) as e:
        raise BadUsage(str(e)) from None
    for note in notes:
        print_note(note)
    if args.output is None:
        sys.stdout.write(text.decode())
        return 0
    try:
        refuse_journal(Path(args.output))
        write_file(args.output, text)
    except OSError as e:
        raise BadUsage(f"{args.output}: can't be written: {e.strerror}") from None
    return 0


def write_all(args: argparse.Namespace) -> int:
    """Write a file of each instance of a corpus to the folder; note those that the format can't state.

    Raises BadUsage, BadInput.
    """
    from dataclasses import replace

    from encoders.formula import Unsupported
    from encoders.registry import NoEncoding
    from harness.model.errors import BadUsage
    from harness.reporting.formats.instance_files import instance_text
    from harness.storing.schema import as_bad_usage, refuse_journal
    from puzzles.corpora import find
    from puzzles.files import write_file
    from puzzles.formats import read

    refused: list[str] = []
    written = 0
    options = replace(reader_options(args), refuse=lambda row: refused.append(str(row)))
    for instance in read(find(args.puzzle), options):
        try:
            text, notes = instance_text(instance, args.to, args.encoding)
        except NoEncoding as e:
            raise BadUsage(str(e)) from None
        except Unsupported as e:
            why = str(e)
            refused.append(why if why.startswith(instance.name) else f"{instance.name}: {why}")
            continue
        path = Path(args.output, file_name(instance.name) + SUFFIXES[args.to])
        with as_bad_usage(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            refuse_journal(path)
            write_file(path, text)
        written += 1
        for note in notes:
            print_note(note)
    for why in refused:
        print_note(f"not written: {why}")
    print(f"{written} written to {args.output}, {len(refused)} refused")
    return INCOMPLETE if refused else 0


def file_name(name: str) -> str:
    """Return the path of an instance's file below the folder: its name, with - for : and _ for a step upwards."""
    parts = [re.sub(r"^\.\.?$", "_", part) for part in name.replace(":", "-").split("/") if part]
    return "/".join(parts) or "_"
