"""Campaign against counters of models: random formulas, exhaustive search, identities, and a shrunk file for a failure.

Formulas are small, with projections, weights that are 0 or cancel, and variables in no clause; some have many variables
and few clauses, so that numbers pass 64 bits. A failure is a number that differs from exhaustive search, or where that
takes too long from another contender's, or breaks an identity, or estimates that are more often beyond their error than
chance allows. It shrinks by leaving out clauses, weights and the projection.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from time import monotonic
from typing import ClassVar

from backends.contract.answer import Reason
from encoders.counting import counted_text
from harness.fuzzing.files import FileFuzzer, kind_of
from harness.judging.estimates import ClaimedEstimate, estimate_in, over_seeds
from harness.judging.exhaustive import right_assignments
from harness.judging.identities import breaking, exact_number, goal_of, weighed
from harness.model.contender import Contender
from puzzles.constraints.clauses import Clauses, clauses_of, split_clauses
from puzzles.objectives.models import ModelCount
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.columns import distinct
from puzzles.problem.values import Numbered

NODES = 1 << 18
NUMBER = "number"  # kind of the failure that exhaustive search shows
WEIGHTS = ("0", "1", "-1", "3/10", "1/4", "5", "-2", "7/3")


@dataclass(frozen=True)
class CountedFormula:
    """Clauses over variables 1..variables, a projection or None, and weights by literal."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]
    shown: tuple[int, ...] | None
    weights: dict[int, Fraction]
    ending: ClassVar[str] = "cnf"

    def instance(self) -> Instance[Problem]:
        """Return the instance whose models are counted."""
        kept = self.shown if self.shown is not None else range(1, self.variables + 1)
        hidden = tuple(x for x in range(self.variables) if x + 1 not in kept)
        goal = ModelCount(hidden, self.weights)
        names, rows = Numbered("x", self.variables), Clauses.of(self.clauses)
        problem = Problem("counted", names, BOOLEAN, (rows,), objective=goal, free=hidden)
        return Instance("counted", problem, problem.open)

    def text(self) -> str:
        """Return the file."""
        return counted_text(self.variables, self.clauses, self.shown, self.weights)

    def smaller(self) -> Iterator["CountedFormula"]:
        """Yield the formula without unused variables, half of its clauses or fewer, or one of its other parts."""
        used = {abs(p) for c in self.clauses for p in c} | {*(self.shown or ())} | {*map(abs, self.weights)}
        if self.variables > len(used):
            least = self.renumbered({x: i for i, x in enumerate(sorted(used), 1)})
            yield from (replace(least, variables=n) for n in (len(used), len(used) + 1, self.variables - 1))
        size = (len(self.clauses) + 1) // 2
        while size:
            for i in range(0, len(self.clauses), size):
                yield replace(self, clauses=self.clauses[:i] + self.clauses[i + size :])
            size //= 2
        for p in self.weights:
            if p > 0:
                yield replace(self, weights={q: w for q, w in self.weights.items() if abs(q) != p})
        if self.shown is not None:
            for i in range(len(self.shown)):
                yield replace(self, shown=self.shown[:i] + self.shown[i + 1 :])
            yield replace(self, shown=None)

    def renumbered(self, new: Mapping[int, int]) -> "CountedFormula":
        """Return the formula over the variables that are used, with new numbers."""
        literal = {p: (new[abs(p)] if p > 0 else -new[abs(p)]) for x in new for p in (x, -x)}
        clauses = tuple(tuple(literal[p] for p in clause) for clause in self.clauses)
        shown = None if self.shown is None else tuple(literal[x] for x in self.shown)
        return CountedFormula(len(new), clauses, shown, {literal[p]: w for p, w in self.weights.items()})


