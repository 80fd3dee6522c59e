"""The end of the construction: the sum that an objective is, variables too wide for their domains, and the instance.

All variables of a problem share their values, and a domain is a bit for each. So a variable of a million numbers costs
every other one a million bits. Where that is too much, variables that sums define are replaced, the widest first.
"""

from collections.abc import Iterable

from puzzles.constraints.all_different import AllDifferent
from puzzles.constraints.clauses import Clauses
from puzzles.constraints.expression import MAX_BITS, Expression
from puzzles.constraints.linear import Linear, Row, clause_as_row
from puzzles.constraints.moving import move
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Constraint, Instance, Problem
from puzzles.problem.values import Integers
from puzzles.readers.flatzinc.document import MAX_NUMBER, Ranges, size_of, united
from puzzles.readers.flatzinc.model import FlatModel
from puzzles.readers.flatzinc.replacing import GoalSum, Replacing
from puzzles.readers.refusal import Refusal
from puzzles.readers.xcsp3.bounding import MAX_CANDIDATES

MAX_VALUES = 1 << 16  # values of all variables together
WIDTHS = (
    MAX_NUMBER,
    1 << 16,
    1 << 13,
    1 << 10,
    1 << 7,
)  # variables wider than these are replaced, one width after another


def values_of(model: FlatModel, kept: Iterable[int]) -> Ranges:
    """Return the numbers that variables take together."""
    return united([part for domain in {model.domains[x] for x in kept} for part in domain]) or ((0, 0),)


def finished(name: str, model: FlatModel, goal: GoalSum | None) -> Instance[Problem]:
    """Return the instance. Raises Refusal."""
    replacing = Replacing(model, goal)
    if goal and len(goal.terms) == 1:
        (v,) = goal.terms
        if len(replacing.defined.get(v, ())) == 1 and not replacing.trees.get(v):
            replacing.replace(v)
    reduced(replacing)
    kept = [x for x in range(len(model.names)) if model.find(x) == x and x not in replacing.gone]
    constants = set(model.constants.values())
    kept = [x for x in kept if x not in constants] + [x for x in kept if x in constants]
    return instance(name, model, replacing.goal, kept)


def reduced(replacing: Replacing) -> None:
    """Replace wide variables until the others fit. Raises Refusal if they do not."""
    model = replacing.model
    for width in (*WIDTHS, 0):
        kept = [x for x in range(len(model.names)) if model.find(x) == x and x not in replacing.gone]
        values = size_of(values_of(model, kept))
        if values <= MAX_VALUES and values * len(kept) <= MAX_CANDIDATES:
            return
        for x in sorted(kept, key=lambda x: -size_of(model.domains[x])):
            if not width or size_of(model.domains[x]) < width:
                break
            replacing.replace(x)
    if values > MAX_NUMBER:
        raise Refusal(["integer variables without bounds"])
    raise Refusal([f"{len(kept)} variables with {values} values"])


def instance(name: str, model: FlatModel, goal: GoalSum | None, kept: list[int]) -> Instance[Problem]:
    """Return the instance of the variables that are kept. Raises Refusal."""
    at = {x: i for i, x in enumerate(kept)}
    values = values_of(model, kept)
    starts, total = dict[int, int](), 0
    for first, last in values:
        starts[first] = total - first
        total += last - first + 1
    numbers = Integers(range(values[0][0], values[0][1] + 1) if len(values) == 1 else listed(values))
    masks = {domain: mask_of(domain, values, starts) for domain in {model.domains[x] for x in kept}}
    found = constraints(model, at, values == ((0, 1),))
    terms = {at[x]: a for x, a in goal.terms.items()} if goal else {}
    objective = LinearObjective.of(terms, goal.offset, goal.maximise) if goal else None
    problem = Problem(name, tuple(model.names[x] for x in kept), numbers, tuple(found), objective=objective)
    if any(isinstance(part, Expression) and part.too_long(problem) for part in found):
        raise Refusal([f"expressions of more than {MAX_BITS:,.0f} bits"])
    return Instance(name, problem, tuple(masks[model.domains[x]] for x in kept))


def listed(values: Ranges) -> Iterable[int]:
    """Iterate over the numbers of a set."""
    return (number for first, last in values for number in range(first, last + 1))


def mask_of(domain: Ranges, values: Ranges, starts: dict[int, int]) -> int:
    """Return the mask of a domain, each part of which lies in a part of the values."""
    mask, j = 0, 0
    for first, last in domain:
        while values[j][1] < first:
            j += 1
        mask |= ((1 << last - first + 1) - 1) << first + starts[values[j][0]]
    return mask


def constraints(model: FlatModel, at: dict[int, int], boolean: bool) -> list[Constraint]:
    """Return the constraints with the variables' final indices."""
    rows: list[Row] = [
        (list(terms.values()), [at[x] for x in terms], sign, bound)
        for terms, sign, bound in model.sums
        if terms or (sign, bound) != ("=", 0)
    ]
    clauses = [move(Clauses, row, at.__getitem__) for row in model.rows.pop(Clauses, [])]
    if not boolean:
        rows += map(clause_as_row, clauses)
        clauses = []
    found: list[Constraint] = [Linear.of(rows)] if rows else []
    found += [Clauses.of(clauses)] if clauses else []
    for kind, held in model.rows.items():
        moved = tuple(move(kind, row, at.__getitem__) for row in held)
        found += [AllDifferent(moved) if kind is AllDifferent else kind(moved)] if moved else []
    for key, scopes in model.scopes.items():
        found.append(model.bodies[key](tuple(tuple(at[x] for x in scope) for scope in scopes)))
    return found
