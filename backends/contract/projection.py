"""Several solutions of a problem with a projection, from any backend: each is asked for alone.

What a solution shows is forbidden by a constraint more, in a form that the backend takes, before the next is searched
in a new session. A solver that blocks or enumerates all variables would give solutions that differ in hidden ones.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from time import perf_counter_ns as now

from backends.contract.answer import Answer, Ask, Phases, Reason, Session, Status, Unsupported
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import Expression
from puzzles.constraints.linear import Linear, clause_as_row
from puzzles.constraints.table import Table
from puzzles.problem import Constraint, Problem
from puzzles.problem.values import Domains, Integers, Solution, ends_of, size_of

Open = Callable[[Problem], Session]


def projecting(problem: Problem, opened: Open) -> Session:
    """Return the session of a problem, which gives solutions that differ on its projection."""
    session = opened(problem)
    return Projecting(problem, session, opened) if problem.free and problem.objective is None else session


class Projecting:
    """Session whose asks for several solutions are asks for one each."""

    def __init__(self, problem: Problem, first: Session, opened: Open) -> None:
        self.problem, self.first, self.opened = problem, first, opened

    def ask(self, ask: Ask) -> Answer:
        if ask.count == 1:
            return self.first.ask(ask)
        begin, answer = now(), self.first.ask(replace(ask, count=1))
        found, phases, counters = list(answer.solutions), [answer.phases or Phases()], [answer.counters]
        while answer.solutions and not answer.complete and len(found) < ask.count:
            left = ask.seconds - (now() - begin - ask.pauses.total) / 1e9
            if left <= 0:
                answer = Answer(Status.UNKNOWN, reason=Reason.TIMEOUT)
                break
            answer = self.other(found, replace(ask, count=1, seconds=left, source=None, proof=False))
            found += answer.solutions
            phases.append(answer.phases or Phases())
            counters.append(answer.counters)
        return replace(
            answer,
            status=Status.SATISFIABLE if found else answer.status,
            solutions=tuple(found),
            complete=answer.complete or answer.status == Status.UNSATISFIABLE,
            counters={name: sum(one.get(name, 0) for one in counters) for one in counters for name in one},
            phases=Phases(*(sum(getattr(one, part.name) for one in phases) for part in fields(Phases))),
            proof=None if found else answer.proof,  # of a formula that the judge does not make
        )

    def other(self, known: Sequence[Solution], ask: Ask) -> Answer:
        """Return the answer to an ask for a solution that shows something else. Raises Unsupported."""
        refusal = Unsupported("")
        for form in forms(self.problem, ask.domains):
            forbidden = form(known)
            problem = replace(self.problem, constraints=(*self.problem.constraints, *forbidden))
            try:
                session = self.opened(problem)
                try:
                    return session.ask(ask)
                finally:
                    session.close()
            except Unsupported as e:
                refusal = e
        raise refusal

    def close(self) -> None:
        self.first.close()


Forbid = Callable[[Sequence[Solution]], list[Constraint]]


def forms(problem: Problem, domains: Domains) -> Iterator[Forbid]:
    """Yield ways of forbidding what solutions show: as clauses or sums of Booleans, as tuples, as expressions."""
    open_ = [x for x in problem.shown if size_of(domains[x], problem.values) > 1]
    numbers = problem.values.numbers if isinstance(problem.values, Integers) else range(len(problem.values))

    def clauses(known: Sequence[Solution]) -> list[list[int]]:
        return [[-x - 1 if numbers[solution[x]] else x + 1 for x in open_] for solution in known]

    if all(numbers[v] in (0, 1) for x in open_ for v in ends_of(domains[x], problem.values)):
        as_clauses: Forbid = lambda known: [Clauses.of(clauses(known))]  # noqa: E731
        as_sums: Forbid = lambda known: [Linear.of([*map(clause_as_row, clauses(known))])]  # noqa: E731
        linear = all(part.kind == Linear.kind for part in problem.constraints)
        yield from (as_sums, as_clauses) if linear else (as_clauses, as_sums)
    if open_:
        yield lambda known: [Table.of([open_], [[numbers[s[x]] for x in open_] for s in known], positive=False)]
    yield lambda known: [
        Expression(tuple(("or", *(("ne", ("var", x), ("number", numbers[s[x]])) for x in open_)) for s in known))
    ]
