"""Makes a failing case minimal: its sequence of asks, its model, and, where a CNF solver is to blame, the formula.

Every trial asks the contender in a worker, under the engine's settings, and must fail with the signature of the first.
Trials share a process, for speed; the end result is verified in a fresh one, and where it does not fail there, all is
done again with a fresh process a trial.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from encoders.formula import Text
from encoders.registry import ENCODINGS
from harness.fuzzing import reductions as reductions
from harness.fuzzing.blame import blame
from harness.fuzzing.clausal import clauses_of_problem
from harness.fuzzing.delta_debugging import minimise
from harness.fuzzing.finding import Case, Finding, units_of
from harness.fuzzing.ground_formulas import plain_clauses
from harness.fuzzing.sessions import Sessions
from harness.fuzzing.trial import contenders, expectation, run_case, settings
from harness.model.contender import Contender

Thing = TypeVar("Thing")
WIDE = 30  # solutions
HURRY = 0.3  # seconds that a trial has where the failure is a timeout
LONGEST = 300  # clauses of a formula that is worth shrinking


@dataclass
class Shrinker:
    """A lab for one contender and signature, until a time on the monotonic clock."""

    contender: tuple[Contender, ...]
    signature: str
    until: float
    alone: bool = False  # a fresh process for each trial
    progress: Callable[[int, Case], None] = lambda trials, case: None  # told of each case that fails

    def __post_init__(self) -> None:
        self.lab: Sessions | None = None
        self.tried: dict[tuple[object, ...], bool] = {}

    def fails(self, case: Case) -> bool:
        """Whether the case fails with the signature; False once time is over. No case is tried twice."""
        if time.monotonic() > self.until or not (case.problem.variables and case.problem.values):
            return False
        rules = clauses_of_problem(case.problem), units_of(case)
        same = (len(case.problem.variables), len(case.problem.values), *rules, case.asks, case.count)
        if same not in self.tried:
            self.tried[same] = self.tries(case)
            if self.tried[same]:
                self.progress(len(self.tried), case)
        return self.tried[same]

    def tries(self, case: Case) -> bool:
        """Put the case to the contender."""
        if self.alone:
            self.close()
        if self.lab is None:
            self.lab = Sessions(self.contender, settings(case))
        try:
            return run_case(self.lab, case).of(self.signature) is not None
        except KeyboardInterrupt:
            if not any(self.tried.values()):
                raise
            self.until = 0  # what is smallest so far is what somebody wants to have now
            self.close()
            return False

    def close(self) -> None:
        if self.lab is not None:
            self.lab.__exit__(None, None, None)
        self.lab = None

    def part(self, case: Case, things: Sequence[Thing], kept: Callable[[Case, Sequence[Thing]], Case]) -> Case:
        """The case with as few of these things as it needs."""
        left = minimise(things, lambda some: self.fails(kept(case, some)))
        return kept(case, left) if len(left) < len(things) else case

    def sequence(self, case: Case) -> Case:
        """As few asks as it needs, and as small a count."""
        asks = range(len(case.asks))
        last = asks[-1:]
        if len(asks) > 1 and self.fails(reductions.with_asks(case, last)):
            case = reductions.with_asks(case, last)
        else:
            case = self.part(case, asks, reductions.with_asks)
        for count in range(1, case.count):
            if self.fails(replace(case, count=count)):
                return replace(case, count=count)
        return case

    def model(self, case: Case) -> Case:
        """As few units, squares, values and givens as it needs, over and over until nothing goes."""
        while True:
            before = case
            layout = case.layout
            case = self.part(case, layout.units, reductions.with_units)
            if len(case.problem.variables) > 1:
                case = self.part(case, range(len(case.problem.variables)), reductions.with_squares)
            if len(case.problem.values) > 1:
                case = self.part(case, range(len(case.problem.values)), reductions.with_values)
            case = self.givens(case)
            members = [(u, s) for u, unit in enumerate(case.layout.units) for s in unit]
            if size(case) == size(before):
                case = self.part(case, members, reductions.with_members)
            if len(case.asks) > 1 or (case.count > 1 and size(case) == size(before)):
                case = self.sequence(case)
            if size(case) >= size(before):
                return before if size(case) > size(before) else case

    def givens(self, case: Case) -> Case:
        """As few givens as it needs."""
        full = case.problem.full
        marked = [(i, s) for i, board in enumerate(case.asks) for s, m in enumerate(board) if m != full]
        return self.part(case, marked, reductions.with_givens)

    def formula(self, case: Case) -> Case:
        """As few clauses, and literals in them, as it needs."""
        while True:
            before = case
            case = self.part(case, clauses_of_problem(case.problem) or (), reductions.with_clauses)
            literals = [(c, x) for c, clause in enumerate(clauses_of_problem(case.problem) or ()) for x in clause]
            case = self.part(case, literals, reductions.with_literals)
            if size(case) >= size(before):
                return case


def size(case: Case) -> int:
    """What shrinking makes less."""
    problem = case.problem
    rules = sum(1 + len(rule) for rule in (*units_of(case), *(clauses_of_problem(problem) or ())))
    return len(case.asks) * len(problem.variables) + case.givens + case.count + len(problem.values) + rules


def shrink(
    finding: Finding, seconds: float, progress: Callable[[int, Case], None] = lambda trials, case: None
) -> Finding | None:
    """The finding with its case made minimal within about so many seconds; None where it does not fail here.

    `progress` is told how many cases were tried and which was the last that fails.
    """
    until = time.monotonic() + seconds
    for alone in (False, True):
        shrinker = Shrinker(contenders(finding.case), finding.signature, until, alone, progress)
        try:
            case = smallest(shrinker, finding)
        finally:
            shrinker.close()
        if case is not None and (checked := verified(finding, case)) is not None:
            return checked
    return verified(finding, finding.case)


def smallest(shrinker: Shrinker, finding: Finding) -> Case | None:
    """The smallest case that was found to fail; None where not even the first does."""
    first = finding.case
    hurried = replace(first, seconds=min(HURRY, first.seconds)) if finding.signature == "timeout" else first
    alone = reductions.with_asks(hurried, [len(first.asks) - 1])
    start = next((case for case in (alone, hurried) if shrinker.fails(case)), None)
    if start is None:
        return None
    case = modelled(shrinker, start) if clauses_of_problem(first.problem) is None else start
    clauses = plain_clauses(case)
    if clauses is not None and len(clauses) <= LONGEST and "encoding" not in blame(case, finding.signature):
        whole = reductions.with_clauses(case, clauses) if clauses_of_problem(case.problem) is None else case
        if shrinker.fails(whole):
            case = shrinker.formula(whole)
    return replace(case, seconds=first.seconds)


def modelled(shrinker: Shrinker, first: Case) -> Case:
    """The smallest board. Where solutions are missing, asking for more of them needs fewer givens."""
    first = shrinker.sequence(first)
    if ENCODINGS[shrinker.contender[0].encoding].formula is Text:
        return shrinker.givens(first)  # a program that reads lines knows one layout, and can't be told of another
    least = next((case for case in reductions.tiny(first) if shrinker.fails(case)), None)
    if least is not None:
        return shrinker.sequence(least)
    cases = [shrinker.model(first)]
    if shrinker.signature == "too few":
        more = [replace(case, count=WIDE) for case in (cases[0], first)]
        cases += [shrinker.model(case) for case in more if shrinker.fails(case)]
    return min(cases, key=size)


def verified(finding: Finding, case: Case) -> Finding | None:
    """The finding of this case, if it fails in a fresh process, as it says, twice."""
    for _ in range(2):
        with Sessions(contenders(case), settings(case)) as lab:
            failure = run_case(lab, case).of(finding.signature)
        if failure is None:
            return None
        what = failure[1]
    return finding.with_case(case, expected=expectation(case), seen=what.seen, blame=blame(case, finding.signature))
