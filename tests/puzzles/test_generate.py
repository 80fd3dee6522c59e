"""Generated puzzles have the properties of their kind; shipped corpora match their recipes."""

from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from pysat.solvers import Solver

from backends.contract.answer import Ask, Session
from backends.native import python
from encoders.formula import AllDifferent
from puzzles.boards.families import layout
from puzzles.boards.families.colouring import graph
from puzzles.boards.layout import Layout
from puzzles.formats import read
from puzzles.generating import generate, graphs, grids, writing
from puzzles.generating.generate import Oracle
from puzzles.generating.recipes import RECIPES, Colouring, StatedBoards, find_recipe
from puzzles.problem.check import violations
from puzzles.problem.values import Domains
from tests.effort import slow_after

PUZZLES = Path(generate.__file__).parents[1] / "corpora"
NINE = layout("sudoku 3x3")


@cache
def session(board: Layout) -> Session:
    return python.open(AllDifferent(len(board.squares), len(board.values), board.units))


def reference_effort(board: Layout, domains: Domains, limit: int) -> int:
    return session(board).ask(Ask(domains, 2, 1e5, limit)).counters["decisions"]


def count_by_search(board: Layout, domains: Domains, limit: int) -> int:
    return len(session(board).ask(Ask(domains, limit, 1e5)).solutions)


@cache
def clauses(board: Layout) -> list[list[int]]:
    """Return the clauses of a board, written here so that counting shares no code with the generator."""
    n = len(board.values)
    some = [[s * n + v + 1 for v in range(n)] for s in range(len(board.squares))]
    one = [[-s * n - v - 1, -s * n - w - 1] for s in range(len(board.squares)) for v in range(n) for w in range(v)]
    apart = [
        [-s * n - v - 1, -p * n - v - 1]
        for s, peers in enumerate(board.peers)
        for p in peers
        if p < s
        for v in range(n)
    ]
    return some + one + apart


def count_by_sat(board: Layout, domains: Domains, limit: int) -> int:
    """Count solutions by adding a blocking clause for each."""
    n = len(board.values)
    found = 0
    with Solver("minisat22", bootstrap_with=clauses(board)) as solver:
        for s, d in enumerate(domains):
            solver.append_formula([[-s * n - v - 1] for v in range(n) if not d >> v & 1])
        while found < limit and solver.solve():
            found += 1
            solver.add_clause([-literal for literal in solver.get_model() if literal > 0])
    return found


BY_SEARCH = Oracle(count_by_search, reference_effort)
BY_SAT = Oracle(count_by_sat, reference_effort)


def shipped(name: str) -> list[tuple[Layout, str, Domains, str]]:
    """Return (layout, other directives, board, claim of the line) for each line of a corpus."""
    found, board, stated = [], NINE, ""
    for text in (PUZZLES / name).read_text(encoding="utf-8").splitlines():
        if text.startswith("#:"):
            fields = text[2:].strip().split(", ")
            alphabet = next((f.removeprefix("alphabet ") for f in fields if f.startswith("alphabet")), None)
            board, stated = layout(fields[0], alphabet), ", ".join(fields[1:])
        elif not text.startswith("#"):
            cells, _, claim = text.partition(":")
            symbols = cells.split() if " " in cells else list(cells)
            assert len(symbols) == len(board.squares)
            masks = {v: 1 << i for i, v in enumerate(board.values)} | {".": board.full, "0": board.full}
            found.append((board, stated, tuple(masks[c] for c in symbols), claim))
    return found


def given(board: Domains) -> list[int]:
    return [s for s, d in enumerate(board) if d.bit_count() == 1]


@pytest.mark.parametrize(
    "name", ["sudoku 2x3", "sudoku 3x3", "sudoku 3x4", "sudoku 4x4", "sudoku 2x8", "latin 1", "latin 7", "latin 40"]
)
def test_a_full_grid_has_no_violations(name: str) -> None:
    board = layout(name)
    grid = grids.full_grid(board, Random("a"))
    assert violations(board, board.open, grid) == []
    assert grids.full_grid(board, Random("a")) == grid
    assert len(grid) == 1 or grids.full_grid(board, Random("b")) != grid


@pytest.mark.slow
def test_mixing_changes_the_cycles_of_the_25x25_cyclic_grid() -> None:
    """In the cyclic grid, two lines of a band trade in cycles of five; mixing changes most cycles."""
    board = layout("sudoku 5x5")
    cycles = {length(grids.full_grid(board, Random(seed)), 25) for seed in range(3)}
    assert length(grids.cyclic_grid(board), 25) == 5
    assert cycles - {5}


def length(grid: tuple[int, ...], n: int) -> int:
    """Return how many squares of the first row must trade with the second if the first square does."""
    row, s, steps = grid[:n], 0, 1
    while (s := row.index(grid[n + s])) != 0:
        steps += 1
    return steps


