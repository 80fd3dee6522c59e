"""`shrink`: minimise a failing case, of a finding or of an instance, and write it as NAME.min.finding.

While it runs, that file has the smallest case so far, from which the same command continues.
With --count all the case is a file of clauses on which a counter of models fails, and the result is NAME.min.cnf.
"""

import argparse
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.commands import arguments as shared

if TYPE_CHECKING:
    from harness.fuzzing.files import FileFuzzer
    from harness.fuzzing.findings.finding import Case, Finding
    from harness.fuzzing.reducing.state import ShrinkingState
    from harness.model.settings import RunSettings
    from puzzles.objectives.queries import QueryScript
    from puzzles.problem import Instance


EPILOG = "exit codes: 0 no longer fails, 1 still fails, 2 not a finding of this version"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="FILE", help="finding to shrink; with -b the file of an instance")
    parser.add_argument(
        "--seconds",
        type=shared.positive_seconds,
        default=50.0,
        metavar="N",
        help="approximate time to spend (default 50); a call that runs out of time is continued by the same command",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="file to write (default NAME.min.finding)")
    parser.add_argument(
        *("-b", "--backend"),
        action="extend",
        type=shared.names,
        default=[],
        metavar="CONTENDER",
        help="contenders that are asked the instance; the first that fails is shrunk, by the others' solutions too",
    )
    parser.add_argument(
        "--slower",
        type=float,
        metavar="R",
        help="the failure is that the first contender takes R times the CPU time of the second",
    )
    parser.add_argument(
        "--count", choices=("all",), help="all: the contenders count models: the smallest formula that one fails on"
    )
    shared.add_timeout(parser, 10.0, "ask of the instance")
    parser.add_argument("-m", "--memory", type=shared.mebibytes, default=0, metavar="SIZE", help="memory limit of it")
    shared.add_jobs(parser)
    shared.add_reading(parser)
    shared.add_programs(parser)
    shared.add_consent(parser)


def run(args: argparse.Namespace) -> int:
    from dataclasses import replace

    from harness.commands.given import reader_options
    from harness.fuzzing.findings.finding import text, write
    from harness.fuzzing.reducing.shrinking import key, shrink
    from harness.fuzzing.reducing.state import resumed
    from harness.model.errors import BadUsage
    from harness.model.host import cores
    from harness.model.reading import read_puzzle
    from harness.reporting.writing.printable import printable
    from puzzles.objectives.queries import QueryScript

    path, start = Path(args.case), time.monotonic()
    options = replace(reader_options(args), count_models=bool(args.count))
    instance = read_puzzle(args.case, options) if args.backend or args.count else None
    if instance is not None and (args.count or isinstance(instance.problem.objective, QueryScript)):
        return shrink_file(args, instance)
    found, programs = failing(args, instance)
    if found is None:
        print(printable(f"{path}: does not fail here"))
        return 0
    target = Path(args.output) if args.output else path.with_suffix(".min.finding")
    kept = resumed(found, key(found.case), target)
    found = kept.finding
    if instance is not None and not kept.best:
        shrink_source(args, instance, kept)
    show = partial(show_progress, start=start, seconds=args.seconds)
    left = max(args.seconds / 2, args.seconds - (time.monotonic() - start))
    finding = shrink(found, left, show, programs, args.jobs or len(cores()) or 1, kept)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if finding is None:
        print(printable(f"{path}: does not fail here{found.failed_on}"))
        return 0
    try:
        write(finding, target)
    except BadUsage:
        print(text(finding))  # do not lose the result of a long search
        raise
    print("".join(line[2:] + "\n" for line in text(finding).splitlines() if line.startswith("# ")), end="")
    more = " (not the smallest: the same command continues)" if kept.is_unfinished(finding) else ""
    print(printable(f"kept as {target}{more}"))
    return 1


def shrink_source(args: argparse.Namespace, instance: "Instance[Any]", kept: "ShrinkingState") -> None:
    """Leave out constraints of a MiniZinc model for half of the time; no other source has parts that rows lack."""
    from harness.explaining.sources import of_model
    from harness.fuzzing.reducing.instances import finding_in, keep_parts
    from harness.fuzzing.sessions import Sessions
    from harness.model.contender import resolve
    from harness.model.reading import locate
    from puzzles.readers.pairing import DATA, MODEL

    place = locate(args.case)
    if place is None or place[0].suffix not in (MODEL, DATA):
        return
    known, settings = of_model(instance, place[0], args.ignore_objective), asked_settings(args)
    contenders, _ = resolve(args.backend, programs=settings.programs)
    with Sessions(contenders, settings) as sessions:

        def find(parts: frozenset[int]) -> "Finding | None":
            return finding_in(sessions, known.make(parts), settings, args.slower)

        keep_parts(kept, known.words, find, args.seconds / 2)


