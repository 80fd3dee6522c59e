"""Directives about boards: from the command line, the last `#:` line, or the line of a board itself.

    #: sudoku 4x4, alphabet 0123456789ABCDEF, count 1
    #: latin 30, hard

A `#:` line applies until the next one, which replaces it entirely; the command line overrides both. `hard` and `easy`
are comments. Claims are written `puzzle:count` or `puzzle:count:solution`; `2+` means at least two.
"""

import re
from dataclasses import dataclass

from puzzles.boards import families
from puzzles.boards.layout import Layout, Puzzle
from puzzles.errors import ParseError, brief
from puzzles.problem.check import violations
from puzzles.problem.values import Domains, Solution
from puzzles.readers.boards import marks
from puzzles.readers.options import ReaderOptions


@dataclass(frozen=True)
class Directives:
    """Settings for the boards that follow: layout, alphabet and claimed number of solutions, if stated.

    `title` is the family whose rules the title of these boards names, '' if it names none.
    """

    as_: str | None = None
    alphabet: str | None = None
    count: int | None = None
    at_least: bool = False
    title: str = ""

    def layout(self) -> Layout | None:
        """Return the stated layout, or None. Raises BadLayout."""
        return families.layout(self.as_, self.alphabet) if self.as_ else None

    def with_rules(self, layout: Layout) -> Layout:
        """Return a layout that was guessed, with the rules that the title names. Raises BadLayout."""
        if not self.title or self.as_ or not layout.name.startswith("sudoku "):
            return layout
        box = layout.name.partition(" ")[2]
        parameters = str(len(layout.values)) if self.title == "latin" else box
        default = layout.values == families.layout(layout.name).values
        return families.layout(f"{self.title} {parameters}", None if default else "".join(layout.values))


def parse_directives(options: ReaderOptions, directive: str = "") -> Directives:
    """Return the directives in force after a `#:` line with this text. Raises ParseError or BadLayout."""
    as_ = alphabet = count = None
    at_least = False
    for part in filter(None, map(str.strip, directive.split(","))):
        word, _, rest = part.partition(" ")
        if len(part) > 200:
            raise ParseError(f"{brief(part)} is too long for a '#:' line")
        if word in families.families() or word in families.plugged():
            as_ = part
        elif word == "alphabet":
            alphabet = rest.strip()
        elif word == "count":
            count, at_least = parse_count(rest.strip())
        elif part not in ("hard", "easy"):
            known = ", ".join([*(f.usage for f in families.families().values()), *families.plugged()])
            raise ParseError(f"'#:' takes a layout ({known}), alphabet, count, hard or easy, not {brief(part)}")
    directives = Directives(options.as_ or as_, options.alphabet or alphabet, count, at_least)
    if as_ and directives.as_ == as_ and as_.partition(" ")[0] != "colouring":
        directives.layout()
    return directives


def parse_count(text: str) -> tuple[int, bool]:
    """Parse a claimed count, '3' or '2+': the number, and True if a lower bound. Raises ParseError."""
    match = re.fullmatch(r"([0-9]{1,18})(\+?)", text)
    if not match:
        raise ParseError(f"{brief(text)} is not a number of solutions: expected one such as 1, or 2+ for at least two")
    return int(match[1]), bool(match[2])


def make_puzzle(name: str, layout: Layout, domains: Domains, directives: Directives, claim: str = "") -> Puzzle:
    """Return a puzzle with the claims of its line, or else of its file. Raises ParseError."""
    count, at_least = directives.count, directives.at_least
    count_text, _, solution_text = claim.partition(":")
    if count_text.strip() or not solution_text:
        count, at_least = parse_count(count_text.strip()) if claim else (count, at_least)
    known = None
    if solution_text and (count != 0 or at_least):
        known = parse_solution(layout, domains, solution_text)
    return Puzzle(name, layout, domains, count, at_least, known)


def parse_solution(layout: Layout, domains: Domains, text: str) -> Solution:
    """Parse a claimed solution and check it against its puzzle and the rules. Raises ParseError."""
    try:
        masks = marks.board(layout, text)
    except ParseError as e:
        raise ParseError(f"the solution: {e}") from None
    if text.strip() in marks.OPEN and len(layout.values) == 1:
        raise ParseError(f"the solution leaves {layout.squares[0]} open")
    return checked_solution(layout, domains, masks)


def checked_solution(layout: Layout, domains: Domains, masks: Domains) -> Solution:
    """Return a claimed solution, checked against its puzzle and the rules. Raises ParseError."""
    for s, mask in enumerate(masks):
        if mask.bit_count() != 1:
            raise ParseError(f"the solution leaves {layout.squares[s]} open")
    found = tuple(mask.bit_length() - 1 for mask in masks)
    if wrong := violations(layout, domains, found):
        raise ParseError(f"the solution contradicts its puzzle: {wrong[0]}")
    return found
