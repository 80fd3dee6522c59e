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
    from harness.commands.given import reader_options
    from harness.fuzzing.findings.finding import text, write
    from harness.fuzzing.reducing.shrinking import key, shrink
    from harness.fuzzing.reducing.state import resumed
    from harness.model.errors import BadUsage
    from harness.model.host import cores
    from harness.model.reading import read_puzzle
    from harness.reporting.writing.printable import printable
    from puzzles.objectives.queries import QueryScript

    if args.count:
        return shrink_count(args)
    path, start = Path(args.case), time.monotonic()
    instance = read_puzzle(args.case, reader_options(args)) if args.backend else None
    if instance is not None and isinstance(script := instance.problem.objective, QueryScript):
        return shrink_script(args, script)
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
        print(printable(f"{path}: does not fail here{found.in_asks}{found.failed_on}"))
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


def shrink_count(args: argparse.Namespace) -> int:
    """Write the smallest formula on which the first contender that fails counts wrongly."""
    from dataclasses import replace

    from harness.commands.given import reader_options
    from harness.fuzzing.counters import CounterFuzzer, formula_of
    from harness.fuzzing.files import written
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.model.reading import parse_assignments, read_puzzle
    from harness.model.settings import RunSettings
    from harness.reporting.writing.printable import printable
    from harness.runs.single import Asker

    path, programs = Path(args.case), parse_assignments(args.program)
    settings = RunSettings(args.timeout, memory=args.memory << 20, programs=programs, count_models=True)
    formula = formula_of(read_puzzle(args.case, replace(reader_options(args), count_models=True)))
    if formula is None or not args.backend:
        raise BadUsage("shrink --count all takes a file of clauses, and -b COUNTER")
    contenders, _ = resolve(args.backend, programs=programs)
    fuzzer = CounterFuzzer(contenders, lambda contender: Asker(contender, settings), programs=programs)
    try:
        for contender in contenders:
            if why := fuzzer.failure(contender, formula):
                least, why = fuzzer.shrunk(contender, formula, why, args.seconds)
                target = Path(args.output) if args.output else path.with_suffix(".min.cnf")
                written(target, f"{contender.name}: {why}", least)
                print(printable(f"{contender.name}: {why}\nkept as {target}"))
                return 1
    finally:
        fuzzer.close()
    print(printable(f"{path}: does not fail here"))
    return 0


def shrink_script(args: argparse.Namespace, script: "QueryScript") -> int:
    """Shrink a query script on which the first contender fails; the second one is asked about its cores.

    Raises BadUsage.
    """
    from harness.fuzzing.files import written
    from harness.fuzzing.queries import CLAUSE, ScriptCase, failure_on, shrunk_script
    from harness.model.contender import resolve
    from harness.model.errors import BadUsage
    from harness.model.lineage import lineage
    from harness.model.settings import RunSettings
    from harness.reporting.writing.printable import printable
    from harness.runs.cores import core_checkers
    from harness.runs.single import Asker
    from puzzles.errors import plural

    contender, *others = resolve(args.backend)[0]
    checker = next((c for c in (*others, *core_checkers()) if lineage(c).independent(lineage(contender))), None)
    if args.slower is not None or checker is None:
        raise BadUsage(f"{args.case}: a query script is shrunk by wrong answers: leave out --slower")
    if script.model is not None:
        raise BadUsage(f"{args.case}: a query script over a model is not shrunk")
    settings = RunSettings(args.timeout, memory=args.memory << 20)
    with Asker(contender, settings) as asked, Asker(checker, settings) as other:

        def failure(case: ScriptCase) -> str:
            return failure_on(asked, case, other.ask)

        case = ScriptCase.of(script)
        if not (why := failure(case)):
            print(printable(f"{args.case}: {contender.name} does not fail here"))
            return 0
        least, why = shrunk_script(case, why, failure, args.seconds)
    target = Path(args.output) if args.output else Path(args.case).with_suffix(f".min.{least.ending}")
    written(target, f"{contender.name}: {why}", least)
    clauses = sum(kind == CLAUSE for kind, _ in least.rows)
    print(printable(f"{contender.name}: {why}"))
    print(printable(f"{plural(len(least.script), 'ask')}, {plural(clauses, 'clause')}: kept as {target}"))
    return 1


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
