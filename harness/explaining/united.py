"""Instances of single members in one model, for a solver that names cores.

Variables are known by their names. A variable that the source does not declare, such as a number among the operands of
XCSP3, belongs to its member alone. The values are those of all instances together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from encoders.direct import constraints
from encoders.formula import Constraints
from puzzles.constraints import moving
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Domains, Integers, Solution, Values, bits, ends_of, size_of


@dataclass(frozen=True)
class United:
    """The model without members, and each member with the domains that it leaves; `declared` variables by name."""

    background: Constraints
    parts: Sequence[tuple[Constraints, Domains]]
    declared: dict[str, int]
    values: Values

    def solution_of(self, part: Instance[Any], solution: Solution) -> Solution | None:
        """Return a solution of the model for an instance of some members, None if it lacks a value."""
        found = []
        index = {value: i for i, value in enumerate(part.problem.values)}
        for name, mask in zip(part.problem.variables, part.domains, strict=True):
            if name in self.declared:
                found.append(index.get(self.values[solution[self.declared[name]]]))
            else:
                found.append(ends_of(mask, part.problem.values)[0] if size_of(mask, part.problem.values) == 1 else None)
        return None if None in found else tuple(v for v in found if v is not None)


def united(whole: Instance[Any], parts: Sequence[Instance[Any]]) -> United | None:
    """Return the instances in one model, None if they do not fit in one."""
    values = common_values([whole.problem, *(part.problem for part in parts)])
    if values is None or not all(all(part.domains) for part in parts):
        return None
    declared = {name: x for x, name in enumerate(whole.problem.variables)}
    names, domains = list(whole.problem.variables), list(moved(whole, values))
    placed = list[list[int]]()
    for part in parts:
        at = list[int]()
        for name, mask in zip(part.problem.variables, moved(part, values), strict=True):
            at.append(declared.get(name, len(names)))
            if name not in declared:
                names.append(f"{name} {len(names)}")
                domains.append(mask)
        placed.append(at)
    model = Problem("a part", tuple(names), values, ())
    found = []
    for part, at in zip(parts, placed, strict=True):
        if not all(type(c) in moving.MOVE for c in part.problem.constraints):
            return None
        own = tuple(moving.renumbered(c, at.__getitem__) for c in part.problem.constraints)
        left = dict(zip(at, moved(part, values), strict=True))
        rules = constraints(Problem("a part", tuple(names), values, own))
        found.append((rules, tuple(left.get(x, mask) for x, mask in enumerate(domains))))
    return United(constraints(model, tuple(domains)), found, declared, values)


def common_values(problems: Sequence[Problem]) -> Values | None:
    """Return the values of all problems; None if they differ and are not integers of which each has a bit."""
    if all(problem.values == problems[0].values for problem in problems):
        return problems[0].values
    if any(problem.ranged or not isinstance(problem.values, Integers) for problem in problems):
        return None
    return Integers(sorted({int(value) for problem in problems for value in problem.values}))


def moved(instance: Instance[Any], values: Values) -> Domains:
    """Return the domains of an instance over values that contain its own."""
    own = instance.problem.values
    if own == values:
        return instance.domains
    index = {value: i for i, value in enumerate(values)}
    return tuple(sum(1 << index[own[v]] for v in bits(mask)) for mask in instance.domains)
