"""Identities between numbers of models of related problems, which one contender alone can break.

    n         the number of an instance              parts   the related problems, and their domains
    holds     of n and the numbers of the parts      words   the identity with its numbers

Nothing says which of the numbers is wrong. Weights are those of the instance unless the identity changes them; numbers
are fractions. `x` is a variable of the projection, `fresh` are new variables in no constraint.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from backends.contract.answer import Reason, Status
from harness.model.outcome import Outcomes
from harness.model.trajectory import NOTHING
from puzzles.constraints.moving import renumbered, variables_of
from puzzles.objectives.models import ModelCount
from puzzles.problem import Instance, Problem
from puzzles.problem.arrays import Solutions
from puzzles.problem.values import Domains, Integers, bounded, indices_of, size_of

UNUSED = 66  # fresh variables: more than a machine word has bits
MOST_CONSTRAINED = 100_000  # variables of an instance whose most constrained one is looked for
MOST_PARTS = 1 << 16  # values of a variable that is split on
Part = tuple[Problem, Domains]
Ask = Callable[[Instance[Problem]], Outcomes]  # to one contender
Numbers = Sequence[Fraction]


@dataclass(frozen=True)
class Identity:
    """An identity of a problem: see above."""

    name: str
    parts: tuple[Part, ...]
    holds: Callable[[Fraction, Numbers], bool]
    words: str

    def broken(self, n: Fraction, numbers: Numbers) -> str:
        """Return the identity with the numbers that break it, '' if it holds."""
        said = self.words.format(n, *numbers)
        return "" if self.holds(n, numbers) else f"{self.name}: {said}"


def goal_of(problem: Problem) -> ModelCount:
    """Return the number that is wanted."""
    assert isinstance(problem.objective, ModelCount)
    return problem.objective


def wanting(problem: Problem, **changes: object) -> Problem:
    """Return a problem whose wanted number has another projection or other weights."""
    goal = replace(goal_of(problem), **changes)  # type: ignore[arg-type]
    return replace(problem, objective=goal, free=goal.hidden)


def wider(problem: Problem, fresh: int) -> Problem:
    """Return a problem with further variables."""
    names = (*problem.variables, *(f"fresh{i}" for i in range(fresh)))
    return replace(problem, variables=names)


def identities(instance: Instance[Problem]) -> Iterator[Identity]:
    """Yield the identities of an instance whose models are counted."""
    problem, domains, goal = instance.problem, instance.domains, goal_of(instance.problem)
    shown = [x for x in problem.shown if size_of(domains[x], problem.values) > 1]
    yield from splits(problem, domains, shown)
    full = problem.full
    factor = len(problem.values) ** UNUSED
    wide = (wider(problem, UNUSED), (*domains, *[full] * UNUSED))
    yield Identity(
        f"{UNUSED} unused variables",
        (wide,),
        lambda n, m: m[0] == n * factor,
        f"with them {{1}}, which is not {{0}} * {len(problem.values)}^{UNUSED}",
    )
    yield from copied(problem, domains)
    size = len(problem.variables)
    hidden = wanting(wider(problem, 1), hidden=(*goal.hidden, size))
    yield Identity(
        "a hidden variable more", ((hidden, (*domains, full)),), lambda n, m: m[0] == n, "with it {1}, without {0}"
    )
    if goal.weights:
        yield from weighted(problem, domains, goal)
        return
    everything = wanting(problem, hidden=tuple(range(size)))
    nothing = "nothing is shown: {1}, and {0} in all"
    yield Identity("show none", ((everything, domains),), lambda n, m: m[0] == min(n, 1), nothing)
    if is_boolean(problem) and size:
        ones = {p: Fraction(1) for x in range(1, size + 1) for p in (x, -x)}
        yield Identity(
            "weights of 1",
            ((wanting(problem, weights=ones), domains),),
            lambda n, m: m[0] == n,
            "{1} with, {0} without",
        )
    if shown:
        x = shown[len(shown) // 2]
        less = wanting(problem, hidden=tuple(sorted((*goal.hidden, x))))
        most = size_of(domains[x], problem.values)
        words = f"without {problem.variables[x]} in the projection {{1}}, with it {{0}}"
        yield Identity("projection", ((less, domains),), lambda n, m: m[0] <= n <= most * m[0], words)
    if goal.hidden:
        every = wanting(problem, hidden=())
        words = "without a projection {1}, with it {0}"
        yield Identity("show all", ((every, domains),), lambda n, m: n <= m[0], words)


def splits(problem: Problem, domains: Domains, shown: Sequence[int]) -> Iterator[Identity]:
    """Yield n = sum over the values of x, for the variable in most constraints and for the last."""
    if not shown:
        return
    often = Counter[int]()
    if len(problem.variables) <= MOST_CONSTRAINED:
        for part in problem.constraints:
            often.update(occurrences(part))
    for x in dict.fromkeys((max(shown, key=lambda x: often[x]), shown[-1])):
        if size_of(domains[x], problem.values) > MOST_PARTS:
            continue
        own = list(indices_of(domains[x], problem.values))
        single = [bounded(v, v) if problem.ranged else 1 << v for v in own]
        parts = tuple((problem, (*domains[:x], one, *domains[x + 1 :])) for one in single)
        sides = " + ".join(f"{{{i}}}" for i in range(1, len(parts) + 1))
        values = ", ".join(problem.values[v] for v in own)
        words = f"{{0}} is not {sides}, for {problem.variables[x]} = {values}"
        yield Identity("sum over a variable", parts, lambda n, m: sum(m) == n, words)


def occurrences(part: object) -> Iterator[int]:
    """Yield the variables of a constraint, those of clauses as often as they occur."""
    rows = getattr(part, "flat", None)
    if getattr(part, "kind", "") == "clauses" and rows is not None:
        yield from (abs(p) - 1 for p in rows.tolist() if p)
    else:
        yield from variables_of(part)  # type: ignore[arg-type]


def copied(problem: Problem, domains: Domains) -> Iterator[Identity]:
    """Yield n * n = the number of the problem beside a copy of itself, on other variables."""
    size, goal = len(problem.variables), goal_of(problem)
    constraints = (*problem.constraints, *(renumbered(part, lambda x: x + size) for part in problem.constraints))
    weights = {**goal.weights, **{p + size if p > 0 else p - size: w for p, w in goal.weights.items()}}
    hidden = (*goal.hidden, *(x + size for x in goal.hidden))
    both = wanting(replace(wider(problem, size), constraints=constraints), hidden=hidden, weights=weights)
    words = "beside its copy {1}, which is not the square of {0}"
    yield Identity("product over components", ((both, (*domains, *domains)),), lambda n, m: m[0] == n * n, words)


def weighted(problem: Problem, domains: Domains, goal: ModelCount) -> Iterator[Identity]:
    """Yield that weights of hidden variables have no influence, and that all weights times 2 are a power of 2."""
    if goal.hidden:
        some = goal.hidden[len(goal.hidden) // 2] + 1
        own = {p: w for p, w in goal.weights.items() if abs(p) != some}
        other = wanting(problem, weights=own | {some: Fraction(5), -some: Fraction(7)})
        words = f"with weights 5 and 7 of hidden {problem.variables[some - 1]} {{1}}, else {{0}}"
        yield Identity("hidden weights", ((other, domains),), lambda n, m: m[0] == n, words)
    shown = {abs(p) for p in goal.shown_weights}
    doubled = {p: w * 2 if abs(p) in shown else w for p, w in goal.weights.items()}
    factor = prod([2] * len(shown))
    words = "with all weights doubled {1}, which is not {0} * " + f"2^{len(shown)}"
    yield Identity(
        "doubled weights", ((wanting(problem, weights=doubled), domains),), lambda n, m: m[0] == n * factor, words
    )


def is_boolean(problem: Problem) -> bool:
    """Return True if all values are 0 and 1."""
    return isinstance(problem.values, Integers) and problem.values.numbers == range(2)


def weighed(problem: Problem, models: Solutions) -> Fraction:
    """Return the sum of the weights of models, or their number."""
    weights = goal_of(problem).shown_weights
    if not weights:
        return Fraction(len(models))
    variables = sorted({abs(p) for p in weights})
    return sum(
        (prod((weights[x if model[x - 1] else -x] for x in variables), start=Fraction(1)) for model in models.tolist()),
        start=Fraction(0),
    )


def breaking(ask: Ask, instance: Instance[Problem], n: Fraction) -> Iterator[str]:
    """Yield the identities of an instance with the number n that a contender breaks."""
    for identity in identities(instance):
        numbers = asked(ask, identity)
        if numbers is not None and (text := identity.broken(n, numbers)):
            yield text


def asked(ask: Ask, identity: Identity) -> Sequence[Fraction] | None:
    """Return the numbers of the parts of an identity, None if one has no exact answer."""
    numbers = list[Fraction]()
    for problem, domains in identity.parts:
        number = exact_number(ask(Instance(problem.name, problem, domains)), problem)
        if number is None:
            return None
        numbers.append(number)
    return numbers


def exact_number(outcomes: Outcomes, problem: Problem) -> Fraction | None:
    """Return the number of models of an outcome, None if it is not exact."""
    row, stated = outcomes.rows[0], outcomes.trajectories.get(0, NOTHING).stated
    if row["status"] == Status.UNSATISFIABLE:
        return Fraction(0)
    if not row["complete"] or row["reason"] != Reason.NONE or stated is None:
        return None
    return Fraction(-stated, goal_of(problem).scale)
