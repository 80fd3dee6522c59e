"""Read lines of boards, else boards in other arrangements, else say what was recognised and what helps.

Advice is tried before it is given: a layout to state, or a line to leave out, is named if the lines are read with it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from puzzles.boards.families.sudoku import MAX_BOX_SIDE
from puzzles.boards.layout import Puzzle
from puzzles.errors import BadLayout, ParseError, plural
from puzzles.readers.boards import shapes
from puzzles.readers.boards.cells import joined
from puzzles.readers.boards.directives import Directives
from puzzles.readers.boards.grids import read_boards
from puzzles.readers.boards.lookahead import Line
from puzzles.readers.boards.marks import Ambiguous, NotRows
from puzzles.readers.boards.sizes import PAGE
from puzzles.readers.options import ReaderOptions
from puzzles.readers.source import Source

MAX_TRIED = 2000  # lines with which advice is tried
MAX_CHARS, MAX_LINE = 2000, 200  # of the first lines, which are searched
KNOWN = [  # the beginning of a file, and its name
    (
        r"(?:\S*(?:sudokupad\.app|f-puzzles\.com)\S*|(?:scl|scf|ctc|fpuz|fpuzzles)[A-Za-z0-9+/=%]{20,})",
        "a link of SudokuPad",
    ),
    (r"(?:https?://\S*(?:puzz\.link|pzv\.jp|pzprxs)|pzprv3)", "a puzzle of puzz.link"),
    (r"(?:https?|ftp)://", "a link"),
    (r"[0-9]+[a-z]*:(?:[0-9]+[UDLR]*,)+", "a game ID of Unequal of Simon Tatham's collection, a futoshiki"),
    (r"[0-9]+[a-z]*:[_a-z0-9]+,[amsd][0-9]", "a game ID of Keen of Simon Tatham's collection, a KenKen"),
    (r"begin\s*\n\s*puzzle\b", "a puzzle of janko.at"),
    (r"(?:[0-9]+\s*\n)?\s*\[\s*\(", "a KenKen as a list of cages in brackets"),
    (r"(?:[0-9]+\s*\n)?\s*[0-9]+#[0-9-]+#", "a KenKen as a list of cages between #"),
    (r"(?s:.*\n)?\s*(?:No)?Clue\b", "a kakuro with a position on each line"),
    (r"[0-9]+\s*\n(?:\s*[0-9]+ [0-9]+ [0-9]+\s*\n)+\s*-1", "a board as rows, columns and values of its givens"),
    (r"SumoCue", "a killer or jigsaw of SumoCue with other parts than its sums and regions"),
]


def read_or_refuse(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[Puzzle]:
    """Yield puzzles. Raises ParseError or BadLayout."""
    taken, rest = list[Line](), source.lines
    try:
        yield from read(source, options, directives, taken)
    except NotRows as e:
        raise refusal([*taken, *islice(rest, MAX_TRIED)], e, options) from None
    except Ambiguous as e:
        e.line = e.line or source.line
        lines = [*taken, *islice(rest, MAX_TRIED)]
        if len(lines) > MAX_TRIED:
            raise
        ways = {way: means for way, means in e.ways.items() if is_read(lines, with_option(options, way))}
        raise Ambiguous(e.why, ways, e.line) from None


def read(source: Source, options: ReaderOptions, directives: Directives, taken: list[Line]) -> Iterator[Puzzle]:
    """Yield puzzles; `taken` receives the first lines. Raises NotRows if no line is read, ParseError or BadLayout."""
    rest = source.lines
    source.lines = chain(kept(islice(rest, shapes.MAX_LINES), taken), rest)
    puzzles = read_boards(source, options, directives)
    try:
        first = next(puzzles, None)
    except NotRows as e:
        error = NotRows(str(e), e.line or source.line, order=e.order)
        source.lines = shapes.translate(chain(tuple(taken), kept(rest, taken)), directives.layout())
        puzzles = read_boards(source, options, directives)
        try:
            first = next(puzzles)
        except shapes.NoShape as why:
            raise NotRows(str(why), why.line) if str(why) else error from None
        except StopIteration:
            raise error from None
    if first is not None:
        yield first
        try:
            yield from puzzles
        except NotRows as e:
            raise ParseError(str(e), e.line) from None


def kept(lines: Iterator[Line], taken: list[Line]) -> Iterator[Line]:
    """Yield lines, and keep them."""
    for line in lines:
        taken.append(line)
        yield line


def refusal(lines: Sequence[Line], error: NotRows, options: ReaderOptions) -> ParseError:
    """Return the error for lines that are not read, with advice that helps."""
    text = "".join(f"{line[:MAX_LINE].rstrip()}\n" for _, line in lines[:MAX_LINE])[:MAX_CHARS].lstrip()
    if name := next((name for start, name in KNOWN if re.match(start, text, re.MULTILINE)), ""):
        return ParseError(f"{name}, which is not read; {PAGE}")
    if len(lines) > MAX_TRIED or options.as_:
        return error
    order = error.order
    sides = [rows for rows in range(2, MAX_BOX_SIDE + 1) if order % rows == 0 and 2 <= order // rows <= MAX_BOX_SIDE]
    names = [*(f"sudoku {rows}x{order // rows}" for rows in sides), f"latin {order}"] if order else []
    layouts = [name for name in names if is_read(lines, replace(options, as_=name))]
    if layouts:
        ways = " or ".join(f"'{name}'" for name in layouts)
        return ParseError(f"{error}: the size does not determine the layout; state --as {ways}", error.line)
    if order and (alike := sum(len(joined(line)) == order for _, line in lines)):
        return ParseError(
            f"{error}: the layout is not stated, and {plural(alike, 'line')} of {order} make no board of {order} rows",
            error.line,
        )
    if is_read([line for line in lines if line[0] != error.line], options):
        return ParseError(f"{error}; put # before the line, and the rest is read", error.line)
    return ParseError(str(error), error.line)


def with_option(options: ReaderOptions, way: str) -> ReaderOptions:
    """Return the options with one more, '--as LAYOUT' or '--alphabet SYMBOLS'."""
    name, _, value = way.partition(" ")
    return replace(options, as_=value.strip("'")) if name == "--as" else replace(options, alphabet=value)


def is_read(lines: Sequence[Line], options: ReaderOptions) -> bool:
    """Return True if lines are read with these options."""
    try:
        return len(list(read(Source("", "", iter(lines)), options, Directives(options.as_, options.alphabet), []))) > 0
    except (ParseError, BadLayout):
        return False
