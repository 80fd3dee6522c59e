"""Campaign against counters of models: random formulas, exhaustive search, identities, and a shrunk file for a failure.

Formulas are small, with projections, weights that are 0 or cancel, and variables in no clause; some have many variables
and few clauses, so that numbers pass 64 bits. A failure is a number that differs from exhaustive search or breaks an
identity, or estimates that are more often beyond their tolerance than chance allows. It shrinks by leaving out clauses,
weights and the projection.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from backends.contract.answer import Reason
from backends.counters.wheels import DELTA, EPSILON
from harness.fuzzing.files import FileFuzzer, kind_of
from harness.judging.counts import RAREST, tail
from harness.judging.exhaustive import right_assignments
from harness.judging.identities import breaking, exact_number, goal_of, weighed
from harness.model.contender import Contender, resolve
from harness.model.trajectory import NOTHING
from puzzles.constraints.clauses import Clauses
from puzzles.objectives.models import ModelCount
from puzzles.problem import BOOLEAN, Instance, Problem
from puzzles.problem.columns import distinct
from puzzles.problem.values import Numbered

NODES, SEEDS = 1 << 18, 25
WEIGHTS = ("0", "1", "-1", "3/10", "1/4", "5", "-2", "7/3")


@dataclass(frozen=True)
class CountedFormula:
    """Clauses over variables 1..variables, a projection or None, and weights by literal."""

    variables: int
    clauses: tuple[tuple[int, ...], ...]
    shown: tuple[int, ...] | None
    weights: dict[int, Fraction]

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
        lines = [f"p cnf {self.variables} {len(self.clauses)}", *(" ".join(map(str, (*c, 0))) for c in self.clauses)]
        lines += [] if self.shown is None else [" ".join(map(str, ("c p show", *self.shown, 0)))]
        return "\n".join([*lines, *(f"c p weight {p} {w} 0" for p, w in self.weights.items()), ""])

    def smaller(self) -> Iterator["CountedFormula"]:
        """Yield the formula without one of its parts."""
        for i in range(len(self.clauses)):
            yield replace(self, clauses=self.clauses[:i] + self.clauses[i + 1 :])
        if self.shown is not None:
            yield replace(self, shown=None)
            for i in range(len(self.shown)):
                yield replace(self, shown=self.shown[:i] + self.shown[i + 1 :])
        for p in self.weights:
            if p > 0:
                yield replace(self, weights={q: w for q, w in self.weights.items() if abs(q) != p})
        used = {abs(p) for c in self.clauses for p in c} | {*(self.shown or ())} | {*map(abs, self.weights)}
        if self.variables > max(used, default=0):
            yield replace(self, variables=self.variables - 1)


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

    ending = "cnf"

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
            stated = outcomes.trajectories.get(0, NOTHING).stated
            if row["complete"] or stated is None or right is None or not right:
                return ""
            return self.estimated(contender, instance, right, Fraction(-stated, goal_of(instance.problem).scale))
        if right is not None and n != right:
            return f"number: counts {n}, exhaustive search {right}"
        return next(breaking(asker.ask, instance, n), "")

    def right(self, instance: Instance[Problem]) -> Fraction | None:
        """Return the number by exhaustive search, None for large instances."""
        found = right_assignments(instance.problem, instance.domains, NODES)
        return None if found is None else weighed(instance.problem, distinct(instance.problem, found))

    def estimated(self, contender: Contender, instance: Instance[Problem], right: Fraction, first: Fraction) -> str:
        """Return the words on estimates that are too often beyond their tolerance, by seeds, '' if they are not."""
        tolerance = Fraction(str(1 + EPSILON))
        if right / tolerance <= first <= right * tolerance or "approxmc" not in contender.backend:
            return ""
        outside = 0
        for seed in range(1, SEEDS + 1):
            name = contender.backend.removesuffix("]")
            (other,) = resolve([f"{name}{',' if '[' in name else '['}seed={seed}]"])[0]
            asker = self.opened(other)
            stated = asker.ask(instance).trajectories.get(0, NOTHING).stated
            asker.close()
            estimate = Fraction(-(stated or 0), goal_of(instance.problem).scale)
            outside += not right / tolerance <= estimate <= right * tolerance
        chance = tail(SEEDS, outside, DELTA)
        return f"estimates: {outside} of {SEEDS} are beyond a factor of {1 + EPSILON} of {right}" * (chance < RAREST)

    def shrunk(self, contender: Contender, formula: CountedFormula, why: str) -> tuple[CountedFormula, str]:
        """Return a formula none of whose parts can be left out, with the failure of the same kind."""
        if why.startswith("estimates"):
            return formula, why
        while True:
            for less in formula.smaller():
                if kind_of(other := self.failure(contender, less)) == kind_of(why):
                    formula, why = less, other
                    break
            else:
                return formula, why
