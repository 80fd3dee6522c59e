"""`rehearse`: run a solver as the organiser of a competition does, and tell the faults of its protocol."""

import argparse
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.model.rules import Rules
    from harness.rehearsing.rehearsal import Rehearsed

USAGE = "[options] RULES COMMAND..."
EPILOG = """\
examples:
  rehearse sat-2025 ./solver                         the words that the rules add follow: instance and folder
  rehearse sat-2025 cadical '{instance}' '{proof}'   or the command says where they stand

exit codes: 0 an organiser would accept it, 1 faults, or no small instance was decided, 2 bad usage"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rules", metavar="RULES", help="rules of a competition: a name or a file (docs/reference/rules.md)"
    )
    parser.add_argument("command_line", nargs=argparse.REMAINDER, metavar="COMMAND", help="the solver and its words")
    parser.add_argument(
        *("-t", "--timeout"),
        type=shared.positive_seconds,
        default=2.0,
        metavar="SECONDS",
        help="limit of wall time of an instance (default 2): the hard one gets SIGTERM then",
    )
    parser.add_argument(
        "--memory",
        type=shared.positive_int,
        default=64,
        metavar="MB",
        help="address space in the instance about memory (default 64)",
    )
    parser.add_argument("--against", metavar="JOURNAL", help="imported results of the event: where would it rank?")
    parser.add_argument("--results", metavar="JOURNAL", help="with --against: a run of the solver on those instances")
    shared.add_json(parser, "rehearsal")


def run(args: argparse.Namespace) -> int:
    from harness.commands.output import write_json
    from harness.model.errors import BadUsage
    from harness.model.rules import rules_at
    from harness.rehearsing.rehearsal import rehearse
    from puzzles.errors import plural

    rules = rules_at(args.rules)
    if not args.command_line:
        raise BadUsage(f"state the solver: rehearse {args.rules} ./solver")
    if not rules.protocol.arguments:
        raise BadUsage(f"{rules.title} has rankings alone: its instances are of a language that is not read")
    if bool(args.against) != bool(args.results):
        raise BadUsage("--against and --results go together: results of the event, and your run on its instances")
    found = []
    try:
        for one in rehearse(rules, args.command_line, args.timeout, args.memory):
            found.append(one)
            if args.json != "-":
                print("\n".join(lines_of(one)), flush=True)
    except OSError as e:
        raise BadUsage(f"{args.command_line[0]}: {e.strerror}") from None
    faults, small = sum(len(one.faults) for one in found), [one for one in found if not one.case.hard_to_solve]
    decided = sum(one.decided for one in small)
    accepted = not faults and decided > 0
    why = [plural(faults, "fault")] if faults else []
    why += [] if decided else [f"nothing was decided: 0 of {plural(len(small), 'small instance')}"]
    verdict = f"{', '.join(why)}: an organiser would not accept it" if why else "an organiser would accept it"
    if untested := [one.case.name for one in found if not one.tested]:
        verdict += f"; not tested: {', '.join(untested)}"
    data = as_data(rules, found) | {"accepted": accepted, "exit": int(not accepted)}
    lines = [f"{rules.title}: {verdict}"]
    if args.against:
        from harness.rehearsing.expected import expected, sentence

        data["expected"] = ranks = expected(rules, args.against, args.results)
        lines += map(sentence, ranks)
    if args.json != "-":
        print("", *lines, sep="\n")
    if args.json:
        write_json(data, args.json)
    return int(not accepted)


def lines_of(one: "Rehearsed") -> list[str]:
    """Return a line on a case, and one for each fault and remark."""
    from harness.reporting.writing.printable import printable

    head = f"{one.case.name:<32}{one.status or '-':<16}{one.seconds:5.1f} s  {one.verdict}"
    faults = [f"    {fault}" for fault in one.faults]
    remarks = [f"    {fault} (the sources do not state this rule)" for fault in one.remarks]
    return [head, *(printable(line) for line in (*faults, *remarks))]


def as_data(rules: "Rules", found: "list[Rehearsed]") -> dict[str, object]:
    """Return a rehearsal as JSON-compatible data."""
    cases = [
        {
            "case": one.case.name,
            "status": one.status,
            "seconds": one.seconds,
            "tested": one.tested,
            "faults": [vars(fault) for fault in one.faults],
            "remarks": [vars(fault) for fault in one.remarks],
        }
        for one in found
    ]
    return {"rules": rules.name, "cases": cases}
