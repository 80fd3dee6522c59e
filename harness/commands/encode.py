"""`encode`: write an instance as the DIMACS, WCNF, OPB or XCSP3 file that a program gets."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from harness.commands.given import given_puzzle, print_note

if TYPE_CHECKING:
    from encoders.formula import Cnf, Wcnf
    from puzzles.problem import Instance


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    parser.add_argument(
        "--to",
        choices=("dimacs", "wcnf", "opb", "xcsp3"),
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
    from harness.storing.schema import refuse_journal
    from puzzles.files import write_file

    puzzle = given_puzzle(args)
    try:
        text = CLAUSES[args.to](puzzle, args.encoding) if args.to in CLAUSES else file_text(puzzle, args.to)
    except (NoEncoding, Unsupported) as e:
        raise BadUsage(str(e)) from None
    if args.output is None:
        sys.stdout.write(text.decode())
        return 0
    try:
        refuse_journal(Path(args.output))
        write_file(args.output, text)
    except OSError as e:
        raise BadUsage(f"{args.output}: can't be written: {e.strerror}") from None
    return 0


def file_text(puzzle: "Instance[Any]", to: str) -> bytes:
    """Return the puzzle as an OPB or XCSP3 file, as `opb:` and `xcsp3:` get it. Raises Unsupported."""
    from encoders.direct import constraints
    from encoders.opb import opb
    from encoders.registry import refuse_unread
    from encoders.xcsp3 import xcsp3

    refuse_unread(puzzle.problem)
    form, domains = constraints(puzzle.problem, puzzle.domains), puzzle.domains
    return opb(form, domains) if to == "opb" else xcsp3(form, domains)


def clause_formula(puzzle: "Instance[Any]", encoding: str) -> "tuple[Cnf | Wcnf, str]":
    """Return the formula of an encoding that makes clauses, and the encoding's name. Raises Unsupported."""
    from encoders.formula import Cnf, Unsupported, Wcnf
    from encoders.registry import spec

    chosen = spec(encoding)
    formula = chosen.formula(puzzle.problem, puzzle.domains)
    if not isinstance(formula, Cnf | Wcnf):
        raise Unsupported(
            f"encoding {encoding!r} makes no clauses, so it has no DIMACS form: see `list --encodings`, formula Cnf"
        )
    return formula, chosen.name


def dimacs_text(puzzle: "Instance[Any]", encoding: str) -> bytes:
    """Return the formula and unit clauses as DIMACS, literals explained in comments. Raises Unsupported."""
    from encoders.dimacs import body, dimacs
    from encoders.formula import Cnf, Unsupported

    formula, name = clause_formula(puzzle, encoding)
    if not isinstance(formula, Cnf):
        raise Unsupported(
            f"{puzzle.name}: DIMACS has no objective: --to wcnf writes it, and --ignore-objective leaves it out"
        )
    return dimacs(formula, body(formula), unit_clauses(puzzle, formula), explanation(puzzle, formula, name))


def wcnf_text(puzzle: "Instance[Any]", encoding: str) -> bytes:
    """Return the formula with its soft clauses as WCNF, with notes on what weights can't state. Raises Unsupported."""
    from encoders.formula import Wcnf
    from encoders.wcnf import shared_lines, wcnf

    formula, name = clause_formula(puzzle, encoding)
    hard, goal = formula.hard if isinstance(formula, Wcnf) else formula, puzzle.problem.objective
    comments = list(explanation(puzzle, hard, name))
    if isinstance(formula, Wcnf) and goal is not None and (formula.offset or goal.maximise):
        constant = f"{-formula.offset} -" if goal.maximise else f"{formula.offset} +"
        value = f"value = {constant} weights of the soft clauses that are false"
        comments.append(value)
        print_note(f"{puzzle.name}: {value}")
    return wcnf(formula, shared_lines(formula), unit_clauses(puzzle, hard), comments)


CLAUSES = {"dimacs": dimacs_text, "wcnf": wcnf_text}


def unit_clauses(puzzle: "Instance[Any]", formula: "Cnf") -> list[list[int]]:
    """Return the domains of an instance as clauses."""
    from backends.shared.literal_map import LiteralMap

    return [[x] for x in LiteralMap(formula.literal).true(puzzle.domains)]


def explanation(puzzle: "Instance[Any]", formula: "Cnf", encoding: str) -> Iterator[str]:
    """Yield the meaning of literals: a line per variable, or a single line if Boolean variables keep their numbers."""
    from harness.reporting.printable import printable
    from puzzles.boards.layout import Layout
    from puzzles.problem import BOOLEAN

    problem = puzzle.problem
    board = isinstance(problem, Layout)
    if problem.values == BOOLEAN and not board:
        first = f"{puzzle.name}: its variables are 1 to {len(problem.variables)}"
        yield printable(first + ", those above are auxiliary" * (formula.variables > len(problem.variables)))
        return
    yield printable(f"{puzzle.name}: {problem.name + ', ' if board else ''}encoding {encoding}")
    yield printable(f"each {'square' if board else 'variable'}, and its literals for {' '.join(problem.values)}")
    for name, row in zip(problem.variables, formula.literal, strict=True):
        yield printable(f"{name} {' '.join(map(str, row))}")
