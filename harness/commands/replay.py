"""`replay`: run the cases of findings again in fresh processes; exit 1 if any still fails, else 0."""

import argparse
from pathlib import Path

from harness.commands import arguments as shared

EPILOG = "exit codes: 0 no longer fails, 1 still fails, 2 not a finding of this version"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("finding", nargs="+", metavar="FILE", help="finding written by fuzz, shrink or run")
    shared.add_programs(parser)
    shared.add_consent(parser)


def run(args: argparse.Namespace) -> int:
    from harness.fuzzing.findings.finding import read
    from harness.fuzzing.findings.naming import recorded
    from harness.fuzzing.sessions import Sessions
    from harness.fuzzing.trial import contenders, expectation, run_case, settings, times_failed
    from harness.model.consent import finding_programs
    from harness.model.host import versions
    from harness.model.reading import parse_assignments
    from harness.reporting.writing.printable import printable

    given = parse_assignments(args.program)
    failed = 0
    for path in map(Path, args.finding):
        finding = read(path)
        programs = finding_programs(str(path), finding.case.contender, recorded(finding), given, args.yes)
        with Sessions(contenders(finding.case, programs), settings(finding.case, programs)) as sessions:
            result = run_case(sessions, finding.case)
            often = times_failed(sessions, finding.case, finding.signature) if finding.case.repeats > 1 else 0
        changed = [f"{k} {v}" for k, v in finding.provenance.get("versions", {}).items() if versions().get(k) != v]
        note = f" (found with {', '.join(changed)})" if changed else ""
        if result.failures:
            position, failure = result.of(finding.signature) or result.failures[-1]
            other = "" if failure.signature == finding.signature else f", but differently: {failure.signature}"
            times = f", {often} of {finding.case.repeats} times" if often else ""
            print(printable(f"{path}: still fails{other}{times}{note}"))
            asked = len(finding.case.asks)
            which = f"instance {position + 1} of {asked}: " if asked > 1 else ""
            print(printable(f"  {which}expected {expectation(finding.case, failure.signature)}; seen {failure.seen}"))
            failed += 1
        else:
            why = f": {result.refusal}" if result.refusal else f" (was: {finding.signature}){finding.failed_on}"
            print(printable(f"{path}: does not fail{finding.in_asks}{why}{note}"))
    return int(failed > 0)
