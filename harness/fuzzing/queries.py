"""Campaign against incremental solvers, and the shrinking of query scripts: the finding is the smallest script, a file.

Random scripts have few variables, so that a table of all assignments tells each answer; of other scripts a solver of
another lineage is asked about the cores. A script shrinks by asks, clauses, assumptions, literals and variables.

    row  of a script: its kind, and literals; of a SOFT one the literal and its cost
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from time import monotonic

import numpy as np

from backends.contract.answer import Reason, query_refusal
from backends.contract.registry import find
from harness.fuzzing.files import AskedWorker, FileFuzzer, kind_of
from harness.fuzzing.reducing.delta_debugging import minimise
from harness.fuzzing.signature import normalise_detail
from harness.judging.cores import AskChecker, StatedCore, checked_cores, stated_cores
from harness.model.contender import Contender
from harness.model.outcome import Outcomes
from harness.model.trajectory import NOTHING
from puzzles.objectives.asks import KeptRows, QueryAsk, core_of
from puzzles.objectives.queries import QueryScript, problem_of
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import Solutions
from puzzles.readers.queries import as_inccnf, as_trace

MOST_VARIABLES = 10  # of a script whose assignments are tabulated
ASK, CLAUSE, SOFT = "ask", "clause", "soft"
Row = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class ScriptCase:
    """Rows of a script."""

    rows: tuple[Row, ...]

    @classmethod
    def of(cls, script: QueryScript) -> "ScriptCase":
        """Return the rows of a script."""
        rows = list[Row]()
        for ask in script.asks:
            rows += [(CLAUSE, tuple(clause)) for clause in ask.clauses]
            rows += [*((SOFT, tuple(pair)) for pair in ask.soft), (ASK, tuple(ask.assumptions))]
        return cls(tuple(rows))

    @cached_property
    def script(self) -> QueryScript:
        """The script; what comes after the last ask is left out."""
        asks, ask = list[QueryAsk](), QueryAsk([], [], [])
        for kind, literals in self.rows:
            if kind == ASK:
                asks.append(ask._replace(assumptions=list(literals)))
                ask = QueryAsk([], [], [])
            elif kind == SOFT:
                ask = ask._replace(soft=[*ask.soft, (literals[0], literals[1])])
            else:
                ask.clauses.append(list(literals))
        return QueryScript.of(asks)

    def instance(self) -> Instance[Problem]:
        """Return the instance."""
        problem = problem_of(self.script, "script")
        return Instance("script", problem, problem.open)

    def text(self) -> str:
        return as_trace(self.script) if self.script.weighted else as_inccnf(self.script)

    @property
    def ending(self) -> str:
        return "trace" if self.script.weighted else "icnf"

    def renumbered(self) -> "ScriptCase":
        """Return the script without numbers that no variable has."""
        parts = [(kind, row[:1] if kind == SOFT else row, row[1:] if kind == SOFT else ()) for kind, row in self.rows]
        used = sorted({abs(p) for _, literals, _ in parts for p in literals})
        new = {sign * x: sign * number for number, x in enumerate(used, 1) for sign in (1, -1)}
        return ScriptCase(tuple((kind, (*(new[p] for p in literals), *cost)) for kind, literals, cost in parts))


def drawn_script(random: Random, weighted: bool) -> ScriptCase:
    """Return a random script, perhaps with soft literals; its clauses leave fewer and fewer models."""
    n = random.randint(1, MOST_VARIABLES)

    def literals(least: int, most: int) -> tuple[int, ...]:
        size = min(n, random.randint(least, most))
        return tuple(random.choice((1, -1)) * x for x in random.sample(range(1, n + 1), size))

    rows = list[Row]()
    for _ in range(random.randint(1, 12)):
        rows += [(CLAUSE, literals(random.random() > 0.02, 4)) for _ in range(random.choice((0, 0, 1, 2, n)))]
        softened = random.choice((0, 0, 1, n)) if weighted else 0
        rows += [(SOFT, (*literals(1, 1), random.choice((0, 1, 1, 2, 9)))) for _ in range(softened)]
        assumed = literals(0, random.choice((1, 3, n)))
        twice = random.random() < 0.1
        rows.append((ASK, (*assumed, *assumed[:1]) if twice else assumed))
    return ScriptCase(tuple(rows))


def refuted_by_table(script: QueryScript, solution: Solutions) -> str:
    """Return what a table of all assignments shows against answers whose models are right, '' if nothing."""
    numbers = np.arange(1 << script.variables)[:, np.newaxis]
    table = KeptRows((numbers >> np.arange(script.variables) & 1).astype(np.bool_), 1)
    answered, claims, models = script.answered(solution), script.claims(solution), table.full
    for i, (clauses, assumptions, soft) in enumerate(script.asks):
        table.weigh(soft)
        for clause in clauses:
            models &= table.clause(clause)
        left = table.common(assumptions, models)
        if answered.unsatisfiable[i] and left:
            return f"wrong at ask {i + 1}: it is said to be unsatisfiable, but has a model"
        if answered.unsatisfiable[i] and table.common(core := core_of(answered.rows[i], assumptions), models):
            return StatedCore(i + 1, tuple(core)).too_small("brute force")
        if answered.satisfiable[i] and table.soft:
            own, least = 1 + script.totals[i] - claims[i], table.costs[table.cheapest(left)]
            if own != least:
                return f"wrong at ask {i + 1}: its cost {own} is not the least: a model costs {least}"
    return ""


def failure_of(outcomes: Outcomes, script: QueryScript, checker: AskChecker | None) -> str:
    """Return the kind of failure and what is wrong with answers to a script, '' if nothing.

    `checker` is asked about cores where a table of all assignments would be too large.
    """
    row, detail = outcomes.rows[0], outcomes.details.get(0, "")
    reason = Reason(int(row["reason"]))
    if reason in (Reason.CRASH, Reason.ERROR):
        return f"{reason.name.lower()}: {normalise_detail(detail, reason)}"
    if not len(outcomes.solutions):
        return "" if reason else "answer: says nothing of its asks"
    (solution,) = outcomes.solutions
    why = script.judged(solution).fault
    if not why and script.variables <= MOST_VARIABLES:
        why = refuted_by_table(script, solution)
    elif not why and checker is not None:
        broken, _ = checked_cores(script, stated_cores(script, solution), checker)
        why = min(broken).too_small("another solver") if broken else ""
    stated, value = outcomes.trajectories.get(0, NOTHING).stated, -int(script.judged(solution).saved.sum())
    if not why and not reason and stated not in (None, value):
        return f"value: it states {stated}, but that of its models is {value}"
    kinds = {"its model": "model", "its core": "core", "its cost": "cost"}
    kind = next((kind for words, kind in kinds.items() if words in why), "unsatisfiable")
    return f"{kind}: {why}" if why else ""


class ScriptFuzzer(FileFuzzer[ScriptCase]):
    """Campaign against incremental solvers."""

    def drawn(self) -> ScriptCase:
        return drawn_script(self.random, weighted=self.random.random() < 0.5)

    def failure(self, contender: Contender, case: ScriptCase) -> str:
        if query_refusal(contender.backend, find(contender.backend, self.programs).can, case.script.weighted):
            return ""
        return failure_on(self.askers[contender.name], case, None)

    def shrunk(self, contender: Contender, case: ScriptCase, why: str) -> tuple[ScriptCase, str]:
        return shrunk_script(case, why, lambda less: self.failure(contender, less))


def failure_on(asker: AskedWorker, case: ScriptCase, checker: AskChecker | None) -> str:
    """Return the failure of a worker on a script, which is asked now, '' if there is none."""
    outcomes = asker.ask(case.instance())
    if outcomes.rows[0]["reason"] == Reason.CRASH:
        asker.close()  # a place gives up a contender that crashes often
    return failure_of(outcomes, case.script, checker)


def shrunk_script(
    case: ScriptCase, why: str, failure: Callable[[ScriptCase], str], seconds: float = 60.0
) -> tuple[ScriptCase, str]:
    """Return a script none of whose parts can be left out, with a failure of the same kind, within some seconds."""
    until = monotonic() + seconds

    def fails(less: ScriptCase) -> bool:
        nonlocal case, why
        if monotonic() > until or not any(kind == ASK for kind, _ in less.rows):
            return False
        found = failure(less)
        if same := kind_of(found) == kind_of(why):
            case, why = less, found
        return same

    before = None
    while case != before and monotonic() < until:
        before = case
        for kind in (ASK, CLAUSE, SOFT):
            fewer_rows(case.rows, kind, fails)
        fewer_literals(case.rows, fails)
        fails(case.renumbered())
    return case, why


def first_failing(
    parts: Iterable[list[int]], make: Callable[[list[int]], ScriptCase], fails: Callable[[ScriptCase], bool]
) -> tuple[int, list[int]] | None:
    """Return the first of some parts of which a failing script is made, with its position."""
    return next(((i, kept) for i, kept in enumerate(parts) if fails(make(kept))), None)


def fewer_rows(rows: tuple[Row, ...], kind: str, fails: Callable[[ScriptCase], bool]) -> None:
    """Leave out rows of a kind; the clauses and soft literals of an ask go to the next one."""
    own = [i for i, row in enumerate(rows) if row[0] == kind]
    others = set(range(len(rows))) - set(own)

    def make(kept: list[int]) -> ScriptCase:
        return ScriptCase(tuple(rows[i] for i in sorted({*kept, *others})))

    minimise(own, lambda parts: first_failing(parts, make, fails))


def fewer_literals(rows: tuple[Row, ...], fails: Callable[[ScriptCase], bool]) -> None:
    """Leave out assumptions and literals of clauses, one row after the other."""
    now = list(rows)
    for i, (kind, literals) in enumerate(rows):

        def make(kept: list[int], i: int = i, kind: str = kind) -> ScriptCase:
            return ScriptCase((*now[:i], (kind, tuple(kept)), *now[i + 1 :]))

        if literals and kind != SOFT:
            now[i] = kind, tuple(minimise(literals, partial(first_failing, make=make, fails=fails)))
