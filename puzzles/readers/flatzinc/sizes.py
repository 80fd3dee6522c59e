"""The end of the construction: the sum that an objective is, variables too wide for their domains, and the instance.

All variables of a problem share their values, and a domain is a bit for each. So a variable of a million numbers costs
every other one a million bits. Where that is too much, variables that sums define are replaced, the widest first. If
the others are still too wide, none is replaced, and the domains of the instance are ranges.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from puzzles.constraints.clauses import Clauses
from puzzles.constraints.linear import Linear, clause_as_row
from puzzles.constraints.moving import move
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.declared import Part
from puzzles.readers.bounding import bounded
from puzzles.readers.building import MAX_NUMBER, GrowingProblem, size_of, too_many, values_of
from puzzles.readers.flatzinc.model import EVERYTHING, FlatModel
from puzzles.readers.flatzinc.replacing import GoalSum, Replacing

MAX_NOTED = 3  # variables of a note
Note = Callable[[str, bool], object]  # takes a note on the source; True: programs read the same instance in it
WIDTHS = (
    MAX_NUMBER,
    1 << 16,
    1 << 13,
    1 << 10,
    1 << 7,
)  # variables wider than these are replaced, one width after another


class FlatInstance(NamedTuple):
    """The instance, and the function that gives the part of a declared name that a variable of the model is."""

    instance: Instance[Problem]
    part_of: Callable[[int], Part]
    gone: Sequence[int]


def finished(name: str, model: FlatModel, goal: GoalSum | None, note: Note) -> FlatInstance:
    """Return the instance. Raises Refusal."""
    replacing = Replacing(model, goal)
    if goal and len(goal.terms) == 1:
        (v,) = goal.terms
        if len(replacing.defined.get(v, ())) == 1 and not replacing.trees.get(v):
            replacing.replace(v)
    replacing = reduced(replacing)
    model = replacing.model
    kept = [x for x in range(len(model.names)) if model.find(x) == x and x not in replacing.gone]
    constants = set(model.constants.values())
    kept = [x for x in kept if x not in constants] + [x for x in kept if x in constants]
    at = {x: i for i, x in enumerate(kept)}

    def part_of(x: int) -> Part:
        terms, constant = replacing.sum_of(model.find(x))
        return constant, *chain.from_iterable((a, at[y]) for y, a in terms.items())

    return FlatInstance(instance(name, model, replacing.goal, at, note), part_of, tuple(replacing.gone))


def reduced(whole: Replacing) -> Replacing:
    """Return the model with wide variables replaced until the others fit; as it was if they do not."""
    replacing = whole
    for width in (*WIDTHS, 0):
        model = replacing.model
        kept = [x for x in range(len(model.names)) if model.find(x) == x and x not in replacing.gone]
        if not too_many(size_of(values_of(model.domains[x] for x in kept)), len(kept)):
            return replacing
        if replacing is whole:
            replacing = whole.copied()
        for x in sorted(kept, key=lambda x: -size_of(model.domains[x])):
            if not width or size_of(model.domains[x]) < width:
                break
            replacing.replace(x)
    return whole


def bound_by_constraints(found: GrowingProblem, note: Note) -> None:
    """Cut wide domains to the bounds that constraints leave, and note which variables had none."""
    before, found.domains = found.domains, bounded(found.domains, found.rows)
    implied = [
        f"{name} in {now[0][0]}..{now[-1][1]}"
        for name, was, now in zip(found.names, before, found.domains, strict=True)
        if was == EVERYTHING != now
    ]
    if implied:
        more = f" and {len(implied) - MAX_NOTED} more" if len(implied) > MAX_NOTED else ""
        note(f"integer variables without bounds: constraints imply {', '.join(implied[:MAX_NOTED])}{more}", True)


def instance(name: str, model: FlatModel, goal: GoalSum | None, at: Mapping[int, int], note: Note) -> Instance[Problem]:
    """Return the instance of the variables that are kept, `at` their final indices. Raises Refusal."""
    found = GrowingProblem()
    found.names, found.domains = [model.names[x] for x in at], [model.domains[x] for x in at]
    found.rows[Linear] = [
        (list(terms.values()), [at[x] for x in terms], sign, bound)
        for terms, sign, bound in model.sums
        if terms or (sign, bound) != ("=", 0)
    ]
    clauses = [move(Clauses, row, at.__getitem__) for row in model.rows.pop(Clauses, [])]
    if values_of(found.domains) == ((0, 1),):
        found.rows[Clauses] = clauses
    else:
        found.rows[Linear] += map(clause_as_row, clauses)
    for kind, rows in model.rows.items():
        found.rows[kind] = [move(kind, row, at.__getitem__) for row in rows]
    found.scopes = {key: [tuple(at[x] for x in scope) for scope in scopes] for key, scopes in model.scopes.items()}
    found.bodies = model.bodies
    if too_many(size_of(values_of(found.domains)), len(found.domains)):
        bound_by_constraints(found, note)
    terms = {at[x]: a for x, a in goal.terms.items()} if goal else {}
    objective = LinearObjective.of(terms, goal.offset, goal.maximise) if goal else None
    return found.instance(name, objective, empty=((0, 0),))
