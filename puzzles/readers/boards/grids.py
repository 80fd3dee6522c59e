"""Reader of boards: on one line or one line per row, drawn, as candidate grids, as numbers.

A line becomes, in this order, a blank line or comment, a directive, a section, a rule, a heading or size, and else a
whole board or a row, with a claim after ':' or remarks around it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isqrt
from operator import attrgetter

from puzzles.boards import families
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import BadLayout, ParseError, brief
from puzzles.readers.boards import marks, remarks, variants
from puzzles.readers.boards.classify import classify
from puzzles.readers.boards.directives import Directives, checked_solution, make_puzzle, parse_directives
from puzzles.readers.boards.lookahead import Lookahead
from puzzles.readers.boards.normalise import normalise
from puzzles.readers.boards.region_maps import ReadBoard, joined_at_corner, with_regions
from puzzles.readers.boards.rows import BoardRows
from puzzles.readers.boards.rules import is_open_row, is_rule
from puzzles.readers.boards.sizes import is_size
from puzzles.readers.options import ReaderOptions
from puzzles.readers.source import Source

HEADING = re.compile(r"(?i)(grid|puzzle|sudoku|board|game|no\.|nr\.|solution|answer)\s*#?\d+\s*[:.]?")
SOLVED = re.compile(r"(?i)\W*(?:the )?(?:solution|answer)\W*\d*\W*")  # heading of the solution of the board before
SECTION = re.compile(r"\[\s*(\w+)\s*\]")
NINE = 81  # squares of a board of order 9
NO_BOARD = re.compile("(?!)")
PUZZLE = attrgetter("puzzle")


def read_boards(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Yield the boards of a source. Raises ParseError or BadLayout at source.line.

    A note follows if the layout was guessed and every board breaks it, but none the rules of a Latin square.
    """
    doubtful: str | None = None
    try:
        found = with_claims(with_regions(boards(source, options, directives), source))
        for puzzle, stated, *_ in found:
            doubtful = puzzle.problem.name if stated.as_ is None and breaks_boxes_alone(puzzle) else None
            yield puzzle
            if not doubtful:
                yield from map(PUZZLE, found)
    finally:
        if doubtful:
            n = isqrt(len(families.layout(doubtful).squares))
            source.note(
                f"every board read has equal givens in a box of {doubtful}, and none in a row or column:"
                f" if they are Latin squares, state --as 'latin {n}'"
            )


def with_claims(boards: Iterator[ReadBoard]) -> Iterator[ReadBoard]:
    """Yield boards; one below a heading such as 'Solution:' is the claim of the board before it. Raises ParseError."""
    held: ReadBoard | None = None
    try:
        for board in boards:
            if held and board.is_claim and is_full(board.puzzle):
                board = held._replace(puzzle=claimed(held.puzzle, board))
            elif held:
                yield held
            held = board
    except (ParseError, BadLayout):
        if held:
            yield held
        raise
    if held:
        yield held


def is_full(puzzle: Puzzle) -> bool:
    """Return True if every square has a given."""
    return all(d.bit_count() == 1 for d in puzzle.domains)


def claimed(puzzle: Puzzle, solved: ReadBoard) -> Puzzle:
    """Return a puzzle with its claimed solution. Raises ParseError."""
    if puzzle.problem.values != solved.puzzle.problem.values:
        raise ParseError("the solution has other symbols than its puzzle: state --alphabet", solved.line)
    try:
        return replace(puzzle, solution=checked_solution(puzzle.problem, puzzle.domains, solved.puzzle.domains))
    except ParseError as e:
        raise ParseError(str(e), solved.line) from None


def breaks_boxes_alone(puzzle: Puzzle) -> bool:
    """Return True if equal givens are in a unit of the puzzle, but not in a row or a column."""
    layout = puzzle.problem
    latin = families.layout(f"latin {len(layout.values)}")
    if len(latin.squares) != len(layout.squares):
        return False
    broken = [unit for unit in layout.units if has_equal_givens(puzzle, unit)]
    return bool(broken) and set(latin.units).isdisjoint(broken)


def has_equal_givens(puzzle: Puzzle, unit: tuple[int, ...]) -> bool:
    """Return True if two squares of the unit are given the same value."""
    givens = [d for s in unit if (d := puzzle.domains[s]).bit_count() == 1]
    return len(set(givens)) < len(givens)


