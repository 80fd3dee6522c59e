"""Corpora as text, line by line: recipes, and puzzles of a kind as many as one wants.

Text follows from recipe and seed alone, whatever solver does the counting.
"""

from collections.abc import Iterator
from itertools import islice
from random import Random

from puzzles.families import layout
from puzzles.generating.generate import Oracle, nth, scramble
from puzzles.generating.graphs import GRAPHS
from puzzles.generating.recipes import Boards, Colouring, Recipe
from puzzles.layout import Layout, Puzzle

COMMAND = "python -m harness generate"
LICENCE = "MIT, as the rest of the project"


def text(name: str, recipe: Recipe, oracle: Oracle, seed: int | None = None, limit: int | None = None) -> Iterator[str]:
    """The lines of a corpus; another `seed`, and at most `limit` puzzles a part, make another corpus of its kind."""
    command = f"{COMMAND} {name} --seed {recipe.seed if seed is None else seed}"
    if isinstance(recipe, Colouring):
        return dimacs(recipe, command, recipe.seed if seed is None else seed)
    return boards(recipe, command if limit is None else f"{command} -n {limit}", oracle, seed, limit)


def boards(recipe: Boards, command: str, oracle: Oracle, seed: int | None, limit: int | None) -> Iterator[str]:
    """The lines of a corpus of boards."""
    yield from (f"# {line}" for line in (*recipe.says, f"Source: made by {command}", f"Licence: {LICENCE}"))
    for part in recipe.parts:
        board = layout(part.layout, part.alphabet)
        yield heading(board, part.alphabet, part.states)
        for n in islice(part.which or range(part.puzzles), limit):
            puzzle = nth(board, part.kind, recipe.seed if seed is None else seed, n, oracle, **part.options)
            yield line(puzzle, "count" in part.states)


def free(
    board: Layout, alphabet: str | None, kind: str, seed: int, puzzles: int, base: int, command: str, oracle: Oracle
) -> Iterator[str]:
    """Any number of puzzles of a kind; with `base`, only so many from scratch, and the others scrambles of those."""
    yield f"# {puzzles} puzzles of the kind {kind}. Source: made by {command}"
    if base:
        yield f"# The first {base} are made from scratch, each of the others is one of these under a random symmetry."
    states = {"several": "", "unsolvable": "count 0", "holes": "count 1+"}.get(kind, "count 1")
    yield heading(board, alphabet, states)
    made: list[Puzzle] = []
    for n in range(puzzles):
        if base and n >= base:
            puzzle = scramble(made[n % base], Random(f"{seed} {board.name} scramble {n}"))
        else:
            puzzle = nth(board, kind, seed, n, oracle)
        if n < base:
            made.append(puzzle)
        yield line(puzzle, bool(states))


def heading(board: Layout, alphabet: str | None, states: str) -> str:
    """The `#:` line: layout, alphabet where stated, and what holds for every puzzle from here on."""
    spelled = f"alphabet {alphabet}" if alphabet else ""
    return "#: " + ", ".join(filter(None, (board.name, spelled, states)))


def line(puzzle: Puzzle, stated: bool) -> str:
    """A board on one line, `.` or `0` for what is open, and its count unless that is `stated` for all."""
    values = puzzle.problem.values
    spaced = any(len(v) > 1 for v in values)
    cells = [values[d.bit_length() - 1] if d.bit_count() == 1 else "0" if spaced else "." for d in puzzle.domains]
    claim = "" if stated or puzzle.count is None else f":{puzzle.count}{'+' * puzzle.at_least}"
    return (" " if spaced else "").join(cells) + claim


def dimacs(recipe: Colouring, command: str, seed: int) -> Iterator[str]:
    """The lines of a .col file."""
    name, *numbers = recipe.graph
    vertices, edges = GRAPHS[str(name)](Random(f"{seed} {recipe.graph}"), *numbers)
    yield from (f"c {line}" for line in (*recipe.says, f"Source: made by {command}", f"Licence: {LICENCE}"))
    yield f"c colours {recipe.colours}"
    yield f"c count {recipe.count}"
    yield f"p edge {vertices} {len(edges)}"
    yield from (f"e {u + 1} {v + 1}" for u, v in edges)
