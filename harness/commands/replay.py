"""`replay`: asks a finding's case again, in fresh processes; 1 while any still fails, 0 once none does."""

import argparse
from pathlib import Path

from harness.commands import arguments as shared

HELP = "ask the cases of findings again: exit 1 while one still fails, 0 once none does"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("finding", nargs="+", metavar="FILE", help="a finding that fuzz or shrink wrote")
    shared.programs(parser)


def run(args: argparse.Namespace) -> int:
    from backends.programs import name_programs
    from harness.fuzzing.finding import read
    from harness.fuzzing.sessions import Sessions
    from harness.fuzzing.trial import contenders, run_case, settings
    from harness.model.host import versions
    from harness.model.reading import named

    name_programs(named(args.program))
    failed = 0
    for path in map(Path, args.finding):
        finding = read(path)
        with Sessions(contenders(finding.case), settings(finding.case)) as lab:
            seen = run_case(lab, finding.case)
        changed = [f"{k} {v}" for k, v in finding.provenance.get("versions", {}).items() if versions().get(k) != v]
        note = f" (found with {', '.join(changed)})" if changed else ""
        if seen.failures:
            position, failure = seen.of(finding.signature) or seen.failures[-1]
            other = "" if failure.signature == finding.signature else f", but in another way: {failure.signature}"
            print(f"{path}: still fails{other}{note}")
            print(f"  ask {position + 1}: expected {finding.expected}; seen {failure.seen}")
            failed += 1
        else:
            print(f"{path}: does not fail{': ' * bool(seen.refusal)}{seen.refusal}{note}")
    return int(failed > 0)
