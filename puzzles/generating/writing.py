"""Text of generated corpora, line by line: from recipes, or any number of puzzles of a kind.

Recipe and seed determine the text, independent of the solver that counts.
"""

from collections.abc import Iterator
from itertools import chain, islice
from random import Random

from puzzles.boards.families import layout
from puzzles.boards.layout import Layout, Puzzle
from puzzles.generating.boards import maker, nth_line
from puzzles.generating.generate import Oracle, nth, scramble
from puzzles.generating.graphs import GRAPHS
from puzzles.generating.recipes import Boards, Colouring, Recipe, StatedBoards

COMMAND = "python -m harness generate"
LICENCE = "MIT, as the rest of the project"


def corpus_lines(
    name: str, recipe: Recipe, oracle: Oracle, seed: int | None = None, limit: int | None = None
) -> Iterator[str]:
    """Yield the lines of a corpus; `seed` and `limit` (puzzles per part) override those of the recipe."""
    command = f"{COMMAND} {name} --seed {recipe.seed if seed is None else seed}"
    if isinstance(recipe, Colouring):
        return graph_lines(recipe, command, recipe.seed if seed is None else seed)
    command = command if limit is None else f"{command} -n {limit}"
    heading = (f"# {line}" for line in (*recipe.comments, f"Source: made by {command}", f"Licence: {LICENCE}"))
    if isinstance(recipe, StatedBoards):
        return chain(heading, part_lines(recipe, oracle, seed, limit))
    return chain(heading, board_lines(recipe, oracle, seed, limit))


def part_lines(recipe: StatedBoards, oracle: Oracle, seed: int | None, limit: int | None) -> Iterator[str]:
    """Yield the boards of a corpus whose lines state their families."""
    for part in recipe.parts:
        yield f"#: {maker(part.layout.partition(' ')[0], part.kind).KINDS[part.kind]}"
        for n in islice(part.indices or range(part.puzzles), limit):
            yield nth_line(part.layout, part.kind, recipe.seed if seed is None else seed, n, oracle)


def board_lines(recipe: Boards, oracle: Oracle, seed: int | None, limit: int | None) -> Iterator[str]:
    """Yield the boards of a corpus."""
    for part in recipe.parts:
        board = layout(part.layout, part.alphabet)
        yield directive_line(board, part.alphabet, part.directives)
        for n in islice(part.indices or range(part.puzzles), limit):
            puzzle = nth(board, part.kind, recipe.seed if seed is None else seed, n, oracle, **part.options)
            yield puzzle_line(puzzle, "count" in part.directives)


def series_lines(
    board: Layout, alphabet: str | None, kind: str, seed: int, puzzles: int, base: int, command: str, oracle: Oracle
) -> Iterator[str]:
    """Yield lines of puzzles of a kind; after the first `base`, if not 0, these are scrambled."""
    yield f"# {puzzles} puzzles of the kind {kind}. Source: made by {command}"
    if base:
        yield f"# The first {base} are made from scratch, each of the others is one of these under a random symmetry."
    directives = {"several": "", "unsolvable": "count 0", "holes": "count 1+"}.get(kind, "count 1")
    yield directive_line(board, alphabet, directives)
    made: list[Puzzle] = []
    for n in range(puzzles):
        if base and n >= base:
            puzzle = scramble(made[n % base], Random(f"{seed} {board.name} scramble {n}"))
        else:
            puzzle = nth(board, kind, seed, n, oracle)
        if n < base:
            made.append(puzzle)
        yield puzzle_line(puzzle, bool(directives))


def nth_lines(layout: str, kind: str, seed: int, puzzles: int, command: str, oracle: Oracle) -> Iterator[str]:
    """Yield lines of boards of a kind that state their family."""
    yield f"# {puzzles} board{'s' * (puzzles != 1)} of the kind {kind}. Source: made by {command}"
    yield f"#: {maker(layout.partition(' ')[0], kind).KINDS[kind]}"
    for n in range(puzzles):
        yield nth_line(layout, kind, seed, n, oracle)


def directive_line(board: Layout, alphabet: str | None, directives: str) -> str:
    """Return the `#:` line: layout, alphabet if stated, and the other directives."""
    spelled = f"alphabet {alphabet}" if alphabet else ""
    return "#: " + ", ".join(filter(None, (board.name, spelled, directives)))


def puzzle_line(puzzle: Puzzle, stated: bool) -> str:
    """Return a board on one line, `.` or `0` for open squares; its count follows unless it is stated for all boards."""
    values = puzzle.problem.values
    spaced = any(len(v) > 1 for v in values)
    cells = [values[d.bit_length() - 1] if d.bit_count() == 1 else "0" if spaced else "." for d in puzzle.domains]
    claim = "" if stated or puzzle.count is None else f":{puzzle.count}{'+' * puzzle.at_least}"
    return (" " if spaced else "").join(cells) + claim


def graph_lines(recipe: Colouring, command: str, seed: int) -> Iterator[str]:
    """Yield the lines of a .col file."""
    name, *numbers = recipe.graph
    vertices, edges = GRAPHS[str(name)](Random(f"{seed} {recipe.graph}"), *numbers)
    yield from (f"c {line}" for line in (*recipe.comments, f"Source: made by {command}", f"Licence: {LICENCE}"))
    yield f"c colours {recipe.colours}"
    yield f"c count {recipe.count}"
    yield f"p edge {vertices} {len(edges)}"
    yield from (f"e {u + 1} {v + 1}" for u, v in edges)
