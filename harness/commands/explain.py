"""`explain`: which parts of an instance without a solution contradict each other, and what would correct it.

Every subset is checked, ours and that of other people's programs. Exits 1 if one is wrong or not minimal, 4 if one is
unchecked, or was not found in time.
"""

import argparse
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from puzzles.boards.board import Board
from puzzles.boards.layout import Layout

if TYPE_CHECKING:
    from harness.explaining.found import Found
    from harness.explaining.members import Divided
    from puzzles.problem import Problem

WORDS = {"mus": "contradict each other", "mcs": "left out, the rest has a solution"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_puzzle(parser)
    parser.add_argument(
        *("-b", "--backend"),
        action="extend",
        type=shared.names,
        default=[],
        metavar="EXTRACTOR",
        help="who extracts a subset: a contender, or mus:NAME for a program; separated by commas (default"
        " pysat:glucose4 where members are clauses, else cpsat); mus:musx and mus:optux are python-sat's,"
        " mus:cpmpy is CPMpy's",
    )
    parser.add_argument(
        "--all", type=shared.positive_int, metavar="N", help="up to N minimal subsets, or corrections (MARCO)"
    )
    parser.add_argument(
        "--fix", action="store_true", help="sets of parts after whose removal there is a solution, minimal"
    )
    shared.add_programs(parser)
    shared.add_timeout(parser, 10.0, "question")
    shared.add_json(parser, "subsets")


def run(args: argparse.Namespace) -> int:
    from harness.commands.output import write_json
    from harness.explaining.checking import CORRECT, UNCHECKED
    from harness.explaining.found import explanations
    from harness.model.reading import parse_assignments
    from harness.model.settings import RunSettings

    settings = RunSettings(args.timeout, programs=parse_assignments(args.program))
    known = members_of(args)
    entries, verdicts = [], set()
    for found in explanations(known, args.backend, settings, args.all, args.fix):
        verdicts.add(found.checked.verdict)
        entries.append(entry(found, known))
        if args.json != "-":
            print(text(found, known), end="\n\n")
    if args.json:
        write_json({"instance": known.instance.name, "members": len(known.words), "subsets": entries}, args.json)
    return (
        4 if set(verdicts) == {CORRECT, UNCHECKED} or set(verdicts) <= {UNCHECKED} else int(set(verdicts) != {CORRECT})
    )


def members_of(args: argparse.Namespace) -> "Divided":
    """Return the members of the instance that the arguments name. Raises BadInput, BadUsage."""
    from harness.commands.given import given_puzzle
    from harness.explaining.members import divided
    from harness.explaining.sources import divided_file
    from harness.model.reading import locate

    args.ignore_objective = True
    puzzle = given_puzzle(args)
    place = locate(args.puzzle)
    if place is None or place[1] or isinstance(puzzle.problem, Layout):
        return divided(puzzle)
    return divided_file(puzzle, place[0])


def text(found: "Found", known: "Divided") -> str:
    """Return a subset in the words of its source, with its verdict."""
    from harness.explaining.drawing import drawn
    from harness.reporting.writing.printable import printable
    from puzzles.errors import plural

    checked, name = found.checked, known.instance.name
    why = f": {checked.why}" if checked.why else ""
    if found.subset is None:
        return printable(f"{name}: {found.extractor}: found no subset{why}")
    where = [m for m in sorted(found.subset) if m < len(known.words)]
    superfluous = "" if checked.member is None else f" ({known.words[checked.member]})"
    size = f"{len(found.subset):,} of {plural(len(known.words), 'part')}"
    domains = ", in the domains of the variables, which are no parts" * bounded(known.instance.problem)
    head = f"{name}: {found.extractor}: {size} {WORDS[found.kind]}{domains}: {checked.verdict}{why}{superfluous}"
    picture = drawn(known, frozenset(where)) if found.kind == "mus" else ""
    return "\n".join(
        [printable(head), *(printable(f"  {known.words[m]}") for m in where), *([picture] if picture else [])]
    )


def bounded(problem: "Problem") -> bool:
    """Return True if a problem's variables have domains that a modeller states: no board's, and not only 0 and 1."""
    return not isinstance(problem, Layout | Board) and len(problem.values) > 2


def entry(found: "Found", known: "Divided") -> dict[str, Any]:
    """Return a subset as JSON-compatible data."""
    members = sorted(found.subset or ())
    return {
        "extractor": found.extractor,
        "kind": found.kind,
        "members": None if found.subset is None else [m + 1 for m in members],
        "words": [known.words[m] for m in members if m < len(known.words)],
        "verdict": found.checked.verdict,
        "superfluous": None if found.checked.member is None else found.checked.member + 1,
        "why": found.checked.why,
    }
