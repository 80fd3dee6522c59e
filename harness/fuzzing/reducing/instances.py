"""Finding of an instance: contenders are asked it, and the case is that of the first, or of the first that is wrong.

part   of the source of an instance, such as a constraint of a model, that may be left out before it is read
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain, groupby
from time import monotonic
from typing import Any

from harness.fuzzing.findings.finding import Case, Faster, Finding
from harness.fuzzing.findings.naming import program_entry
from harness.fuzzing.reducing.delta_debugging import minimise
from harness.fuzzing.reducing.state import ShrinkingState
from harness.fuzzing.round_judge import Failure, best_first
from harness.fuzzing.sessions import Sessions, batch
from harness.fuzzing.signature import OPEN
from harness.fuzzing.trial import expectation, judged, settings
from harness.model.contender import resolve
from harness.model.host import host, versions
from harness.model.outcome import SourceDigest
from harness.model.settings import RunSettings
from harness.running.sources import original_of
from puzzles.errors import BadInput
from puzzles.problem import Instance
from puzzles.problem.check import violations
from puzzles.problem.values import Solution


def finding_of_instance(
    instance: Instance[Any], names: Sequence[str], limits: RunSettings, ratio: float | None = None
) -> Finding | None:
    """Return the finding of a contender that fails on an instance: one that is wrong, else the first; None if neither.

    The right solutions of all contenders, and that of the source, are evidence against each. With a ratio the first
    contender fails if it takes so many times the CPU time of the second one.
    """
    contenders, _ = resolve(names, programs=limits.programs)
    with Sessions(contenders, limits) as sessions:
        return finding_in(sessions, instance, limits, ratio)


def finding_in(sessions: Sessions, instance: Instance[Any], limits: RunSettings, ratio: float | None) -> Finding | None:
    """Return the finding of a contender of these sessions, as `finding_of_instance` does."""
    sessions.renew()
    contenders = sessions.contenders
    case = Case("", instance.problem, (instance.domains,), 1, limits.limit, limits.memory)
    originals = [original_of(instance, c.backend) for c in contenders]
    asked = [replace(batch(at, case.problem, case.asks), source=file) for at, file in enumerate(originals)]
    answered = sessions.solve(asked, settings(case, limits.programs))
    shown: list[Solution] = [tuple(row) for o in answered for row in o.solutions.tolist()]
    stated = [] if instance.solution is None else [instance.solution]
    known = [s for s in (*shown, *stated) if not violations(instance.problem, instance.domains, s)]
    faster = None if ratio is None else Faster(contenders[1].name, ratio)
    case = replace(case, witnesses=tuple(best_first(instance.problem, known)[:2]), faster=faster)
    found: list[Finding] = []
    for at, contender in enumerate(contenders[: 1 if faster else None]):
        own = replace(case, contender=contender.name)
        first, second = ([o for o in answered if o.batch.contender == by] for by in (at, 1))
        seen = judged(own, first, second).failures
        for _, failure in seen:
            wanted = at == 0 or failure.signature not in OPEN  # of others, no fault beside the first
            if wanted and (faster is None or failure.signature == faster.signature):
                found.append(finding_of(own, failure, instance.name, limits, originals[at]))
    return min(found, key=lambda finding: finding.signature in OPEN, default=None)


def finding_of(case: Case, failure: Failure, name: str, limits: RunSettings, original: SourceDigest | None) -> Finding:
    """Return the finding of a case that failed, with the path of the original file if the contender got it."""
    names = [case.contender, *([case.faster.contender] if case.faster else [])]
    programs = [program for own in names for program in program_entry(own, limits.programs).get("program", ())]
    provenance = {"puzzle": name, "versions": versions(), "host": host(), **({"program": programs} if programs else {})}
    provenance |= {"original": original.path} if original else {}
    return Finding(case, failure.signature, expectation(case, failure.signature), failure.seen, provenance=provenance)


def keep_parts(
    kept: ShrinkingState, words: Sequence[str], find: Callable[[frozenset[int]], Finding | None], seconds: float
) -> None:
    """Keep the case of as few parts of a source as fail alike, in about `seconds`: by lines, then one by one.

    `words` of a part begin with its line. `find` asks all contenders, since what is compiled has other variables.
    """
    until, whole = monotonic() + seconds, kept.finding

    def first(some: Iterable[list[list[int]]]) -> tuple[int, list[list[int]]] | None:
        for at, groups in enumerate(some):
            parts = sorted(chain.from_iterable(groups))
            if monotonic() > until:
                return None
            try:
                found = find(frozenset(parts))
            except BadInput:
                continue
            if found and (found.signature, found.case.contender) == (whole.signature, whole.case.contender):
                kept.begin(found.case, [words[m] for m in parts])
                return at, groups
        return None

    lines = minimise([list(own) for _, own in groupby(range(len(words)), lambda m: words[m].split(":")[0])], first)
    if any(own[1:] for own in lines):
        minimise([[m] for m in chain.from_iterable(lines)], first)
