"""Cores of answers to query scripts, asked of a solver of another lineage after a run: stored, and charged to nobody.

With `--certify`, a core of each unsatisfiable ask is refuted by a proof, which is checked: nothing is left to trust.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from backends.contract.answer import Reason
from harness.judging.cores import CHECKERS, StatedCore, asks_of, checked_cores, stated_cores
from harness.judging.proof_job import certifiers
from harness.judging.queries import given_answers, scripts_of
from harness.model.certification import Certification, as_detail
from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.lineage import lineage
from harness.model.outcome import CERTIFIED, NO_PROOF
from harness.running.workers.run_context import Notify
from harness.runs.runner import Run
from harness.runs.single import Asker
from puzzles.constraints.clauses import Clauses
from puzzles.errors import plural
from puzzles.objectives.queries import QueryScript
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.values import Numbered

NO_MODELS: Solutions = np.empty((0, 0), np.uint16)


def check_cores(run: Run, notify: Notify) -> None:
    """Check the cores of all answers to query scripts, and store what is too small or proved."""
    settings = replace(run.settings, proof=False, scramble=False, warmup=0, repeats=1, jobs=1, certify=[])
    for puzzle, script in scripts_of(run.journal):
        stated, broken, confirmed = cores_of(run, puzzle, script), list[tuple[str, str]](), set[StatedCore]()
        asked = by_checker(run.contenders, stated)
        name = " and ".join(asked)
        for checker, cores in asked.items():
            with Asker(resolve([checker])[0][0], settings, notify) as asker:
                satisfiable, unsatisfiable = checked_cores(script, sorted(cores), asker.ask)
            confirmed |= unsatisfiable
            for core in sorted(satisfiable):
                known = {who for who, _ in broken}
                broken += [(who, core.too_small(checker)) for who in stated[core] if who not in known]
        row = Certification(puzzle, name, None, NO_PROOF, (), as_detail(broken), "", 0, 0, NO_MODELS)
        if run.settings.certify and not broken:
            row = certification(run, puzzle, script, list(stated), notify) or row
        if stated:
            run.journal.proofs.add([row])
            run.referee.certify(run.journal, row)
            part = f"{len(confirmed)} of {plural(len(stated), 'core')}"
            notify(f"{run.journal.instances.name(puzzle)}: {part} found unsatisfiable by {name} too")


def cores_of(run: Run, puzzle: int, script: QueryScript) -> dict[StatedCore, list[str]]:
    """Return the cores that answers to a script state, with the contenders; of wrong answers none."""
    found = defaultdict[StatedCore, list[str]](list)
    for outcomes in run.journal.outcomes.stored(puzzle):
        for solution in outcomes.solutions:
            if script.judged(solution).fault:
                continue
            name = run.contenders[outcomes.batch.contender].name
            for core in stated_cores(script, solution):
                found[core] += [name] * (name not in found[core])
    return dict(found)


def core_checkers() -> list[Contender]:
    """Return the installed solvers that are asked about cores, in their order."""
    found = list[Contender]()
    for name in CHECKERS:
        with suppress(BadUsage):  # not installed
            found += resolve([name])[0]
    return found


def by_checker(contenders: Sequence[Contender], stated: dict[StatedCore, list[str]]) -> dict[str, list[StatedCore]]:
    """Return the cores that each checker is asked: of a lineage that none of their contenders has."""
    own = {c.name: lineage(c) for c in contenders}
    checkers = core_checkers()
    found = defaultdict[str, list[StatedCore]](list)
    for core, names in stated.items():
        free = (c.name for c in checkers if any(lineage(c).independent(own[name]) for name in names))
        if name := next(free, ""):
            found[name].append(core)
    return dict(found)


def certification(
    run: Run, puzzle: int, script: QueryScript, cores: Sequence[StatedCore], notify: Notify
) -> Certification | None:
    """Return the certificate that no further ask is satisfiable, if a prover shows it of a core of each; else None."""
    if script.every > 1 or script.weighted or script.model is not None:
        return None
    satisfied = np.logical_or.reduce([one.shown for one in given_answers(run.journal, run.referee, puzzle, script)])
    least = {core.number: core for core in sorted(cores, key=lambda core: -len(core.literals))}
    open_asks = [i + 1 for i in np.flatnonzero(~satisfied).tolist()]
    if any(number not in least for number in open_asks):
        return None
    settings = replace(run.settings, count=1, proof=True, scramble=False, warmup=0, repeats=1, jobs=1)
    digest = run.journal.instances.get(puzzle).problem.digest
    for name in run.settings.certify:
        (prover,) = resolve([name], 1, settings.pythons, True, settings.programs)[0]
        with Asker(prover, settings, notify) as asker:
            by = list(proofs(script, [least[number] for number in open_asks], asker))
        if all(by):
            said = puzzle, prover.name, -int(np.count_nonzero(satisfied)), CERTIFIED, by[0] if by else (), ""
            return Certification(*said, digest, 0, 0, NO_MODELS)
    return None


def proofs(script: QueryScript, cores: Sequence[StatedCore], asker: Asker) -> Iterator[tuple[str, ...]]:
    """Yield who checked the proof of each core, () if nobody; end after the first without one."""
    clauses = list[list[int]]()
    for core, ask in zip(cores, asks_of(script, cores), strict=True):
        clauses += ask.clauses
        rows = Clauses.of([*clauses, *([p] for p in core.literals)])
        problem = Problem("core", Numbered("x", script.variables), BOOLEAN, (rows,))
        outcomes = asker.ask(Instance("core", problem, problem.open))
        proved = outcomes.proved is not None and outcomes.proved[0] == CERTIFIED
        sound = proved and outcomes.rows[0]["reason"] == Reason.NONE
        yield certifiers(outcomes.details.get(0, ""), tuple(asker.settings.checkers)) if sound else ()
        if not sound:
            return
