"""One case put to its contender, and judged on its own evidence: what replaying, confirming and shrinking rest on.

The truth about a board comes from trying everything and from the case's witnesses, never from another solver.
"""

from dataclasses import dataclass

from backends.answer import Reason
from harness.fuzzing.clausal import enumerate_models, clauses_of_problem
from harness.fuzzing.counting import Enumeration, count
from harness.fuzzing.finding import Case
from harness.fuzzing.round_judge import Failure, RoundJudge
from harness.fuzzing.sessions import Sessions, batch
from harness.model.contender import Contender, resolve
from harness.model.settings import RunSettings
from puzzles.problem import Domains

PLACEMENTS = 400_000  # that trying everything may take on a case, shared out among its squares and asks


@dataclass(frozen=True)
class CaseResult:
    """What each ask came to: failures by its position, in the order of asks; or why the layout was not taken."""

    failures: tuple[tuple[int, Failure], ...]
    refusal: str = ""

    def of(self, signature: str) -> tuple[int, Failure] | None:
        """The first failure of that signature, and its position."""
        return next((f for f in self.failures if f[1].signature == signature), None)


def settings(case: Case) -> RunSettings:
    return RunSettings(limit=case.seconds, count=case.count, memory=case.memory)


def contenders(case: Case) -> tuple[Contender, ...]:
    """The contender of a case, as a lab takes it. Raises BadUsage."""
    return resolve([case.contender], case.count)[0]


def truth(case: Case, domains: Domains) -> Enumeration:
    """Solutions of one board of a case by trying everything, as far as that goes, one more than are asked for.

    Where there are several asks, half of all placements are the last one's, which is the one that fails.
    """
    share = 2 if domains == case.asks[-1] else 2 * len(case.asks)
    nodes = PLACEMENTS // max(len(case.problem.variables), 20) // (share if len(case.asks) > 1 else 1)
    clauses = clauses_of_problem(case.problem)
    if clauses is not None:
        return enumerate_models(clauses, domains, case.count + 1, nodes // 20)
    return count(case.layout, domains, case.count + 1, nodes)


def run_case(lab: Sessions, case: Case) -> CaseResult:
    """Put the case to the lab's one contender in a new session, in a process that may have seen others."""
    lab.renew()
    hearing = RoundJudge(len(case.asks), case.count)
    every = lab.solve([batch(0, case.problem, case.asks)], settings(case))
    for outcomes in every:
        hearing.judge_batch(outcomes, 0)
    boards = dict(enumerate(case.asks, 1))
    last = len(case.asks)
    decided = {int(p): int(f) for o in every for p, f in zip(o.batch.puzzles, o.rows["found"], strict=True)}
    for number in sorted(decided):
        counted = truth(case, boards[number])
        hearing.believe(number, counted)
        hearing.witness(case.problem, boards, {number: counted.solutions})
    hearing.witness(case.problem, boards, dict.fromkeys(boards, case.witnesses))
    found = {f.number: f for f in hearing.failures()}
    refusals = (d for o in every for i, d in o.details.items() if o.rows["reason"][i] == Reason.UNSUPPORTED)
    return CaseResult(
        tuple((number - 1, found[number]) for number in range(1, last + 1) if number in found), next(refusals, "")
    )


def expectation(case: Case) -> str:
    """What is true of the last ask, in words."""
    counted = truth(case, case.asks[-1])
    n = len(counted.solutions)
    what = "solution" if clauses_of_problem(case.problem) is None else "assignment"
    if counted.complete:
        return f"{n} {what}{'' if n == 1 else 's'}, found by trying everything"
    n = max(n, len(case.witnesses))
    return f"at least {n} {what}{'' if n == 1 else 's'}" if n else f"an answer within {case.seconds:g} s"
