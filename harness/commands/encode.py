"""`encode`: write an instance as the DIMACS, WCNF, OPB or XCSP3 file that a program gets, or as an SMT-LIB script."""

import argparse
import sys
from pathlib import Path

from harness.commands import arguments as shared
from harness.commands.given import given_puzzle, print_note


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
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write (default: standard output)")


def run(args: argparse.Namespace) -> int:
    from encoders.formula import Unsupported
    from encoders.registry import NoEncoding
    from harness.model.errors import BadUsage
    from harness.reporting.formats.instance_files import instance_text
    from harness.storing.schema import refuse_journal
    from puzzles.files import write_file

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
