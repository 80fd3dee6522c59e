"""The order of qualities, and statements about the greatest, against numbers of any size in plain Python."""

import operator
from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from harness.judging.judge import Evidence
from harness.model.quality import Quality, Stated
from puzzles.problem.arrays import BoolArray

NUMBER = st.one_of(
    st.none(), st.integers(-3, 3), st.integers(-(2**63), 2**63 - 1), st.integers(-(2**90), 2**90)
)  # None: no solution
PAIRS = st.lists(st.tuples(NUMBER, NUMBER), max_size=8)
LOWEST = -(2**100)  # in place of no solution


def quality(numbers: list[int | None]) -> Quality:
    return Quality.of_numbers(
        np.array([n is not None for n in numbers], np.bool_), np.array([n or 0 for n in numbers], object)
    )


def key(number: int | None) -> int:
    return LOWEST if number is None else number


@given(PAIRS)
def test_qualities_are_ordered_as_numbers_with_no_solution_below_all(
    pairs: list[tuple[int | None, int | None]],
) -> None:
    one, other = quality([a for a, _ in pairs]), quality([b for _, b in pairs])
    assert one.below(other).tolist() == [key(a) < key(b) for a, b in pairs]
    assert one.same(other).tolist() == [a == b for a, b in pairs]
    assert one.below(other).dtype == one.same(other).dtype == np.bool_


@given(st.lists(st.tuples(st.integers(0, 2), NUMBER), max_size=12))
def test_the_greatest_and_the_least_statement_are_kept(said: list[tuple[int, int | None]]) -> None:
    greatest, least, most = Stated.none(3), Stated.none(3), dict[int, int]()
    for at, number in said:
        changed = greatest.raise_to(np.array([at]), quality([number]))
        assert changed.tolist() == [at] * (at not in most or key(number) > most[at])
        most[at] = max(key(number), most.get(at, key(number)))
        least.lower_to(np.array([at]), quality([number]))
    for at in range(3):
        numbers = sorted((n for i, n in said if i == at), key=key)
        assert greatest.given[at] == least.given[at] == bool(numbers)
        if numbers:
            assert greatest[np.array([at])].same(quality([numbers[-1]])).all()
            assert least[np.array([at])].same(quality([numbers[0]])).all()


@given(PAIRS)
def test_nothing_is_said_where_nothing_is_stated(pairs: list[tuple[int | None, int | None]]) -> None:
    stated, other = Stated.none(len(pairs)), quality([b for _, b in pairs])
    every = np.arange(len(pairs))
    relations: dict[Callable[[Quality], BoolArray], Callable[[int, int], bool]] = {
        stated.same: operator.eq,
        stated.below: operator.lt,
        stated.above: operator.gt,
    }
    assert not any(relation(other).any() for relation in relations)
    stated.put(every[::2], quality([a for a, _ in pairs[::2]]))
    for relation, of in relations.items():
        expected = [i % 2 == 0 and of(key(a), key(b)) for i, (a, b) in enumerate(pairs)]
        assert relation(other).tolist() == expected


def test_evidence_has_groups_for_qualities_below_zero_and_beyond_64_bits() -> None:
    evidence, at = Evidence.empty(2), np.array([1, 2])
    verified = quality([-(2**70), -5])
    evidence.verified[at] = verified
    evidence.add_complete(at, verified, np.uint64(1))
    evidence.add_complete(at, quality([-(2**70) - 1, -5]), np.uint64(2))
    assert evidence.agreed().tolist() == [False, False, True]
    assert evidence.answered().tolist() == [False, True, True]
    evidence.add_complete(at, quality([2**70, None]), np.uint64(4))
    assert evidence.answered().tolist() == [False, False, True]
    assert evidence.complete.above(evidence.verified).tolist() == [False, True, False]
