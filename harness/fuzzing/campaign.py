"""A fuzzing run: rounds of boards go to every contender, failures are confirmed, and each bucket is kept once.

bucket   a contender and a signature: one finding each
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from backends import registry
from backends.answer import Reason
from encoders.formula import Text
from encoders.registry import ENCODINGS
from harness.fuzzing.boards import COUNTS, Round, Scope, fresh_round
from harness.fuzzing.counting import Counted, count
from harness.fuzzing.finding import Case, Finding
from harness.fuzzing.layouts import shape
from harness.fuzzing.naming import programs_of
from harness.fuzzing.round_judge import Failure, RoundJudge
from harness.fuzzing.sessions import Sessions, batch
from harness.fuzzing.trial import contenders as contender_of
from harness.fuzzing.trial import expectation, run_case
from harness.model.contender import Contender
from harness.model.host import host, versions
from harness.model.lineage import lineage, voices
from harness.model.outcome import Batch, Outcomes
from harness.model.settings import RunSettings
from puzzles.check import violations
from puzzles.layout import Domains, Layout, Solution

PLACEMENTS = 30_000  # that trying everything may take on one board, shared out among its squares
SELDOM = 8  # rounds, of which one goes to a contender of which it is known that it costs workers
PATIENCE = 4  # times the limit, after which an answer that has not come is a finding


@dataclass
class Tally:
    """What was done so far."""

    rounds: int = 0
    cases: int = 0
    answers: int = 0
    tried: int = 0  # boards of which trying everything told the count
    slow: Counter[str] = field(default_factory=Counter)  # answers that came only with more time
    refused: Counter[str] = field(default_factory=Counter)  # layouts that a contender does not take
    fleeting: Counter[str] = field(default_factory=Counter)  # failures that did not come again


@dataclass
class Campaign:
    """What a run keeps in mind: workers, buckets that are full, and layouts that are refused."""

    contenders: Sequence[Contender]
    settings: RunSettings
    seed: int
    jobs: int = 1
    only: Layout | None = None  # the layout of all boards, where it is not random
    programs: Mapping[str, str] = field(default_factory=dict)  # commands by name, to be named again
    tally: Tally = field(default_factory=Tally)
    full: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        can = [registry.find(c.backend).can for c in self.contenders]
        self.marks = ["domains" in c for c in can]
        self.several = ["count" in c for c in can]
        often = (1,) * len(COUNTS) + COUNTS  # somebody takes part in these rounds alone
        counts = COUNTS if all(self.several) else often if any(self.several) else (1,)
        self.scope = Scope(self.only, counts, any(self.marks))
        self.untold = [ENCODINGS[c.encoding].formula is Text for c in self.contenders]
        self.voices = voices([lineage(c) for c in self.contenders])
        self.unfit: set[tuple[int, str]] = set()
        self.losing: set[int] = set()
        self.images: dict[int, list[Solution]] = {}  # of each board of the round, solutions of its group

    def run(self, seconds: float | None, cases: int | None, progress: Callable[[], None]) -> Iterator[Finding]:
        """Findings as they come, until time is over or enough cases are done."""
        end = time.monotonic() + seconds if seconds else float("inf")
        with Sessions(self.contenders, self.settings, self.jobs) as lab, ThreadPoolExecutor(1) as ahead:
            coming = ahead.submit(fresh_round, self.seed, 0, self.scope)
            while time.monotonic() < end and (cases is None or self.tally.cases < cases):
                now = coming.result()
                self.tally.rounds += 1
                coming = ahead.submit(fresh_round, self.seed, self.tally.rounds, self.scope)
                for failure in self.failures(lab, now):
                    if time.monotonic() < end or not self.full:
                        yield from self.kept(failure, now)
                progress()

    def failures(self, lab: Sessions, now: Round) -> list[Failure]:
        """Ask a round of everybody; what fails, in buckets that are not full."""
        boards = sum(len(sheet.boards) for sheet in now.sheets)
        hearing = RoundJudge(boards, now.count, self.voices.independent)
        settings = replace(self.settings, count=now.count)
        outcomes = lab.solve(self.batches(now), settings)
        for some in outcomes:
            self.note_refusal(some)
            hearing.judge_batch(some, self.voices.of[some.batch.contender])
        self.tally.cases += hearing.boards
        self.tally.answers += sum(len(o.rows) for o in outcomes)
        self.gather(hearing, now)
        unseen: dict[tuple[str, str], Failure] = {}
        for failure in hearing.failures():
            unseen.setdefault((self.contenders[failure.contender].name, failure.signature), failure)
        return [f for bucket, f in unseen.items() if bucket not in self.full]

    def batches(self, now: Round) -> Iterator[Batch]:
        """The round for each contender, without what it can't take."""
        for c in range(len(self.contenders)):
            if (now.count > 1 and not self.several[c]) or (c in self.losing and self.tally.rounds % SELDOM):
                continue
            first = 1
            for sheet in now.sheets:
                boards = [board.domains for board in sheet.boards]
                ids = np.arange(first, first + len(boards))
                first += len(boards)
                if not self.marks[c]:
                    plain = [i for i, b in enumerate(boards) if givens_only(sheet.problem, b)]
                    boards, ids = [boards[i] for i in plain], ids[plain]
                if self.untold[c] and sheet.problem != self.only:
                    continue  # it knows one layout, and can't be told of another
                if boards and (c, shape(sheet.problem)) not in self.unfit:
                    yield replace(batch(c, sheet.problem, boards), puzzles=ids)

    def note_refusal(self, outcomes: Outcomes) -> None:
        """A contender that does not take a layout is not offered its like again."""
        if (outcomes.rows["reason"] == Reason.UNSUPPORTED).all():
            contender = outcomes.batch.contender
            self.unfit.add((contender, shape(outcomes.batch.problem)))
            self.tally.refused[self.contenders[contender].name] += 1

    def gather(self, hearing: RoundJudge, now: Round) -> None:
        """Everything that is known of the boards: by trying everything, and by what was shown of their groups."""
        self.images.clear()
        pool: dict[int, set[Solution]] = {}
        shown = hearing.shown()
        for number, (layout, board) in enumerate(now.boards(), 1):
            counted = self.tried(layout, board.domains, now.count)
            hearing.believe(number, counted)
            self.tally.tried += counted.ended
            for solution in {*shown.get(number, ()), *counted.solutions}:
                pool.setdefault(board.group, set()).add(board.frame.back(solution))
        first = 1
        for sheet in now.sheets:
            numbers = range(first, first + len(sheet.boards))
            first += len(sheet.boards)
            boards = {n: b.domains for n, b in zip(numbers, sheet.boards, strict=True)}
            images = {
                n: [b.frame.solution(s) for s in sorted(pool.get(b.group, ()))]
                for n, b in zip(numbers, sheet.boards, strict=True)
            }
            hearing.witness(sheet.problem, boards, images)
            self.images |= images

    def suspects(self, failure: Failure, now: Round) -> Iterator[Case]:
        """Cases that may show the failure again, the shortest first."""
        first = 1
        for sheet in now.sheets:
            if failure.number < first + len(sheet.boards):
                break
            first += len(sheet.boards)
        marks = self.marks[failure.contender]
        numbers = [
            n for n, b in enumerate(sheet.boards, first) if marks or givens_only(sheet.problem, b.domains)
        ]  # in the order in which they were asked
        boards = [sheet.boards[n - first].domains for n in numbers]
        at = numbers.index(failure.number)
        right = [s for s in self.images[failure.number] if not violations(sheet.problem, boards[at], s)]
        settings = self.settings
        name = self.contenders[failure.contender].name
        case = Case(name, sheet.problem, (), now.count, settings.limit, settings.memory, tuple(right[: now.count + 1]))
        return cases_of(sheet.problem, boards, at, case)

    def tried(self, layout: Layout, domains: Domains, most: int) -> Counted:
        """What trying everything finds within bounds."""
        return count(layout, domains, most + 1, PLACEMENTS // len(layout.squares))

    def kept(self, failure: Failure, now: Round) -> Iterator[Finding]:
        """The failure as a finding, if it comes again when its case is asked alone."""
        contender = self.contenders[failure.contender]
        bucket = contender.name, failure.signature
        for case in self.suspects(failure, now):
            with Sessions(contender_of(case), self.settings) as lab:
                seen = run_case(lab, case).of(failure.signature)
                if seen is None:
                    continue
                if failure.signature == "timeout":
                    longer = replace(case, seconds=PATIENCE * case.seconds)
                    if run_case(lab, longer).of("timeout") is None:
                        self.tally.slow[contender.name] += 1
                        return
            case = replace(case, asks=case.asks[: seen[0] + 1])
            witnesses = [w for w in case.witnesses if not violations(case.problem, case.asks[-1], w)]
            case = replace(case, witnesses=tuple(witnesses))
            self.full.add(bucket)
            if failure.signature.startswith(("timeout", "crash", "memory")):
                self.losing.add(failure.contender)
            story: dict[str, Any] = {
                "seed": self.seed,
                "round": self.tally.rounds - 1,
                "versions": versions(),
                "host": host(),
            }
            story |= {"contender version": contender.version} | programs_of(contender.name, self.programs)
            yield Finding(case, failure.signature, expectation(case), seen[1].seen, story=story)
            return
        self.tally.fleeting[f"{contender.name}: {failure.signature}"] += 1


def cases_of(layout: Layout, boards: Sequence[Domains], at: int, case: Case) -> Iterator[Case]:
    """A failing board alone; then after all that its session was asked before it; then with what came after it."""
    yield replace(case, problem=layout, asks=(boards[at],))
    if at:
        yield replace(case, problem=layout, asks=tuple(boards[: at + 1]))
    if at + 1 < len(boards):
        yield replace(case, problem=layout, asks=tuple(boards))


def givens_only(layout: Layout, domains: Domains) -> bool:
    """Whether each square is given or open."""
    return all(mask == layout.full or mask.bit_count() == 1 for mask in domains)