def boards(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[ReadBoard]:
    """Yield the boards of a source, maps of regions included."""
    lookahead = Lookahead(source.lines)
    rows, name = BoardRows(lookahead=lookahead), source.name
    skipping = False  # inside a section of a .sdk file other than [Puzzle]
    titled, is_claim = "", False  # the first title; True below one of a solution
    layout, size, masks, is_board = fast_path(directives)
    for number, raw in lookahead:
        if not rows.rows and not skipping and is_board(raw):
            board, rest = (raw, "") if len(raw) == size else (raw[:size], raw[size:].rstrip())
            if not rest:
                puzzle = Puzzle.marked(f"{name}:{number}", layout, board, masks, directives.count, directives.at_least)
                yield ReadBoard(puzzle, directives, number, size == NINE and joined_at_corner(board, 9), is_claim)
                is_claim = False
                continue
            if rest[0] in remarks.BREAKS and ":" not in rest:
                source.line = number
                claim, domains = remarks.claim(layout, remarks.FIELD_END.split(rest)), marks.domains(layout, board)
                puzzle = make_puzzle(f"{name}:{number}", layout, domains, directives, claim)
                yield ReadBoard(puzzle, directives, number, False)
                continue
        source.line = number
        raw = normalise(raw.rstrip("\r"))
        text = raw.strip()
        if not text and not is_open_row(raw, rows):
            rows.blank()
        elif text[:1] == "#":
            if text.startswith("#:"):
                rows.require_complete()
                directives = parse_directives(options, text[2:])
                rows = BoardRows(choice=rows.choice, lookahead=lookahead)
                layout, size, masks, is_board = fast_path(directives)
            else:
                rows.blank()
        elif section := SECTION.fullmatch(text):
            rows.require_complete()
            skipping = section[1].lower() != "puzzle"
        elif skipping or is_rule(text, rows, directives):
            continue
        elif (heading := HEADING.fullmatch(text)) or (not rows.rows and remarks.is_title(text, lookahead.peek())):
            rows.require_complete()
            is_claim = SOLVED.fullmatch(text) is not None
            if is_claim:
                continue
            if not heading:
                titled = titled or text
                source.note(f"a line of words before a board is its title, such as {brief(titled)}", as_it_is=True)
            directives = under_title(text, directives, source)
            layout, size, masks, is_board = fast_path(directives)
        elif rows.rows or not is_size(text, lookahead):
            first = rows.lines[0] if rows.rows else 0  # 0: the line may be a whole board
            if found := add_line(f"{name}:{number}", raw, rows, directives, number):
                n = isqrt(len(found.domains))
                yield ReadBoard(found, directives, first or number, joined_at_corner(found.domains, n), is_claim)
                is_claim = False
    rows.require_complete()


def under_title(text: str, directives: Directives, source: Source) -> Directives:
    """Return the directives for the boards under a line of words. Raises ParseError."""
    family = variants.titled(text)
    if directives.title and not family and not directives.as_:
        raise ParseError(
            f"{brief(text)} names no rules, and the title before it those of {directives.title}: state the layout of"
            " each with a line '#: LAYOUT' above its boards, or of all with --as"
        )
    if family and not directives.as_:
        source.note(f"{brief(text)} names the rules of its boards, which are read as {family}")
    return replace(directives, title=family)


def fast_path(directives: Directives) -> tuple[Layout, int, dict[str, int], Callable[[str], object]]:
    """Return the layout of one-line boards, 9x9 unless stated, their length and marks, and the test for such a line."""
    stated = directives.layout()
    layout = stated or families.layout("sudoku 3x3")
    masks, size = marks.mark_table(layout), len(layout.squares)
    known = not directives.title and (stated is not None or directives.alphabet is None)
    plain = marks.is_single(layout) and (len(layout.values) <= 9 or directives.alphabet is not None)
    if not (known and plain) or size < 2:  # of one mark, itemgetter makes no tuple
        return layout, size, masks, NO_BOARD.match
    characters = "".join(mark for mark in masks if len(mark) == 1)
    return layout, size, masks, re.compile(f"[{re.escape(characters)}]{{{size}}}").match


def add_line(name: str, raw: str, rows: BoardRows, directives: Directives, number: int) -> Puzzle | None:
    """Add a line to the board being read; return the puzzle if the line completes it."""
    head, colon, claim = raw.partition(":")
    try:
        layout, whole, cells = classify(head, rows, directives)
        if colon and not whole:
            raise marks.NotRows(
                f"{brief(raw.strip())}: a count or solution can follow only a board that is on one line"
            )
    except ParseError:
        found = None if rows.rows else remarks.find_board(raw, directives)
        if found is None:
            raise
        layout, cells, claim = found
        whole = True
    else:
        claim = remarks.claim_alone(layout, claim) if colon else claim
    if whole:
        layout, domains = resolve_alphabet(layout, cells, directives)
        return make_puzzle(name, layout, domains, directives, claim)
    rows.add(layout, cells, number)
    if len(rows.rows) < rows.n:
        return None
    lines = rows.lines
    try:
        layout, domains = resolve_alphabet(layout, rows.take_cells(), directives)
    except ParseError as e:
        e.line = lines[0 if e.cell is None else e.cell // rows.n]
        raise
    return make_puzzle(f"{name.rpartition(':')[0]}:{lines[0]}", layout, domains, directives)


def resolve_alphabet(layout: Layout, cells: marks.Cells, directives: Directives) -> tuple[Layout, tuple[int, ...]]:
    """Return the layout with the cells' alphabet, and the domains they state. Raises ParseError."""
    if directives.alphabet is None:
        alphabet = marks.infer_alphabet(cells, len(layout.values))
        layout = families.layout(layout.name, alphabet) if alphabet else layout
    layout = directives.with_rules(layout)
    return layout, marks.domains(layout, cells)
