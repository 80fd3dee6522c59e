"""No encoding of the registry is another one with its variables renamed or negated."""

from collections import Counter

import pytest

from backends.pysat.handle import clauses_of
from encoders.at_most_one import AT_MOST_ONE, Clauses, Pattern, sequential
from encoders.formula import Cnf
from encoders.registry import ENCODINGS, Spec
from puzzles.boards.families import layout

Invariant = tuple[tuple[object, int], ...]
ROUNDS = 3


def invariant(clauses: Clauses, free: int) -> Invariant:
    """Return a value that is equal for formulas that differ only by renaming variables and by signs above `free`.

    It is the multiset of the clauses' colours after a few rounds of colour refinement, so it also ignores the order of
    the literals up to `free`: different values prove that formulas differ, equal ones prove nothing.
    """
    colour = {x: hash((0, abs(x) <= free and x > 0, abs(x) <= free)) for clause in clauses for x in clause}
    colour |= {-x: hash((0, abs(x) <= free and x < 0, abs(x) <= free)) for x in list(colour)}
    clause_colours: list[int] = []
    for _ in range(ROUNDS):
        clause_colours = [hash(tuple(sorted(colour[x] for x in clause))) for clause in clauses]
        near: dict[int, list[int]] = {x: [] for x in colour}
        for clause, of_clause in zip(clauses, clause_colours, strict=True):
            for x in clause:
                near[x].append(of_clause)
        own = {x: hash((colour[x], tuple(sorted(near[x])))) for x in colour}
        colour = {x: hash((own[x], own[-x])) for x in colour}
    return tuple(sorted(Counter(clause_colours).items()))


def pattern_invariant(pattern: Pattern, n: int) -> Invariant:
    return invariant(list(pattern.clauses), n)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 8, 9, 16, 25])
def test_no_two_at_most_one_patterns_are_equal_up_to_renaming_and_signs(n: int) -> None:
    patterns = {name: one(n) for name, one in AT_MOST_ONE.items() if not one(n).native}
    with_auxiliaries = {name: p for name, p in patterns.items() if p.auxiliaries}
    assert len({pattern_invariant(p, n) for p in with_auxiliaries.values()}) == len(with_auxiliaries)
    without = set(patterns) - set(with_auxiliaries)
    assert without == ({"pairwise", "product", "commander"} if n < 5 else {"pairwise"})


def test_the_invariant_ignores_names_and_signs_of_auxiliaries() -> None:
    n = 9
    other = [tuple(x if abs(x) <= n else -x // abs(x) * (3 * n - abs(x)) for x in c) for c in sequential(n).clauses]
    assert other != list(sequential(n).clauses)
    assert invariant(other[::-1], n) == pattern_invariant(sequential(n), n)


def test_no_two_clause_encodings_of_a_board_are_equal_up_to_renaming_and_signs() -> None:
    board = layout("sudoku 2x3")
    domains = (1, *board.open[1:])  # a given, without which `reduced` is another
    found = {}
    for encoding in ENCODINGS.values():
        if encoding.formula is Cnf and encoding.name != "direct":  # which is extended, on a board
            for name in AT_MOST_ONE:
                formula = Spec(encoding, name).formula(board, domains)
                assert isinstance(formula, Cnf)
                first = int(max(max(row) for row in formula.literal))
                rows = [tuple(c) for c in clauses_of(formula)]
                found[f"{encoding.name}+{name}"] = invariant(rows, first), len(formula.at_most)
    same = Counter(found.values())
    assert [name for name, value in found.items() if same[value] > 1] == []