def asked_settings(args: argparse.Namespace) -> "RunSettings":
    """Return the settings by which an instance is asked."""
    from harness.model.reading import parse_assignments
    from harness.model.settings import RunSettings

    return RunSettings(args.timeout, memory=args.memory << 20, programs=parse_assignments(args.program))


def shrink_file(args: argparse.Namespace, instance: "Instance[Any]") -> int:
    """Write the smallest formula that the first contender which fails counts wrongly, or the smallest query script."""
    from harness.fuzzing.files import written
    from harness.model.errors import BadUsage
    from harness.reporting.writing.printable import printable
    from puzzles.objectives.queries import QueryScript

    script, path = instance.problem.objective, Path(args.case)
    if args.slower is not None:
        raise BadUsage(f"{args.case}: it is shrunk by wrong answers: leave out --slower")
    fuzzer, case = script_fuzzer(args, script) if isinstance(script, QueryScript) else count_fuzzer(args, instance)
    try:
        for contender in fuzzer.contenders:
            if why := fuzzer.failure(contender, case):
                least, why = fuzzer.shrunk(contender, case, why, args.seconds)
                target = Path(args.output) if args.output else path.with_suffix(f".min.{least.ending}")
                written(target, f"{contender.name}: {why}", least)
                print(printable(f"{contender.name}: {why}\n{least.sizes()}: kept as {target}"))
                return 1
    finally:
        fuzzer.close()
    print(printable(f"{path}: does not fail here"))
    return 0


def count_fuzzer(args: argparse.Namespace, instance: "Instance[Any]") -> "tuple[FileFuzzer[Any], Any]":
    """Return the counters and the formula of an instance. Raises BadUsage."""
    from dataclasses import replace

    from harness.fuzzing.counters import CounterFuzzer, formula_of
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.runs.single import Asker

    settings = replace(asked_settings(args), count_models=True)
    case = formula_of(instance)
    if case is None or not args.backend:
        raise BadUsage("shrink --count all takes a file of clauses, and -b COUNTER")
    contenders, _ = resolve(args.backend, programs=settings.programs)
    return CounterFuzzer(contenders, lambda contender: Asker(contender, settings), programs=settings.programs), case


def script_fuzzer(args: argparse.Namespace, script: "QueryScript") -> "tuple[FileFuzzer[Any], Any]":
    """Return the first contender, with one of another lineage that is asked about cores, and the case of a script."""
    from harness.fuzzing.queries import ScriptCase, ScriptFuzzer
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.model.lineage import lineage
    from harness.runs.cores import core_checkers
    from harness.runs.single import Asker

    settings, (first, *others) = asked_settings(args), resolve(args.backend)[0]
    checker = next((c for c in (*others, *core_checkers()) if lineage(c).independent(lineage(first))), None)
    if checker is None:
        raise BadUsage(f"{args.case}: no installed solver can check the cores of {first.name}")
    fuzzer = ScriptFuzzer((first, checker), lambda contender: Asker(contender, settings))
    fuzzer.contenders, fuzzer.checker = (first,), fuzzer.askers[checker.name].ask
    return fuzzer, ScriptCase.of(script)


def failing(args: argparse.Namespace, instance: "Instance[Any] | None") -> "tuple[Finding | None, dict[str, str]]":
    """Return the finding of a file or of an instance, None if that does not fail, and the commands of programs."""
    from harness.fuzzing.findings.finding import read
    from harness.fuzzing.findings.naming import recorded
    from harness.fuzzing.reducing.instances import finding_of_instance
    from harness.model.consent import finding_programs
    from harness.model.errors import BadUsage
    from harness.model.reading import parse_assignments

    given = parse_assignments(args.program)
    if instance is None:
        found = read(Path(args.case))
        return found, finding_programs(args.case, found.case.contender, recorded(found), given, args.yes)
    if args.slower is not None and (len(args.backend) != 2 or not args.slower > 1):
        raise BadUsage("--slower takes a ratio above 1 and two contenders: -b SLOW -b FAST")
    return finding_of_instance(instance, args.backend, asked_settings(args), args.slower), given


def show_progress(trials: int, case: "Case", start: float, seconds: float) -> None:
    """Update the progress line, on a terminal."""
    if sys.stderr.isatty():
        from harness.fuzzing.reducing.shrinking import size
        from puzzles.errors import plural

        asks, squares = len(case.asks), len(case.problem.variables)
        counts = {"instance": asks, "variable": squares, "given": case.givens, "part": size(case)}
        sizes = ", ".join(plural(n, word) for word, n in counts.items())
        text = f"{trials} tried in {time.monotonic() - start:.0f} of {seconds:g} s: {sizes}"
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)