def formula_of(instance: Instance[Problem]) -> CountedFormula | None:
    """Return the formula of an instance whose models are counted, None if it has other constraints than clauses."""
    problem, flat = instance.problem, clauses_of(replace(instance.problem, objective=None))
    if flat is None:
        return None
    fixed = [(x + 1 if mask == 2 else -x - 1,) for x, mask in enumerate(instance.domains) if mask in (1, 2)]
    shown = tuple(x + 1 for x in problem.shown) if problem.free else None
    rows = (*fixed, *map(tuple, split_clauses(flat)))
    return CountedFormula(len(problem.variables), rows, shown, dict(goal_of(problem).weights))


def drawn(random: Random) -> CountedFormula:
    """Return a random formula."""
    n = random.choice((0, 1, 2, 3, 4, 5, 6, 7, 9, 18, 70))
    used = max(1, n - random.choice((0, 0, 1, 2)))
    size = random.choice((0, 1, 2, n, n)) if n else 0
    rows = tuple(
        tuple(random.choice((1, -1)) * x for x in random.sample(range(1, used + 1), min(used, random.randint(1, 3))))
        for _ in range(size)
    )
    every = range(1, n + 1)
    shown = tuple(sorted(random.sample(every, random.randint(0, n)))) if random.random() < 0.4 else None
    weights = {p: Fraction(random.choice(WEIGHTS)) for x in every if random.random() < 0.5 for p in (x, -x)}
    return CountedFormula(n, rows, shown, weights if random.random() < 0.4 else {})


class CounterFuzzer(FileFuzzer[CountedFormula]):
    """Campaign against counters."""

    def drawn(self) -> CountedFormula:
        return drawn(self.random)

    def failure(self, contender: Contender, formula: CountedFormula) -> str:
        """Return what is wrong with a contender's number, '' if nothing."""
        instance, asker = formula.instance(), self.askers[contender.name]
        outcomes = asker.ask(instance)
        n, row = exact_number(outcomes, instance.problem), outcomes.rows[0]
        if row["reason"] == Reason.CRASH:
            asker.close()  # a place gives up a contender that crashes often
            return f"crash: {outcomes.details.get(0, '').partition(':')[0]}"
        right = self.right(instance)
        if n is None:
            first = estimate_in(outcomes, instance.problem)
            if first is None or right is None or not first.beyond(right):
                return ""
            return over_seeds(contender, self.programs, right, lambda other: self.estimated(other, instance))
        if right is not None and n != right:
            return f"{NUMBER}: counts {n}, exhaustive search {right}"
        if right is None and (other := self.contradiction(contender, instance, n)):
            return other
        return next(breaking(asker.ask, instance, n), "")

    def contradiction(self, contender: Contender, instance: Instance[Problem], n: Fraction) -> str:
        """Return the number of another contender that differs from a contender's, '' if none does."""
        for other in self.contenders:
            m = exact_number(self.askers[other.name].ask(instance), instance.problem) if other != contender else n
            if m is not None and m != n:
                return f"conflict: counts {n}, {other.name} {m}"
        return ""

    def right(self, instance: Instance[Problem]) -> Fraction | None:
        """Return the number by exhaustive search, None for large instances."""
        found = right_assignments(instance.problem, instance.domains, NODES)
        return None if found is None else weighed(instance.problem, distinct(instance.problem, found))

    def estimated(self, contender: Contender, instance: Instance[Problem]) -> ClaimedEstimate | None:
        """Return the estimate of a contender that is asked once."""
        asker = self.opened(contender)
        found = estimate_in(asker.ask(instance), instance.problem)
        asker.close()
        return found

    def shrunk(
        self, contender: Contender, formula: CountedFormula, why: str, seconds: float = float("inf")
    ) -> tuple[CountedFormula, str]:
        """Return a formula none of whose parts can be left out, with a failure of the same kind, or a wrong number.

        After so many seconds it is the smallest so far.
        """
        until = monotonic() + seconds
        while not why.startswith("estimates"):
            for less in formula.smaller():
                if monotonic() > until:
                    return formula, why
                if less != formula and kind_of(other := self.failure(contender, less)) in (kind_of(why), NUMBER):
                    formula, why = less, other
                    break
            else:
                break
        return formula, why
