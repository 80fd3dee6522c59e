"""Fuzzing run: ask every contender rounds of boards, confirm failures, report one finding for each kind of failure.

kind     of a failure: its contender and signature
source   where a solution was shown: the relation to its group of the board that was asked, or exhaustive search
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from backends.contract.answer import Reason, Status
from harness.fuzzing.abilities import abilities
from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.blame import translation_to_blame
from harness.fuzzing.counting import Enumeration
from harness.fuzzing.findings.finding import Case, Finding
from harness.fuzzing.findings.naming import program_entry
from harness.fuzzing.round_judge import SHOWN, Failure, RoundJudge, best_first
from harness.fuzzing.rounds.boards import COUNTS, FuzzBlock, Round, Scope
from harness.fuzzing.rounds.layouts import shape
from harness.fuzzing.rounds.objectives import follow_up
from harness.fuzzing.rounds.problems import draw_round
from harness.fuzzing.sessions import Sessions, batch
from harness.fuzzing.signature import UNANSWERED
from harness.fuzzing.trial import REPEATS, contenders, expectation, run_case, shown_entry, times_failed
from harness.model.contender import Contender
from harness.model.host import host, versions
from harness.model.lineage import lineage, lineage_groups
from harness.model.outcome import Batch, Outcomes
from harness.model.settings import RunSettings
from puzzles.boards.families import layout
from puzzles.boards.layout import Layout
from puzzles.problem import Problem
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, Solution

MAX_PLACEMENTS = 30_000  # placements of the exhaustive search on one board, divided by its number of squares
COSTLY_INTERVAL = 8  # rounds, one of which goes to a contender known to cost workers
EXHAUSTIVE = "exhaustive search"
BASE = "base"  # of a group
SUDOKU = "sudoku 3x3"
PATIENCE = 4  # multiple of the time limit after which a missing answer is a finding


@dataclass
class CampaignCounts:
    """Counts of the run so far."""

    rounds: int = 0
    cases: int = 0  # boards drawn
    asked: Counter[str] = field(default_factory=Counter)  # boards that a contender was asked
    answered: Counter[str] = field(default_factory=Counter)  # boards that it decided, or showed a solution of
    trouble: Counter[tuple[str, str]] = field(default_factory=Counter)  # contender and first line of a message or note
    counted: int = 0  # boards whose solutions exhaustive search counted
    slow: Counter[str] = field(default_factory=Counter)  # answers that needed more than the time limit
    refused: Counter[str] = field(default_factory=Counter)  # layouts that a contender does not support
    unconfirmed: Counter[str] = field(default_factory=Counter)  # failures that did not recur


@dataclass
class Campaign:
    """State of a run: its contenders, the kinds of failure found, and the layouts refused as unsupported."""

    contenders: Sequence[Contender]
    settings: RunSettings
    seed: int
    jobs: int = 1
    layout: Layout | None = None  # layout of all boards; None: random layouts and other problems
    problems: str | None = None  # the kind of all problems, if none are boards
    counts: CampaignCounts = field(default_factory=CampaignCounts)
    found: set[tuple[str, str]] = field(default_factory=set)  # kinds of failure

    def __post_init__(self) -> None:
        self.abilities = [abilities(c, self.settings.programs) for c in self.contenders]
        decide = [a for a in self.abilities if a.decides]
        takes_count = [a.count for a in decide]
        mostly_one = (1,) * len(COUNTS) + COUNTS  # some contenders can only be asked for one solution
        counts = COUNTS if all(takes_count) else mostly_one if any(takes_count) else (1,)
        some_lines = any(a.lines for a in decide)
        if some_lines and self.layout is None and all(a.lines for a in self.abilities):
            self.layout = layout(SUDOKU)
        self.scope = Scope(
            self.layout,
            counts,
            any(a.marks for a in decide),
            self.problems,
            decided=bool(decide),
            optimised=any(a.optimises for a in self.abilities),
            only=layout(SUDOKU) if some_lines and self.layout is None else None,
        )
        self.lines_layout = (self.layout or layout(SUDOKU)).name  # of boards of contenders that are told none
        self.lineage_groups = lineage_groups([lineage(c) for c in self.contenders])
        self.unsupported: set[tuple[int, str]] = set()
        self.costly: set[int] = set()
        self.witnesses: dict[int, list[Solution]] = {}  # per board of the round, solutions mapped from its group
        self.sources: dict[tuple[int, Solution], str] = {}  # of each solution of a group, mapped to its base

    def run(self, seconds: float | None, cases: int | None, progress: Callable[[], None]) -> Iterator[Finding]:
        """Yield findings as they are confirmed, until `seconds` have passed or `cases` boards are done."""
        end = time.monotonic() + seconds if seconds else float("inf")
        with Sessions(self.contenders, self.settings, self.jobs) as sessions, ThreadPoolExecutor(1) as ahead:
            upcoming = ahead.submit(draw_round, self.seed, 0, self.scope)
            while time.monotonic() < end and (cases is None or self.counts.cases < cases):
                drawn = upcoming.result()
                self.counts.rounds += 1
                upcoming = ahead.submit(draw_round, self.seed, self.counts.rounds, self.scope)
                drawn, failures = self.ask(sessions, drawn)
                for failure in failures:
                    if time.monotonic() < end or not self.found:
                        yield from self.confirm(failure, drawn)
                progress()

    def ask(self, sessions: Sessions, drawn: Round) -> tuple[Round, list[Failure]]:
        """Ask all contenders a round; return the round with the boards made from its solutions, and new failures."""
        settings = replace(self.settings, count=drawn.count)
        outcomes = sessions.solve(self.batches(drawn.blocks), settings)
        if drawn.blocks[0].problem.objective is not None:
            more = follow_up(drawn, shown_solutions(self.judged(drawn, outcomes), drawn))
            outcomes += sessions.solve(self.batches(more, drawn.size + 1), settings)
            drawn = replace(drawn, blocks=(*drawn.blocks, *more))
        for o in outcomes:
            name = self.contenders[o.batch.contender].name
            self.counts.asked[name] += len(o.rows)
            self.counts.answered[name] += int((o.rows["status"] != Status.UNKNOWN).sum())
            refused = o.rows["reason"] == Reason.UNSUPPORTED
            texts = (text for i, text in o.details.items() if not refused[i])
            self.counts.trouble.update((name, text.partition("\n")[0]) for text in texts)
            self.note_refusal(o)
        self.counts.cases += drawn.size
        judge = self.judged(drawn, outcomes)
        self.collect_evidence(judge, drawn)
        unseen: dict[tuple[str, str], Failure] = {}
        for failure in judge.failures():
            unseen.setdefault((self.contenders[failure.contender].name, failure.signature), failure)
        return drawn, [f for kind, f in unseen.items() if kind not in self.found]

    def judged(self, drawn: Round, outcomes: Sequence[Outcomes]) -> RoundJudge:
        """Return a judge of the boards of a round with these outcomes."""
        judge = RoundJudge(drawn.size, drawn.count, self.lineage_groups.independent)
        for o in outcomes:
            judge.judge_batch(o, self.lineage_groups.of[o.batch.contender])
        return judge

    def batches(self, blocks: Sequence[FuzzBlock], first: int = 1) -> Iterator[Batch]:
        """Yield batches of the boards that each contender supports; boards are numbered from `first`."""
        for c in range(len(self.contenders)):
            if c in self.costly and self.counts.rounds % COSTLY_INTERVAL:
                continue
            yield from self.batches_of(c, blocks, first)

    def batches_of(self, contender: int, blocks: Sequence[FuzzBlock], first: int) -> Iterator[Batch]:
        """Yield the batches of one contender, without unsupported layouts."""
        can = self.abilities[contender]
        for block in blocks:
            boards = [board.domains for board in block.boards]
            ids = np.arange(first, first + len(boards))
            first += len(boards)
            if not can.marks:
                plain = [i for i, b in enumerate(boards) if givens_only(block.problem, b)]
                boards, ids = [boards[i] for i in plain], ids[plain]
            known = (contender, shape(block.problem)) in self.unsupported
            if boards and not known and can.takes(block.problem, self.scope):
                yield replace(batch(contender, block.problem, boards), puzzles=ids)

    def note_refusal(self, outcomes: Outcomes) -> None:
        """Record a contender that refused a layout as unsupported; it is not asked layouts of equal shape again."""
        if (outcomes.rows["reason"] == Reason.UNSUPPORTED).all():
            contender = outcomes.batch.contender
            self.unsupported.add((contender, shape(outcomes.batch.problem)))
            self.counts.refused[self.contenders[contender].name] += 1

    def collect_evidence(self, judge: RoundJudge, drawn: Round) -> None:
        """Give the judge the results of exhaustive search and the solutions shown within each group."""
        self.witnesses.clear()
        self.sources.clear()
        pool: dict[int, set[Solution]] = {}
        checked = judge.checked_solutions()
        for number, (problem, board) in enumerate(drawn.boards(), 1):
            counted = self.count_solutions(problem, board.domains, drawn.count)
            judge.add_count(number, problem, counted)
            self.counts.counted += counted.complete
            for solution in {*checked.get(number, ()), *counted.solutions}:
                base = board.frame.to_base(solution)
                pool.setdefault(board.group, set()).add(base)
                is_shown = solution in checked.get(number, ())
                self.sources.setdefault((board.group, base), (board.relation or BASE) if is_shown else EXHAUSTIVE)
        first = 1
        for block in drawn.blocks:
            numbers = range(first, first + len(block.boards))
            first += len(block.boards)
            boards = {n: b.domains for n, b in zip(numbers, block.boards, strict=True)}
            images = {
                n: [b.frame.solution(s) for s in sorted(pool.get(b.group, ()))]
                for n, b in zip(numbers, block.boards, strict=True)
            }
            judge.add_witnesses(block.problem, boards, images)
            self.witnesses |= images

    def reproductions(self, failure: Failure, drawn: Round) -> Iterator[Case]:
        """Yield cases that may reproduce the failure, shortest first."""
        block, first = drawn.block_of(failure.number)
        marks = self.abilities[failure.contender].marks
        numbers = [
            n for n, b in enumerate(block.boards, first) if marks or givens_only(block.problem, b.domains)
        ]  # in the order asked
        boards = [block.boards[n - first].domains for n in numbers]
        at = numbers.index(failure.number)
        witnesses = [s for s in self.witnesses[failure.number] if not violations(block.problem, boards[at], s)]
        witnesses = best_first(block.problem, witnesses)
        settings = self.settings
        name = self.contenders[failure.contender].name
        case = Case(
            name, block.problem, (), drawn.count, settings.limit, settings.memory, tuple(witnesses[: drawn.count + 1])
        )
        return ask_sequences(block.problem, boards, at, case)

    def count_solutions(self, problem: Problem, domains: Domains, most: int) -> Enumeration:
        """Search a board exhaustively, within a limit on placements."""
        return solutions_of(problem, domains, most + 1, MAX_PLACEMENTS // len(problem.variables))

    def confirm(self, failure: Failure, drawn: Round) -> Iterator[Finding]:
        """Yield the failure as a finding if it recurs when a new process is asked its case."""
        contender = self.contenders[failure.contender]
        for case in self.reproductions(failure, drawn):
            with Sessions(contenders(case, self.settings.programs), self.settings) as sessions:
                seen = run_case(sessions, case).of(failure.signature)
                if seen is None:
                    continue
                if failure.signature == "timeout":
                    longer = replace(case, seconds=PATIENCE * case.seconds)
                    if run_case(sessions, longer).of("timeout") is None:
                        self.counts.slow[contender.name] += 1
                        return
                steady = run_case(sessions, case).of(failure.signature) is not None
                shown = shown_entry(sessions, replace(case, asks=case.asks[: seen[0] + 1]), seen[1])
            case = replace(case, asks=case.asks[: seen[0] + 1])
            witnesses = [w for w in case.witnesses if not violations(case.problem, case.asks[-1], w)]
            case = replace(case, witnesses=tuple(witnesses))
            if failure.signature.startswith(("timeout", "crash", "memory")):
                self.costly.add(failure.contender)
            elif not steady:
                yield self.unsteady(failure, drawn)
                return
            yield self.finding(failure, drawn, case, seen[1], shown)
            return
        if failure.signature.startswith(UNANSWERED):
            self.counts.unconfirmed[f"{contender.name}: {failure.signature}"] += 1
        else:
            yield self.unsteady(failure, drawn)

    def unsteady(self, failure: Failure, drawn: Round) -> Finding:
        """Return the finding of an answer that does not always recur, with what was seen and how often."""
        case = replace(next(self.reproductions(failure, drawn)), repeats=REPEATS)
        with Sessions(contenders(case, self.settings.programs), self.settings) as sessions:
            again = times_failed(sessions, case, failure.signature)
        seen = replace(failure, seen=f"{failure.seen} ({again + 1} of {REPEATS + 1} times)")
        return self.finding(failure, drawn, case, seen, {SHOWN: failure.solutions()})

    def finding(self, failure: Failure, drawn: Round, case: Case, seen: Failure, shown: Mapping[str, Any]) -> Finding:
        """Return the finding of a failure with its provenance; `seen` is what the case gave, `shown` its solutions."""
        contender = self.contenders[failure.contender]
        self.found.add((contender.name, failure.signature))
        provenance: dict[str, Any] = {
            "seed": self.seed,
            "round": self.counts.rounds - 1,
            "versions": versions(),
            "host": host(),
        }
        provenance |= self.relations(failure, drawn, case)
        provenance |= {"contender version": contender.version} | program_entry(contender.name, self.settings.programs)
        found = translation_to_blame(case, seen)
        why = "" if found is None else str(found)
        expected = expectation(case, failure.signature)
        return Finding(case, failure.signature, expected, seen.seen, why, {**provenance, **shown})

    def relations(self, failure: Failure, drawn: Round, case: Case) -> dict[str, str]:
        """Return the relation of a failing board to its group, and the source of its best known solution."""
        if case.problem.objective is None:
            return {}
        block, first = drawn.block_of(failure.number)
        board = block.boards[failure.number - first]
        sources = [self.sources.get((board.group, board.frame.to_base(w)), "") for w in case.witnesses[:1]]
        return {"relation": board.relation or BASE, "refuted by": "".join(sources)}


def shown_solutions(judge: RoundJudge, drawn: Round) -> dict[int, list[Solution]]:
    """Return the right solutions that contenders showed of each group, mapped to its base."""
    shown: dict[int, list[Solution]] = {}
    checked = judge.checked_solutions()
    for number, (_, board) in enumerate(drawn.boards(), 1):
        for solution in sorted(checked.get(number, ())):
            shown.setdefault(board.group, []).append(board.frame.to_base(solution))
    return shown


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
