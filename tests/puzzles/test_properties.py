"""Layouts and the check of a solution on random boards, compared with naive definitions."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from puzzles.boards import families
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import BadLayout
from puzzles.generating.generate import scramble
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, bits
from tests import boards
from tests.brute_force import solutions
from tests.effort import examples


@given(boards.boards(), st.data())
@settings(max_examples=examples(120))
def test_a_solution_is_valid_iff_it_has_no_violations(case: tuple[Layout, list[Domains]], data: st.DataObject) -> None:
    layout, (domains, *_) = case
    top, size = len(layout.values), len(layout.squares)
    solution = data.draw(st.lists(st.integers(-1, top), min_size=size, max_size=size))
    right = tuple(solution) in solutions(layout, domains)
    wrong = violations(layout, domains, solution)
    assert (not wrong) == right
    none = sum(not 0 <= v < top for v in solution)
    if none:
        assert len(wrong) == none
    else:
        outside = sum(not mask >> v & 1 for v, mask in zip(solution, domains, strict=True))
        assert len(wrong) == outside + sum(len(unit) - len({solution[s] for s in unit}) for unit in layout.units)
    assert violations(layout, domains, solution[1:]) == [f"has {size - 1} values, not {size}"]


@given(boards.layouts())
@settings(max_examples=examples(100))
def test_peers_are_the_squares_that_share_a_unit(layout: Layout) -> None:
    for s in range(len(layout.squares)):
        assert [u for u, unit in enumerate(layout.units) if s in unit] == list(layout.units_of[s])
        assert list(layout.peers[s]) == [
            p for p in range(len(layout.squares)) if p != s and any(s in unit and p in unit for unit in layout.units)
        ]
        assert all(s in layout.peers[p] for p in layout.peers[s])


@given(st.sets(st.integers(0, 200) | st.integers(4000, 9000)))
@settings(max_examples=examples(60))
def test_bits_lists_the_values_of_a_mask(values: set[int]) -> None:
    assert list(bits(sum(1 << v for v in values))) == sorted(values)


words = st.sampled_from(["sudoku", "latin", "colouring", "2x2", "3", "0", "x", "-1", " ", "9" * 40, "2x", "é"])


@given(st.lists(words, max_size=4), st.none() | st.text(max_size=5))
@settings(max_examples=examples(200))
def test_any_text_is_rejected_or_names_a_layout_whose_name_finds_it_again(
    parts: list[str], alphabet: str | None
) -> None:
    try:
        layout = families.layout(" ".join(parts), alphabet)
    except BadLayout as e:
        refused = str(e)
    else:
        refused = ""
        assert families.layout(layout.name, alphabet) is layout
        assert len(set(layout.values)) == len(layout.values)
    assert "\n" not in refused


@given(st.sampled_from(["sudoku 2x2", "sudoku 1x3", "latin 3"]), st.integers(0, 999))
@settings(max_examples=examples(40))
def test_a_scramble_keeps_the_numbers_of_solutions_and_candidates(name: str, seed: int) -> None:
    layout, random = families.layout(name), Random(seed)
    kept = random.uniform(0.3, 0.7)
    domains = tuple(random.randint(1, layout.full) if random.random() < kept else layout.full for _ in layout.squares)
    other = scramble(Puzzle("one", layout, domains), random)
    assert sorted(map(int.bit_count, other.domains)) == sorted(map(int.bit_count, domains))
    if name != "sudoku 2x2":
        assert len(solutions(layout, other.domains)) == len(solutions(layout, domains))
