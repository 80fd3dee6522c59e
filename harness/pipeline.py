"""From a journal that holds puzzles to one that holds judged outcomes: plan, solve, judge, store.

Every verb that solves goes through here, so limits, judging and storing are the same for all.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from backends.answer import BoolArray, Int64Array
from encoders.formula import Formula
from encoders.registry import combined
from harness import judge, reference
from harness.advice import Advice
from harness.contender import Contender
from harness.host import cores
from harness.journal import Journal
from harness.outcome import Judged, Outcomes
from harness.plan import KEPT, block_size, plan
from harness.scramble import scrambled, unscrambled
from harness.slot import Limits, Notice, Opened, no_notice
from harness.supervisor import supervise
from puzzles.layout import Domains, Layout


class Court:
    """The judge's memory over one run: the evidence so far, and what the corpora claim."""

    def __init__(self, journal: Journal, count: int) -> None:
        self.count = count
        self.contenders = journal.contenders()
        self.evidence = judge.Evidence.none(journal.size())
        self.known = journal.known()
        self.formulas: dict[tuple[int, int], Formula] = {}
        bases = [c.backend.partition(":")[0] for c in self.contenders]
        self.kinds = [list(dict.fromkeys(bases)).index(base) for base in bases]

    def hear(self, outcomes: Outcomes) -> Judged:
        """Check solutions and proofs, take them in as evidence, and judge the outcomes as things stand."""
        batch, rows = outcomes.batch, outcomes.rows
        valid = judge.check(batch.layout, batch.domains, rows["found"], outcomes.solutions)
        proof = outcomes.proved
        if proof is None:
            proof = judge.check_proofs(outcomes, valid, partial(self.formula, batch.contender, batch.layout))
        self.evidence.add(outcomes, valid, self.kinds[batch.contender])
        self.evidence.certify(outcomes, proof)
        verdict = judge.verdicts(batch.puzzles, rows, valid, self.count, self.known, self.evidence)
        return Judged(outcomes, valid, proof, verdict)

    def formula(self, contender: int, layout: Layout, domains: Domains) -> Formula:
        """What a contender's solver is given for a puzzle, before the givens: made again, for the judge's own use."""
        c = self.contenders[contender]
        chosen = combined(c.encoding, c.at_most_one)
        if chosen.encoding.per_puzzle:
            return chosen.formula(layout, domains)
        key = (contender, id(layout))
        if key not in self.formulas:
            self.formulas[key] = chosen.formula(layout)
        return self.formulas[key]

    def settle(self, journal: Journal) -> None:
        """Bring every stored verdict up to what is proved by now."""
        columns = ("puzzle", "status", "reason", "complete", "found", "valid", "verdict")
        for contender in range(len(self.contenders)):
            for repeat in range(journal.repeats()):
                c = journal.columns(contender, *columns, repeat=repeat)
                valid = c["valid"].astype(np.int32)
                verdict = judge.verdicts(c["puzzle"], c, valid, self.count, self.known, self.evidence)
                changed = verdict != c["verdict"]
                journal.revise(contender, repeat, c["puzzle"][changed], valid[changed], verdict[changed])


@dataclass(frozen=True)
class Settings:
    """How a run is made, beside its limits: `scramble` each repeat, `jobs` batches at a time, pinned to cores."""

    repeats: int = 1
    seed: int = 1
    scramble: bool = False
    jobs: int = 1
    pin: bool = True


def missing(journal: Journal, contenders: int, repeats: int) -> Callable[[int, int, Int64Array], BoolArray]:
    """Which puzzles of a block have no outcome yet, by contender and repeat: what a resumed run has left to do."""
    done = {(c, r): journal.done(c, r) for c in range(contenders) for r in range(repeats)}

    def left(contender: int, repeat: int, puzzles: Int64Array) -> BoolArray:
        return np.isin(puzzles, done[contender, repeat], assume_unique=True, invert=True)

    return left


def places(settings: Settings) -> Sequence[int | None]:
    """A core for each job, the last first, since systems keep their own work on the first; None where not pinned."""
    free = cores() if settings.pin else []
    return [free[-1 - job] if job < len(free) else None for job in range(settings.jobs)]


def solve(
    journal: Journal,
    contenders: Sequence[Contender],
    court: Court,
    limits: Limits,
    settings: Settings,
    notice: Notice = no_notice,
) -> Iterator[Outcomes]:
    """Run what the journal has no outcome of, judge and store it, and give it on as it comes.

    When this ends, by itself or from outside, everything that it gave is committed.
    """
    total, many = journal.size(), len(contenders)
    sizes = {i: block_size(total, len(layout.squares), limits.count, many) for i, layout in journal.layouts.items()}
    if many > KEPT:
        notice(Advice.MANY.say(contenders=many, kept=KEPT))
    left = None
    if journal.repeats():
        left = missing(journal, len(contenders), settings.repeats)
        rehear(journal, court)
    batches = plan(lambda: journal.blocks(sizes), len(contenders), settings.repeats, settings.seed, left)
    if settings.scramble:
        batches = (scrambled(batch, settings.seed) for batch in batches)
    samples = reference.measure()
    batches = reference.between(batches, samples)
    opened = [Opened() for _ in contenders]
    try:
        for outcomes in supervise(batches, contenders, limits, opened, places(settings), notice):
            if settings.scramble:
                outcomes = unscrambled(outcomes, settings.seed)
            journal.add(court.hear(outcomes))
            yield outcomes
    finally:
        journal.commit()
        journal.put(reference=journal.meta().get("reference", []) + samples + reference.measure())
        for number, state in enumerate(opened):
            if state.version:
                journal.set_opened(number, state.version, state.setup)


def rehear(journal: Journal, court: Court) -> None:
    """Take in all outcomes that are stored, storing what the judge now says of their solutions."""
    for outcomes in journal.stored_outcomes():
        judged, batch = court.hear(outcomes), outcomes.batch
        journal.revise(batch.contender, batch.repeat, batch.puzzles, judged.valid, judged.verdict)
