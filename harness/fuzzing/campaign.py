"""Fuzzing run: ask every contender rounds of boards, confirm failures, report one finding per bucket.

bucket   a contender and a signature
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from backends.contract import catalogue
from backends.contract.answer import Reason
from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.counting import Enumeration
from harness.fuzzing.findings.finding import Case, Finding
from harness.fuzzing.findings.naming import program_entry
from harness.fuzzing.round_judge import Failure, RoundJudge
from harness.fuzzing.rounds.boards import COUNTS, Round, Scope
from harness.fuzzing.rounds.layouts import shape
from harness.fuzzing.rounds.problems import draw_round
from harness.fuzzing.sessions import Sessions, batch
from harness.fuzzing.trial import contenders, expectation, run_case
from harness.model.contender import Contender
from harness.model.host import host, versions
from harness.model.lineage import lineage, voices
from harness.model.outcome import Batch, Outcomes
from harness.model.settings import RunSettings
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, Solution

MAX_PLACEMENTS = 30_000  # placements of the exhaustive search on one board, divided by its number of squares
COSTLY_INTERVAL = 8  # rounds, one of which goes to a contender known to cost workers
PATIENCE = 4  # multiple of the time limit after which a missing answer is a finding


@dataclass
class Tally:
    """Counts of the run so far."""

    rounds: int = 0
    cases: int = 0  # boards drawn
    asked: Counter[str] = field(default_factory=Counter)  # boards that a contender was asked
    counted: int = 0  # boards whose solutions exhaustive search counted
    slow: Counter[str] = field(default_factory=Counter)  # answers that needed more than the time limit
    refused: Counter[str] = field(default_factory=Counter)  # layouts that a contender does not support
    unconfirmed: Counter[str] = field(default_factory=Counter)  # failures that did not recur


@dataclass
class Campaign:
    """State of a run: its contenders, the buckets found, and the layouts that contenders refused as unsupported."""

    contenders: Sequence[Contender]
    settings: RunSettings
    seed: int
    jobs: int = 1
    layout: Layout | None = None  # layout of all boards; None: random layouts and other problems
    problems: str | None = None  # the kind of all problems, if none are boards
    tally: Tally = field(default_factory=Tally)
    found: set[tuple[str, str]] = field(default_factory=set)  # buckets

    def __post_init__(self) -> None:
        can = [catalogue.describe(c.backend, self.settings.programs).can for c in self.contenders]
        self.takes_marks = ["domains" in c for c in can]
        self.takes_count = ["count" in c for c in can]
        mostly_one = (1,) * len(COUNTS) + COUNTS  # some contenders can only be asked for one solution
        counts = COUNTS if all(self.takes_count) else mostly_one if any(self.takes_count) else (1,)
        self.scope = Scope(self.layout, counts, any(self.takes_marks), self.problems)
        self.voices = voices([lineage(c) for c in self.contenders])
        self.unsupported: set[tuple[int, str]] = set()
        self.costly: set[int] = set()
        self.witnesses: dict[int, list[Solution]] = {}  # per board of the round, solutions mapped from its group

    def run(self, seconds: float | None, cases: int | None, progress: Callable[[], None]) -> Iterator[Finding]:
        """Yield findings as they are confirmed, until `seconds` have passed or `cases` boards are done."""
        end = time.monotonic() + seconds if seconds else float("inf")
        with Sessions(self.contenders, self.settings, self.jobs) as sessions, ThreadPoolExecutor(1) as ahead:
            upcoming = ahead.submit(draw_round, self.seed, 0, self.scope)
            while time.monotonic() < end and (cases is None or self.tally.cases < cases):
                drawn = upcoming.result()
                self.tally.rounds += 1
                upcoming = ahead.submit(draw_round, self.seed, self.tally.rounds, self.scope)
                for failure in self.failures(sessions, drawn):
                    if time.monotonic() < end or not self.found:
                        yield from self.confirm(failure, drawn)
                progress()

    def failures(self, sessions: Sessions, drawn: Round) -> list[Failure]:
        """Ask all contenders a round; return the failures in new buckets."""
        boards = sum(len(sheet.boards) for sheet in drawn.sheets)
        judge = RoundJudge(boards, drawn.count, self.voices.independent)
        settings = replace(self.settings, count=drawn.count)
        outcomes = sessions.solve(self.batches(drawn), settings)
        for o in outcomes:
            self.tally.asked[self.contenders[o.batch.contender].name] += len(o.rows)
            self.note_refusal(o)
            judge.judge_batch(o, self.voices.of[o.batch.contender])
        self.tally.cases += judge.boards
        self.collect_evidence(judge, drawn)
        unseen: dict[tuple[str, str], Failure] = {}
        for failure in judge.failures():
            unseen.setdefault((self.contenders[failure.contender].name, failure.signature), failure)
        return [f for bucket, f in unseen.items() if bucket not in self.found]

    def batches(self, drawn: Round) -> Iterator[Batch]:
        """Yield the batches of the round for each contender, without unsupported layouts."""
        for c in range(len(self.contenders)):
            skipped = c in self.costly and self.tally.rounds % COSTLY_INTERVAL
            if skipped or (drawn.count > 1 and not self.takes_count[c]):
                continue
            first = 1
            for sheet in drawn.sheets:
                boards = [board.domains for board in sheet.boards]
                ids = np.arange(first, first + len(boards))
                first += len(boards)
                if not self.takes_marks[c]:
                    plain = [i for i, b in enumerate(boards) if givens_only(sheet.problem, b)]
                    boards, ids = [boards[i] for i in plain], ids[plain]
                if boards and (c, shape(sheet.problem)) not in self.unsupported:
                    yield replace(batch(c, sheet.problem, boards), puzzles=ids)

    def note_refusal(self, outcomes: Outcomes) -> None:
        """Record a contender that refused a layout as unsupported: layouts of equal shape are skipped for it."""
        if (outcomes.rows["reason"] == Reason.UNSUPPORTED).all():
            contender = outcomes.batch.contender
            self.unsupported.add((contender, shape(outcomes.batch.problem)))
            self.tally.refused[self.contenders[contender].name] += 1

    def collect_evidence(self, judge: RoundJudge, drawn: Round) -> None:
        """Give the judge the counts of exhaustive search and the solutions shown within each group."""
        self.witnesses.clear()
        pool: dict[int, set[Solution]] = {}
        checked = judge.checked_solutions()
        for number, (problem, board) in enumerate(drawn.boards(), 1):
            counted = self.count_solutions(problem, board.domains, drawn.count)
            judge.add_count(number, counted)
            self.tally.counted += counted.complete
            for solution in {*checked.get(number, ()), *counted.solutions}:
                pool.setdefault(board.group, set()).add(board.frame.to_base(solution))
        first = 1
        for sheet in drawn.sheets:
            numbers = range(first, first + len(sheet.boards))
            first += len(sheet.boards)
            boards = {n: b.domains for n, b in zip(numbers, sheet.boards, strict=True)}
            images = {
                n: [b.frame.solution(s) for s in sorted(pool.get(b.group, ()))]
                for n, b in zip(numbers, sheet.boards, strict=True)
            }
            judge.add_witnesses(sheet.problem, boards, images)
            self.witnesses |= images

    def reproductions(self, failure: Failure, drawn: Round) -> Iterator[Case]:
        """Yield cases that may reproduce the failure, shortest first."""
        first = 1
        for sheet in drawn.sheets:
            if failure.number < first + len(sheet.boards):
                break
            first += len(sheet.boards)
        marks = self.takes_marks[failure.contender]
        numbers = [
            n for n, b in enumerate(sheet.boards, first) if marks or givens_only(sheet.problem, b.domains)
        ]  # in the order asked
        boards = [sheet.boards[n - first].domains for n in numbers]
        at = numbers.index(failure.number)
        witnesses = [s for s in self.witnesses[failure.number] if not violations(sheet.problem, boards[at], s)]
        settings = self.settings
        name = self.contenders[failure.contender].name
        case = Case(
            name, sheet.problem, (), drawn.count, settings.limit, settings.memory, tuple(witnesses[: drawn.count + 1])
        )
        return ask_sequences(sheet.problem, boards, at, case)

    def count_solutions(self, problem: Problem, domains: Domains, most: int) -> Enumeration:
        """Search a board exhaustively, within a limit on placements."""
        return solutions_of(problem, domains, most + 1, MAX_PLACEMENTS // len(problem.variables))

    def confirm(self, failure: Failure, drawn: Round) -> Iterator[Finding]:
        """Yield the failure as a finding if it recurs when a new process is asked its case."""
        contender = self.contenders[failure.contender]
        bucket = contender.name, failure.signature
        for case in self.reproductions(failure, drawn):
            with Sessions(contenders(case, self.settings.programs), self.settings) as sessions:
                seen = run_case(sessions, case).of(failure.signature)
                if seen is None:
                    continue
                if failure.signature == "timeout":
                    longer = replace(case, seconds=PATIENCE * case.seconds)
                    if run_case(sessions, longer).of("timeout") is None:
                        self.tally.slow[contender.name] += 1
                        return
            case = replace(case, asks=case.asks[: seen[0] + 1])
            witnesses = [w for w in case.witnesses if not violations(case.problem, case.asks[-1], w)]
            case = replace(case, witnesses=tuple(witnesses))
            self.found.add(bucket)
            if failure.signature.startswith(("timeout", "crash", "memory")):
                self.costly.add(failure.contender)
            provenance: dict[str, Any] = {
                "seed": self.seed,
                "round": self.tally.rounds - 1,
                "versions": versions(),
                "host": host(),
            }
            provenance |= {"contender version": contender.version} | program_entry(
                contender.name, self.settings.programs
            )
            yield Finding(case, failure.signature, expectation(case), seen[1].seen, provenance=provenance)
            return
        self.tally.unconfirmed[f"{contender.name}: {failure.signature}"] += 1


def ask_sequences(problem: Problem, boards: Sequence[Domains], at: int, case: Case) -> Iterator[Case]:
    """Yield a failing board alone, then after the asks before it, then with all asks of its session."""
    yield replace(case, problem=problem, asks=(boards[at],))
    if at:
        yield replace(case, problem=problem, asks=tuple(boards[: at + 1]))
    if at + 1 < len(boards):
        yield replace(case, problem=problem, asks=tuple(boards))


def givens_only(problem: Problem, domains: Domains) -> bool:
    """Return True if each variable is given or open."""
    return all(mask == problem.full or mask.bit_count() == 1 for mask in domains)