def test_digging_removes_every_given_that_can_be_removed() -> None:
    kept = {3, 4, 40, 80}
    board = generate.givens(grids.full_grid(NINE, Random(1)))
    for seed in range(5):
        dug = generate.dig(NINE, board, Random(seed), lambda trial: kept <= set(given(trial)))
        assert set(given(dug)) == kept
    assert len(given(generate.dig(NINE, board, Random(1), lambda trial: True, floor=17))) == 17


@pytest.mark.parametrize("kind", ["easy", "minimal", "several", "unsolvable"])
def test_a_puzzle_does_not_depend_on_the_solver_that_counts(kind: str) -> None:
    small = layout("sudoku 2x3")
    for n in range(4):
        assert generate.nth(small, kind, 1, n, BY_SEARCH).domains == generate.nth(small, kind, 1, n, BY_SAT).domains


@pytest.mark.parametrize("kind", slow_after(1, sorted(generate.KINDS)))
def test_puzzles_depend_on_the_seed_and_not_on_the_length_of_the_series(kind: str) -> None:
    options = {"effort": 1} if kind == "hard" else {}
    first = [p.domains for p in islice(generate.series(NINE, kind, 1, BY_SEARCH, **options), 2)]
    assert [generate.nth(NINE, kind, 1, n, BY_SEARCH, **options).domains for n in (1, 0)] == first[::-1]
    assert generate.nth(NINE, kind, 2, 0, BY_SEARCH, **options).domains not in first
    assert first[0] != first[1]


def test_a_scramble_keeps_the_number_of_solutions_and_of_givens() -> None:
    puzzle = next(p for p in generate.series(NINE, "several", 1, BY_SEARCH) if not p.at_least)
    moved = generate.scramble(puzzle, Random(1))
    assert moved.domains != puzzle.domains
    assert len(given(moved.domains)) == len(given(puzzle.domains))
    assert count_by_sat(NINE, moved.domains, 200) == puzzle.count == moved.count


def test_impossible_kinds_and_layouts_raise_generation_errors() -> None:
    with pytest.raises(grids.GenerationError, match="without a solution"):
        generate.nth(layout("latin 1"), "unsolvable", 1, 0, BY_SEARCH)
    with pytest.raises(grids.GenerationError, match="colouring"):
        grids.full_grid(graph(3, 2, [(0, 1)]), Random(1))


@pytest.mark.parametrize(
    "name", sorted(name for name, recipe in RECIPES.items() if not isinstance(recipe, StatedBoards))
)
def test_a_shipped_corpus_is_reproduced_byte_for_byte(name: str) -> None:
    """Compare whole files if they are quick to make, otherwise the first puzzle of each part."""
    recipe, text = RECIPES[name], (PUZZLES / name).read_text(encoding="utf-8")
    if isinstance(recipe, Colouring) or name == "easy.txt":
        assert "".join(f"{line}\n" for line in writing.corpus_lines(name, recipe, BY_SEARCH)) == text
        return
    lines = text.splitlines()
    shown = [line for line in lines if line[0] != "#"]
    assert lines[:2] == [f"# {line}" for line in recipe.comments]
    assert [line for line in lines if line.startswith("#:")] == [
        writing.directive_line(layout(p.layout, p.alphabet), p.alphabet, p.directives) for p in recipe.parts
    ]
    for part in recipe.parts:
        places = part.indices or range(part.puzzles)
        mine, shown = shown[: len(places)], shown[len(places) :]
        if quick(part.layout, part.kind):
            board = layout(part.layout, part.alphabet)
            again = generate.nth(board, part.kind, recipe.seed, places[0], BY_SEARCH, **part.options)
            assert writing.puzzle_line(again, "count" in part.directives) == mine[0]
    assert not shown


def quick(name: str, kind: str) -> bool:
    """Return True if the reference makes one such puzzle in about a second."""
    slow = {"sudoku 5x5", "sudoku 6x6", "latin 20", "latin 25"}
    return kind != "hard" and name not in slow and (name, kind) != ("sudoku 4x4", "minimal")


def test_shipped_easy_puzzles_are_solved_by_singles_and_have_one_solution() -> None:
    boards = shipped("easy.txt")
    assert len(boards) == 100
    for board, stated, domains, claim in boards:
        assert (stated, claim) == ("count 1", "")
        assert reference_effort(board, domains, 1) == 0
    assert all(count_by_sat(NINE, domains, 2) == 1 for _, _, domains, _ in boards[:20])


def test_shipped_minimal_puzzles_are_minimal() -> None:
    boards = shipped("minimal.txt")
    assert len(boards) == 100
    for board, _, domains, _ in boards[::12]:
        assert count_by_sat(board, domains, 2) == 1
        assert all(count_by_search(board, generate.open_squares(board, domains, [s]), 2) == 2 for s in given(domains))


def test_shipped_hard_puzzles_cost_the_reference_sixty_branchings() -> None:
    boards = shipped("hard.txt")
    assert len(boards) == 50
    for board, _, domains, _ in boards:
        assert reference_effort(board, domains, 1000) >= 60
        assert count_by_search(board, domains, 2) == 1


