"""CPMpy's expressions evaluated by CPMpy, without a solver: the variables get values, further ones are searched."""

from collections.abc import Sequence
from typing import Any

from encoders.formula import OBJECTIVE, Constraints, constraints_of
from harness.judging.translations.extending import MOST_NODES, Evaluated
from puzzles.problem.values import Domains, Solution


def of_expressions(backend: str, form: Constraints, domains: Domains, solution: Solution) -> Evaluated:
    """Evaluate the expressions of a problem."""
    from backends.cpmpy import import_cpmpy

    import_cpmpy(highs=False)
    from cpmpy.transformations.get_variables import get_variables

    from backends.cpmpy.model import TO_CPMPY, build
    from backends.cpmpy.objectives import goal_of

    form = constraints_of(form, backend, {*TO_CPMPY, OBJECTIVE})
    if not all(form.numbers[v] in form.members(mask) for mask, v in zip(domains, solution, strict=True)):
        return Evaluated(False)
    xs, constraints = build(form, [form.members(mask) for mask in domains])
    goal, constant, needed = (0, 0, []) if form.objective is None else goal_of(xs, form.objective, "")
    for x, v in zip(xs, solution, strict=True):
        x._value = form.numbers[v]
    parts = [(part, get_variables([part]) if hasattr(part, "args") else []) for part in (*constraints, *needed)]
    own = {x.name for x in xs}
    more = list({x.name: x for _, used in parts for x in used if x.name not in own}.values())
    at = {x.name: i for i, x in enumerate(more, 1)}
    ready: list[list[Any]] = [[] for _ in range(len(more) + 1)]  # what can be evaluated once so many have values
    for part, used in parts:
        ready[max((at.get(x.name, 0) for x in used), default=0)].append(part)
    allowed = searched(more, ready)
    value = None if form.objective is None or not allowed else int(value_of(goal)) + constant
    return Evaluated(allowed, value)


def value_of(part: Any) -> Any:
    return part.value() if hasattr(part, "value") else part


def searched(more: Sequence[Any], ready: Sequence[Sequence[Any]]) -> bool | None:
    """Search for values of further variables, in the order in which they are made; None if that takes too long."""
    nodes, waiting = 0, [(0, 0)]  # number of variables with values, and the value of the last of them
    while waiting:
        if (nodes := nodes + 1) > MOST_NODES:
            return None
        depth, value = waiting.pop()
        if depth:
            more[depth - 1]._value = value
        if not all(map(value_of, ready[depth])):
            continue
        if depth == len(more):
            return True
        low, high = more[depth].get_bounds()
        waiting += [(depth + 1, n) for n in range(int(low), int(high) + 1)]
    return False
