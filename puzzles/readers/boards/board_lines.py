"""Reader of boards with cages, sums or comparisons, and of jigsaws: each on a line that begins with its family.

    killer 2x2 aabbccddeeffgghh a=3 b=7 ...:1     the number of solutions that is claimed may follow a colon
    jigsaw aabbaabbccddccdd 1..............4      the regions, then a board

`#:` lines take `count` alone.
"""

from collections.abc import Iterator
from typing import Any

from puzzles.boards import families
from puzzles.boards import kinds as boards
from puzzles.errors import ParseError, brief
from puzzles.problem import Instance
from puzzles.readers.boards import marks
from puzzles.readers.boards.directives import Directives, make_puzzle, parse_count, parse_directives
from puzzles.readers.options import ReaderOptions
from puzzles.readers.source import Source

JIGSAW = "jigsaw"


def recognise(text: str) -> bool:
    """Return True if a line begins with the name of a family of such boards."""
    return text.partition(" ")[0] in {*boards.names(), JIGSAW}


def read_board_lines(source: Source, options: ReaderOptions, directives: Directives) -> Iterator[Instance[Any]]:
    """Yield the boards of a source. Raises ParseError or BadLayout at source.line."""
    for number, raw in source.lines:
        source.line = number
        text = raw.strip()
        if text.startswith("#:"):
            directives = parse_directives(options, text[2:])
        elif text and text[0] != "#":
            if not (recognise(text) or is_layout(text)):
                known = ", ".join(sorted((*boards.names(), JIGSAW)))
                raise ParseError(f"{brief(text)}: expected a line that begins with one of {known}")
            if directives.as_ and not is_layout(text):
                raise ParseError(f"the line states its family: leave out --as {directives.as_!r}")
            yield parse_line(f"{source.name}:{source.line}", text, directives)


def parse_line(name: str, text: str, directives: Directives) -> Instance[Any]:
    """Return the board of one line. Raises ParseError, BadLayout."""
    stated, colon, claim = text.partition(":")
    family, *words = stated.split()
    if is_layout(text):
        return on_layout(name, family, words, directives, claim)
    if directives.alphabet:
        raise ParseError(f"{family} boards hold numbers: leave out the alphabet {brief(directives.alphabet)}")
    problem, domains = boards.family(family).read(words)
    count = parse_count(claim.strip()) if colon else (directives.count, directives.at_least)
    return Instance(name, problem, domains, *count)


def is_layout(text: str) -> bool:
    """Return True if a line begins with the name of a family of layouts."""
    return text.partition(" ")[0] in families.families()


def on_layout(name: str, family: str, words: list[str], directives: Directives, claim: str) -> Instance[Any]:
    """Return a board of a layout, such as a jigsaw. Raises ParseError, BadLayout."""
    if len(words) < 2:
        raise ParseError(f"expected '{family} {'REGIONS' if family == JIGSAW else 'SIZE'} BOARD'")
    layout = families.layout(f"{family} {words[0]}", directives.alphabet)
    if directives.as_ and directives.layout() != layout:
        raise ParseError(f"the line states its layout, {brief(layout.name)}: leave out --as {directives.as_!r}")
    return make_puzzle(name, layout, marks.board(layout, " ".join(words[1:])), directives, claim)
