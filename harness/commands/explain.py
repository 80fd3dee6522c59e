"""`explain`: which parts of an instance without a solution contradict each other, and what would correct it.

Every subset is checked, ours and that of other people's programs. Exits 1 if one is wrong or not minimal, 4 if one is
unchecked, or was not found in time.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared
from puzzles.boards.layout import Layout

if TYPE_CHECKING:
    from harness.explaining.checking import SubsetVerdict
    from harness.explaining.members import Divided
    from harness.explaining.oracles import ByContender
    from harness.explaining.subsets import Subset
    from harness.model.settings import RunSettings

JUDGES = ["native", "pysat:cadical195", "cpsat", "native:lazy"]  # asked in turn until two lineages agree
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
        " pysat:glucose4 where members are clauses, else cpsat); mus:musx and mus:optux are those of python-sat",
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


@dataclass(frozen=True)
class Found:
    """Subset of an extractor with its verdict; no subset if it found none."""

    extractor: str
    kind: str
    subset: "Subset | None"
    checked: "SubsetVerdict"


def run(args: argparse.Namespace) -> int:
    from harness.commands.output import write_json
    from harness.explaining.checking import CORRECT, UNCHECKED
    from harness.explaining.oracles import Judges
    from harness.model.reading import parse_assignments
    from harness.model.settings import RunSettings

    settings = RunSettings(args.timeout, programs=parse_assignments(args.program))
    known = members_of(args)
    default = "cpsat" if known.groups is None else "pysat:glucose4"
    verdicts = []
    entries = []
    with Judges(JUDGES, known, settings) as judges:
        refuse_solved(known, judges.opened)
        for name in args.backend or [default]:
            for found in extracted(name, known, settings, args, judges.opened):
                verdicts.append(found.checked.verdict)
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


def refuse_solved(known: "Divided", judges: "list[ByContender]") -> None:
    """Raise BadUsage if the instance has a solution."""
    from harness.explaining.checking import satisfiable
    from harness.model.errors import BadUsage

    if satisfiable(known.all, judges)[0]:
        raise BadUsage(f"{known.instance.name} has a solution, which was checked: nothing is to be explained")


def extracted(
    name: str, known: "Divided", settings: "RunSettings", args: argparse.Namespace, judges: "list[ByContender]"
) -> "Iterator[Found]":
    """Yield the checked subsets of an extractor."""
    from itertools import islice

    from harness.explaining import extractors
    from harness.explaining.checking import UNCHECKED, SubsetVerdict, checked_mcs, checked_mus
    from harness.explaining.subsets import Undecided, explored
    from harness.model.errors import BadUsage

    kind = "mcs" if args.fix else "mus"
    check = checked_mcs if args.fix else checked_mus
    try:
        if not args.fix and not args.all:
            subset = extractors.extracted(name, known, settings)
            yield Found(name, kind, subset, check(subset, known.all, judges))
            return
        if name.startswith(extractors.PREFIX):
            raise BadUsage(f"{name} names one subset: --all and --fix take contenders")
        oracle = extractors.oracle_of(name, known, settings)
        try:
            wanted = (some for found, some in explored(oracle, len(known.words)) if found == kind)
            for subset in islice(wanted, args.all or 1):
                yield Found(name, kind, subset, check(subset, known.all, judges))
        finally:
            oracle.close()
    except Undecided as e:
        yield Found(name, kind, None, SubsetVerdict(UNCHECKED, why=str(e)))


def text(found: Found, known: "Divided") -> str:
    """Return a subset in the words of its source, with its verdict."""
    from harness.explaining.drawing import drawn
    from harness.reporting.printable import printable
    from harness.reporting.tables import plural

    checked, name = found.checked, known.instance.name
    why = f": {checked.why}" if checked.why else ""
    if found.subset is None:
        return printable(f"{name}: {found.extractor}: found no subset{why}")
    where = [m for m in sorted(found.subset) if m < len(known.words)]
    superfluous = "" if checked.member is None else f" ({known.words[checked.member]})"
    size = f"{len(found.subset):,} of {plural(len(known.words), 'part')}"
    head = f"{name}: {found.extractor}: {size} {WORDS[found.kind]}: {checked.verdict}{why}{superfluous}"
    picture = drawn(known, frozenset(where)) if found.kind == "mus" else ""
    return "\n".join(
        [printable(head), *(printable(f"  {known.words[m]}") for m in where), *([picture] if picture else [])]
    )


def entry(found: Found, known: "Divided") -> dict[str, Any]:
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