def test_shipped_unsolvable_boards_cover_all_three_ways_to_have_no_solution() -> None:
    boards = shipped("unsolvable.txt")
    assert all((stated, claim) == ("count 0", "") for _, stated, _, claim in boards)
    assert all(count_by_sat(board, domains, 1) == 0 for board, _, domains, _ in boards)
    with_equal_givens = [d for _, _, d, _ in boards if any(has_equal_givens(d, unit) for unit in NINE.units)]
    rows = [d for d in with_equal_givens if any(has_equal_givens(d, row) for row in NINE.units[:9])]
    searched = [d for _, _, d, _ in boards if reference_effort(NINE, d, 1)]
    assert rows
    assert len(with_equal_givens) == 6
    assert len(searched) == 7
    assert len(boards) == 20


def has_equal_givens(board: Domains, unit: tuple[int, ...]) -> bool:
    """Return True if a unit holds equal givens."""
    held = [board[s] for s in unit if board[s].bit_count() == 1]
    return len(set(held)) < len(held)


def test_shipped_boards_with_several_solutions_have_their_claimed_counts() -> None:
    boards = shipped("several.txt")
    for board, _, domains, claim in boards:
        exact = not claim.endswith("+")
        assert count_by_sat(board, domains, int(claim.rstrip("+")) + exact) == int(claim.rstrip("+")) >= 2
    assert 8 <= sum(not claim.endswith("+") for *_, claim in boards) < len(boards)


@pytest.mark.parametrize("name", ["sudoku-16.txt", "sudoku-25.txt", "latin.txt"])
def test_larger_corpora_are_half_easy_and_half_hard(name: str) -> None:
    boards = shipped(name)
    easy = [(board, domains) for board, stated, domains, _ in boards if "hard" not in stated]
    assert len(easy) * 2 == len(boards)
    assert all("count 1" in stated for _, stated, _, _ in boards)
    assert all(reference_effort(board, domains, 1) == 0 for board, domains in easy)


@pytest.mark.parametrize("name", [n for n, r in RECIPES.items() if isinstance(r, Colouring) and not r.hard])
def test_shipped_graphs_have_their_claimed_numbers_of_colourings(name: str) -> None:
    lines = (PUZZLES / name).read_text(encoding="ascii").splitlines()
    stated = dict(line.split()[1:] for line in lines if line.startswith(("c colours", "c count")))
    edges = [(int(line.split()[1]) - 1, int(line.split()[2]) - 1) for line in lines if line[0] == "e"]
    _, _, vertices, number = next(line for line in lines if line.startswith("p ")).split()
    assert int(number) == len(edges) == len(set(edges))
    board = graph(int(stated["colours"]), int(vertices), edges)
    claim = stated["count"]
    exact = not claim.endswith("+")
    assert count_by_sat(board, board.open, int(claim.rstrip("+")) + exact) == int(claim.rstrip("+"))


def test_mycielski_graphs_have_no_triangle() -> None:
    for k, size in ((2, (5, 5)), (3, (11, 20)), (4, (23, 71)), (5, (47, 236))):
        n, edges = graphs.mycielski(k)
        around = [{v for e in edges for v in e if u in e} - {u} for u in range(n)]
        assert (n, len(edges)) == size
        assert not any(around[u] & around[v] for u, v in edges)


def test_a_recipe_is_found_with_or_without_its_file_ending() -> None:
    assert find_recipe("easy") == find_recipe("easy.txt") == "easy.txt"
    assert find_recipe("myciel4") == "myciel4.col"
    assert find_recipe("hardest") is None
    assert all(isinstance(r, Colouring) == n.endswith(".col") for n, r in RECIPES.items())


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_the_reader_returns_the_boards_and_claims_of_the_recipe(name: str) -> None:
    puzzles = list(read(PUZZLES / name))
    recipe = RECIPES[name]
    if isinstance(recipe, Colouring):
        assert [p.problem.name for p in puzzles] == [f"colouring {recipe.colours}"]
        assert [f"{p.count}{'+' * p.at_least}" for p in puzzles] == [recipe.count]
        return
    if isinstance(recipe, StatedBoards):
        assert [p.problem.name for p in puzzles] == [part.layout for part in recipe.parts for _ in range(part.puzzles)]
        assert {p.count for p in puzzles} == {1}
        return
    boards = shipped(name)
    assert [(p.problem.key, p.domains) for p in puzzles] == [(board.key, domains) for board, _, domains, _ in boards]
    claims = [claim or stated.removesuffix(", hard").rpartition("count ")[2] for _, stated, _, claim in boards]
    assert [f"{p.count}{'+' * p.at_least}" for p in puzzles] == claims


def test_every_corpus_has_a_row_in_the_readme() -> None:
    """Series such as phase-planted-1, -2, -3 share a row."""
    readme = (PUZZLES / "README.md").read_text(encoding="utf-8")
    assert [name for name in RECIPES if name not in readme and not name.startswith("phase-planted")] == []
