"""Run one case and judge it by its own evidence: the basis of replaying, confirming and shrinking.

The ground truth comes from exhaustive search and from the case's witnesses, never from another solver.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from backends.contract.answer import Reason, Status
from backends.contract.registry import NO_PROGRAMS
from harness.fuzzing.assignments import solutions_of
from harness.fuzzing.counting import Enumeration
from harness.fuzzing.findings.finding import Case, Faster
from harness.fuzzing.round_judge import SHOWN, Failure, RoundJudge, values_of
from harness.fuzzing.sessions import Sessions, batch
from harness.fuzzing.signature import REFUTED, WRONG_SOLUTION
from harness.model.contender import Contender, resolve
from harness.model.outcome import NANO, Outcomes
from harness.model.settings import RunSettings
from puzzles.boards.layout import Layout
from puzzles.constraints.clauses import clauses_of
from puzzles.objectives import stated
from puzzles.problem import Problem
from puzzles.problem.values import Domains, Solution

REPEATS, TRIED = 20, 4  # asks of a case that does not always fail; while it is shrunk, so that it fails often
LEAST_SLOW_S = 0.1  # CPU time of an outlier while it is shrunk: of less, the start of a solver is the most
MAX_PLACEMENTS = 400_000  # placements of the exhaustive search on a case, divided among its squares and asks


@dataclass(frozen=True)
class CaseResult:
    """Failures of a case with the positions of their asks, or the reason why its layout was refused."""

    failures: tuple[tuple[int, Failure], ...]
    refusal: str = ""

    def of(self, signature: str) -> tuple[int, Failure] | None:
        """First failure with that signature, and its position."""
        return next((f for f in self.failures if f[1].signature == signature), None)


def settings(case: Case, programs: Mapping[str, str]) -> RunSettings:
    return RunSettings(limit=case.seconds, count=case.count, memory=case.memory, programs=programs)


def contenders(case: Case, programs: Mapping[str, str] = NO_PROGRAMS) -> tuple[Contender, ...]:
    """Return the contender of a case, and the faster one if it is an outlier. Raises BadUsage if one is unknown."""
    names = [case.contender, *([case.faster.contender] if case.faster else [])]
    return tuple(c for name in names for c in resolve([name], case.count, programs=programs)[0])


def truth(case: Case, domains: Domains) -> Enumeration:
    """Search one board of a case exhaustively, within limits, for one solution more than the count, or for the best.

    With several asks, the last ask, which fails, gets half of all placements. A large formula gets fewer, each of which
    reads all its clauses.
    """
    share = 2 if domains == case.asks[-1] else 2 * len(case.asks)
    size = max(len(case.problem.variables), 20, number_of_clauses(case.problem))
    nodes = MAX_PLACEMENTS // size // (share if len(case.asks) > 1 else 1)
    return solutions_of(case.problem, domains, case.count + 1, nodes)


def number_of_clauses(problem: Problem) -> int:
    """Return the number of clauses of a formula, 0 for another problem."""
    flat = clauses_of(problem)
    return 0 if flat is None else int((flat == 0).sum())


def run_case(sessions: Sessions, case: Case) -> CaseResult:
    """Ask the contender the case in a new session; its process may have served other cases before."""
    return run_cases(sessions, [case])[0]


def run_cases(sessions: Sessions, cases: Sequence[Case]) -> list[CaseResult]:
    """Ask cases of equal limits side by side, and again up to their repeats while they do not fail."""
    results = run_once(sessions, cases)
    for _ in range(cases[0].repeats - 1):
        left = [at for at, result in enumerate(results) if not result.failures]
        again = run_once(sessions, [cases[at] for at in left]) if left else []
        results = [again[left.index(at)] if at in left else result for at, result in enumerate(results)]
    return results


def times_failed(sessions: Sessions, case: Case, signature: str) -> int:
    """Return the number of failures with a signature if a case is asked as often as its repeats."""
    once = replace(case, repeats=1)
    return sum(run_case(sessions, once).of(signature) is not None for _ in range(case.repeats))


def run_once(sessions: Sessions, cases: Sequence[Case]) -> list[CaseResult]:
    """Ask cases once, one on each place of the sessions."""
    sessions.renew()
    asked = [
        batch(at, cases[at % sessions.jobs].problem, cases[at % sessions.jobs].asks)
        for at in range(len(sessions.contenders))
        if at % sessions.jobs < len(cases)
    ]
    answered = sessions.solve(asked, settings(cases[0], sessions.programs))
    by = [[o for o in answered if o.batch.contender == at] for at in range(len(sessions.contenders))]
    rest = [[o for some in by[place + sessions.jobs :: sessions.jobs] for o in some] for place in range(len(cases))]
    return [judged(case, by[place], rest[place]) for place, case in enumerate(cases)]


def shown_before(sessions: Sessions, case: Case) -> list[Solution]:
    """Return the solutions that smaller counts of a case show: a call that fails at its count has them forbidden."""
    shown = list[Solution]()
    for count in range(1, case.count):
        sessions.renew()
        answered = sessions.solve(
            [batch(0, case.problem, case.asks)], replace(settings(case, sessions.programs), count=count)
        )
        last = [o for o in answered if len(case.asks) in o.batch.puzzles]
        if not last or last[0].rows["found"][-1] < count:
            break
        shown = [tuple(row) for row in last[0].solutions[-count:].tolist()]
    return shown


def shown_entry(sessions: Sessions, case: Case, failure: Failure) -> dict[str, list[Any]]:
    """Return the entry of a finding for the solutions that an answer shows, or that were shown before a call failed."""
    found: list[Any] = failure.solutions() or shown_before(sessions, case) if case.count > 1 else []
    return {SHOWN: found} if found else {}


def judged(case: Case, answered: Sequence[Outcomes], others: Sequence[Outcomes] = ()) -> CaseResult:
    """Judge what a contender answered to a case; `others` are the answers of the faster one if it is an outlier."""
    if case.faster and (slow := slower(case.faster, answered, others)):
        return CaseResult(((len(case.asks) - 1, slow),))
    round_judge = RoundJudge(len(case.asks), case.count)
    for some in answered:
        round_judge.judge_batch(some, 0)
    boards = dict(enumerate(case.asks, 1))
    last = len(case.asks)
    asked = {int(p): int(f) for o in answered for p, f in zip(o.batch.puzzles, o.rows["found"], strict=True)}
    for number in sorted(asked):
        counted = truth(case, boards[number])
        round_judge.add_count(number, case.problem, counted)
        round_judge.add_witnesses(case.problem, boards, {number: counted.solutions})
    round_judge.add_witnesses(case.problem, boards, dict.fromkeys(boards, case.witnesses))
    found = {f.number: f for f in round_judge.failures()}
    refusals = (d for o in answered for i, d in o.details.items() if o.rows["reason"][i] == Reason.UNSUPPORTED)
    return CaseResult(
        tuple((number - 1, found[number]) for number in range(1, last + 1) if number in found), next(refusals, "")
    )


def slower(faster: Faster, answered: Sequence[Outcomes], others: Sequence[Outcomes]) -> Failure | None:
    """Return the failure of a contender that takes at least `ratio` times the CPU time of the faster one."""
    if not others or any(Status(int(row["status"])) == Status.UNKNOWN for o in others for row in o.rows):
        return None
    own, other = (sum(int(o.rows["cpu"].sum()) for o in asked) / NANO for asked in (answered, others))
    if own < max(LEAST_SLOW_S, faster.ratio * other):
        return None
    last, at = answered[-1], len(answered[-1].rows) - 1
    seen = f"{own:.3g} s of CPU time; {faster.contender} {other:.3g} s"
    return Failure(last.batch.contender, int(last.batch.puzzles[at]), faster.signature, seen, last, at)


def expectation(case: Case, how: str) -> str:
    """Describe the right answer to the last ask of a case that fails with this signature."""
    if case.faster:
        return f"less than {case.faster.ratio:g} times the CPU time of {case.faster.contender}"
    if how == REFUTED:
        return "a right answer to the problem that loads its code too, and to each ask"
    counted = truth(case, case.asks[-1])
    if case.problem.objective is not None:
        return expected_best(case, counted)
    n = len(counted.solutions)
    what = "solution" if isinstance(case.problem, Layout) else "assignment"
    if how == WRONG_SOLUTION and (n or not counted.complete):
        return f"only {what}s that satisfy every constraint"
    said = "SATISFIABLE, " if how == "unsatisfiable" else ""
    if counted.complete:
        return f"{said}{n} {what}{'' if n == 1 else 's'}, found by exhaustive search"
    n = max(n, len(case.witnesses))
    return f"{said}at least {n} {what}{'' if n == 1 else 's'}" if n else f"an answer within {case.seconds:g} s"


def expected_best(case: Case, counted: Enumeration) -> str:
    """Describe the best solution of the last ask, or the best one known."""
    goal = case.problem.objective
    assert goal is not None
    known = [value for value in values_of(case.problem, counted.solutions or case.witnesses) if value is not None]
    if counted.complete:
        best = f"the optimum {stated(goal, min(known))}" if known else "no solution"
        return f"{best}, found by exhaustive search"
    limit = "at least" if goal.maximise else "at most"
    return f"{limit} {stated(goal, min(known))}" if known else f"an answer within {case.seconds:g} s"
