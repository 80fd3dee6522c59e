"""Parts of objectives that shrinking removes or makes smaller: terms, soft clauses, parts of expressions, and numbers.

Numbers become 1, half as large, or a power of two, so that a fault which needs a width ends at the edge of that width.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from harness.fuzzing.reducing.parts import nested, one_simpler, simpler_trees, without_one
from puzzles.constraints.expression import Tree, renamed, variables_of
from puzzles.constraints.linear import integers
from puzzles.objectives.expression import ExpressionObjective
from puzzles.objectives.linear import LinearObjective
from puzzles.objectives.soft import SoftClauses
from puzzles.problem import Objective


def sum_of(terms: Sequence[tuple[int, int]], offset: int, maximise: bool) -> LinearObjective:
    """Return the sum of these terms, coefficient and variable, which is minimised; `maximise` is the source's sense."""
    variables = np.array([x for _, x in terms], np.int32)
    return LinearObjective(integers([a for a, _ in terms]), variables, offset, maximise)


def is_known(goal: Objective) -> bool:
    """Return True if the parts of this kind are known."""
    return isinstance(goal, LinearObjective | SoftClauses | ExpressionObjective)


def scope(goal: Objective) -> set[int]:
    """Return the variables of an objective of a known kind."""
    if isinstance(goal, LinearObjective):
        return set(goal.variables.tolist())
    if isinstance(goal, SoftClauses):
        return {abs(x) - 1 for _, row in goal.rows for x in row}
    assert isinstance(goal, ExpressionObjective)
    return set(variables_of(goal.tree))


def renumbered(goal: Objective, at: Mapping[int, int]) -> Objective:
    """Return an objective of a known kind with the new indices of its variables."""
    if isinstance(goal, LinearObjective):
        return sum_of([(a, at[x]) for a, x in goal.terms], goal.offset, goal.maximise)
    if isinstance(goal, SoftClauses):
        return SoftClauses.of([(w, [(at[abs(x) - 1] + 1) * (1 if x > 0 else -1) for x in row]) for w, row in goal.rows])
    assert isinstance(goal, ExpressionObjective)
    return ExpressionObjective(renamed(goal.tree, at), goal.maximise)


def size(goal: Objective | None) -> int:
    """Return the number of parts and the size of numbers, which shrinking reduces."""
    if isinstance(goal, LinearObjective):
        return sum(1 + number_size(a) for a, _ in goal.terms) + number_size(goal.offset)
    if isinstance(goal, SoftClauses):
        return sum(1 + number_size(weight) + len(row) for weight, row in goal.rows)
    if isinstance(goal, ExpressionObjective):
        return nested(goal.tree) + sum(map(number_size, numbers_of(goal.tree)))
    return 0


def number_size(number: int) -> int:
    """Return the number of bits plus the number of one bits: a power of two is smaller than its neighbours."""
    return abs(number).bit_length() + abs(number).bit_count()


def numbers_of(tree: Tree) -> Iterator[int]:
    """Iterate over the numbers in a tree."""
    if tree[0] == "number":
        yield tree[1]
    elif tree[0] not in ("var", "set"):
        for part in tree[1:]:
            yield from numbers_of(part)


def rows(goal: Objective | None) -> Sequence[Any]:
    """Return the terms or soft clauses, any of which may be left out."""
    if isinstance(goal, LinearObjective):
        return goal.terms
    return goal.rows if isinstance(goal, SoftClauses) else ()


def with_rows(goal: Objective, kept: Sequence[Any]) -> Objective:
    """Return an objective with some of its terms or soft clauses."""
    if isinstance(goal, LinearObjective):
        return sum_of(kept, goal.offset, goal.maximise)
    assert isinstance(goal, SoftClauses)
    return SoftClauses.of(kept)


def simpler(goal: Objective | None) -> Iterator[Objective]:
    """Yield objectives with one number smaller, a literal less, or a part in place of an expression."""
    if isinstance(goal, LinearObjective):
        yield from (sum_of(goal.terms, offset, goal.maximise) for offset in (0, *smaller(goal.offset)) if goal.offset)
        for terms in one_simpler(goal.terms, lambda term: ((a, term[1]) for a in smaller(term[0]))):
            yield sum_of(terms, goal.offset, goal.maximise)
    elif isinstance(goal, SoftClauses):
        for kept in one_simpler(goal.rows, simpler_soft):
            yield SoftClauses.of(kept)
    elif isinstance(goal, ExpressionObjective):
        for tree in (*simpler_trees(goal.source_tree), *smaller_numbers(goal.source_tree)):
            yield ExpressionObjective.of(tree, goal.maximise)


def simpler_soft(row: tuple[int, list[int]]) -> Iterator[tuple[int, list[int]]]:
    """Yield a soft clause with a smaller weight, or without one literal."""
    weight, literals = row
    yield from ((less, literals) for less in smaller(weight))
    yield from ((weight, list(kept)) for kept in without_one(tuple(literals)))


def smaller_numbers(tree: Tree) -> Iterator[Tree]:
    """Yield trees with one number smaller."""
    if tree[0] == "number":
        yield from (("number", less) for less in smaller(tree[1]))
    elif tree[0] not in ("var", "set"):
        for i, part in enumerate(tree[1:], 1):
            yield from ((*tree[:i], less, *tree[i + 1 :]) for less in smaller_numbers(part))


def smaller(number: int) -> Iterator[int]:
    """Yield smaller numbers of the same sign: 1, a half, a power of two, less by one bit. None is 0."""
    if number == 0:
        return
    sign, size = (1 if number > 0 else -1), abs(number)
    for less in dict.fromkeys(
        (1, size >> size.bit_length() // 2, size >> 1, 1 << size.bit_length() - 1, size & size - 1)
    ):
        if less > 0 and number_size(less) < number_size(size):
            yield sign * less
