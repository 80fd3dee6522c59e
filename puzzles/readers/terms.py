"""What is stated about the boards of a file: on the command line, in its last `#:` line, or in the line of a board.

    #: sudoku 4x4, alphabet 0123456789ABCDEF, count 1
    #: latin 30, hard

A `#:` line holds until the next one, which replaces it whole; what the command line states comes before it.
`hard` and `easy` are notes for people. Claims are `puzzle:count` or `puzzle:count:solution`; `2+` is at least two.
"""

import re
from dataclasses import dataclass

from puzzles import families
from puzzles.check import violations
from puzzles.layout import Domains, Layout, Puzzle, Solution
from puzzles.readers import marks
from puzzles.readers.source import Flaw, brief


@dataclass(frozen=True)
class Options:
    """What the command line states: `--as` and `--alphabet`."""

    as_: str | None = None
    alphabet: str | None = None


@dataclass(frozen=True)
class Terms:
    """What holds for the boards that follow: their layout and alphabet, if stated, and what is known of each."""

    as_: str | None = None
    alphabet: str | None = None
    count: int | None = None
    at_least: bool = False

    def layout(self) -> Layout | None:
        """The layout, if it is stated. Raises BadLayout."""
        return families.layout(self.as_, self.alphabet) if self.as_ else None


def stated(options: Options, directive: str = "") -> Terms:
    """The terms after a `#:` line of these words. Raises Flaw."""
    as_ = alphabet = count = None
    at_least = False
    for part in filter(None, map(str.strip, directive.split(","))):
        word, _, rest = part.partition(" ")
        if len(part) > 200:
            raise Flaw(f"{brief(part)} is too long for a '#:' line")
        if word in families.families():
            as_ = part
        elif word == "alphabet":
            alphabet = rest.strip()
        elif word == "count":
            count, at_least = number(rest.strip())
        elif part not in ("hard", "easy"):
            known = ", ".join(f.usage for f in families.families().values())
            raise Flaw(f"'#:' takes a layout ({known}), alphabet, count, hard or easy, not {brief(part)}")
    terms = Terms(options.as_ or as_, options.alphabet or alphabet, count, at_least)
    if as_ and terms.as_ == as_ and as_.partition(" ")[0] != "colouring":
        terms.layout()
    return terms


def number(text: str) -> tuple[int, bool]:
    """A claimed number of solutions, and whether it is a lower bound: '3' or '2+'. Raises Flaw."""
    match = re.fullmatch(r"([0-9]{1,18})(\+?)", text)
    if not match:
        raise Flaw(f"{brief(text)} is no number of solutions: expected one such as 1, or 2+ for at least two")
    return int(match[1]), bool(match[2])


def puzzle(name: str, layout: Layout, domains: Domains, terms: Terms, claim: str = "") -> Puzzle:
    """A puzzle with what its own line claims, or else its file. Raises Flaw where the claimed solution can't be one."""
    count, at_least = terms.count, terms.at_least
    count_text, _, solution_text = claim.partition(":")
    if count_text.strip() or not solution_text:
        count, at_least = number(count_text.strip()) if claim else (count, at_least)
    known = None
    if solution_text and (count != 0 or at_least):
        known = solution(layout, domains, solution_text)
    return Puzzle(name, layout, domains, count, at_least, known)


def solution(layout: Layout, domains: Domains, text: str) -> Solution:
    """A claimed solution, checked against its puzzle and the rules. Raises Flaw."""
    try:
        masks = marks.board(layout, text)
    except Flaw as e:
        raise Flaw(f"the solution: {e}") from None
    for s, mask in enumerate(masks):
        if mask.bit_count() != 1 or (mask == layout.full and text.strip() in marks.OPEN):
            raise Flaw(f"the solution leaves {layout.squares[s]} open")
    found = tuple(mask.bit_length() - 1 for mask in masks)
    if wrong := violations(layout, domains, found):
        raise Flaw(f"the solution contradicts its puzzle: {wrong[0]}")
    return found
