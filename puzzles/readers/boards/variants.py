"""Words that name rules, such as 'Sudoku-X' or 'anti-knight': found in titles, comments, names and cells of a file.

    rule    what a word names: 'diagonal', 'windoku', 'killer'; FAMILIES has the family of layouts of some
    remark  a line with such words, or a `#:` line

Remarks are found in all text of a file of boards, whatever its notation. Each is compared with the first board from
its line on, or with the last one: the rules of that board include those which the remark names, or the user has stated
the layout, or the file is refused. So no rule that a file names is left out in silence.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from puzzles.boards.layout import Layout
from puzzles.errors import ParseError, brief
from puzzles.problem import Instance

GAP = r"[-‐‑‒–—_' ]{0,3}"
SUDOKU = rf"{GAP}(?:sudokus?|doku)"
# Rules and their names. A name that is also a plain English word counts beside 'sudoku' alone.
WORDS = {
    "diagonal": rf"diagonal(?:s|e|en|es)?(?!{GAP}symm)|x{SUDOKU}|sudoku{GAP}x(?!{GAP}wing)|killer{GAP}x",
    "windoku": rf"windokus?|hyper{SUDOKU}|nrc{SUDOKU}",
    "latin": rf"latin{GAP}squares?|latin(?={SUDOKU})",
    "jigsaw": rf"jigsaws?|squiggly|nonominoe?s?|(?:irregular|geometry|geometric|chaos){SUDOKU}|sudoku{GAP}irregular",
    "killer": rf"killers?|sumdokus?|samunamupure|sums?{SUDOKU}",
    "kenken": r"kenkens?|calcudokus?|mathdokus?",
    "kakuro": rf"kakuros?|cross{GAP}sums?",
    "futoshiki": r"futoshikis?",
    "queens": rf"n{GAP}queens",
    "magic": rf"magic{GAP}squares?",
    "anti-knight": rf"anti{GAP}knights?|knight{GAP}s?{GAP}(?:move|step)s?",
    "anti-": rf"(?:anti|non){GAP}(?:knight|king|queen|rook|bishop|chess|diagonal|windoku|consecutive)\w*"
    rf"|kings?{GAP}move",
    "": rf"consecutive{SUDOKU}|sudoku{GAP}consecutive|kropki|thermo(?:meter)?s?(?={SUDOKU})|thermo{GAP}meters?"
    rf"|renban|nabner|girandola|argyle|samurai|gattai|twodoku|sohei|tridoku|disjoint{GAP}(?:groups?|sets?)"
    rf"|extra{GAP}regions?|(?:german|dutch){GAP}whispers?|greater{GAP}than|even{GAP}(?:and{GAP})?odd|odd{GAP}even"
    rf"|(?:arrow|sandwich|palindrome|skyscraper|frame|outside|asterisk|cent(?:er|re){GAP}dot|butterfly|flower"
    rf"|toroidal|torus|miracle|chess|knights?|kings?|magic|colou?r|parity|comparison|inequality|xv|quadruple|entropic"
    rf"|modular|zipper|clone|offset|product|battenburg|mirror|pyramid|string|multi|extra|whispers?|thermo|even|odd"
    rf"|cross|wheel|hoshi|star|cube|3d){SUDOKU}|sudoku{GAP}(?:dg|xv|mine|cube)",
}
RULES = tuple(WORDS)
# Each text that WORD matches has one of these, and str.find is faster than re.
STEMS = (
    *("#:", "doku", "diagonal", "latin", "jigsaw", "squiggly", "nonomino", "killer", "samunamupure", "kenken"),
    *("kakuro", "cross", "futoshiki", "queens", "magic", "anti", "non", "knight", "king", "kropki", "thermo", "renban"),
    *("nabner", "girandola", "argyle", "samurai", "gattai", "sohei", "disjoint", "extra", "whisper", "greater", "even"),
)
WORD = re.compile(
    rf"(?:(?<![^\W_])|(?<=#[a-z]))(?:{'|'.join(f'({pattern})' for pattern in WORDS.values())})(?![^\W_])|^[ \t]*#:.*"
)
# Families of layouts that differ by rules alone.
FAMILIES = {"diagonal": "sudoku-x", "windoku": "windoku", "latin": "latin", "anti-knight": "anti-knight"}
RULES_OF = {  # rules of boards, by the first word of the name of their problem
    "sudoku-x": {"diagonal"},
    "kenken": {"kenken", "latin"},
    "futoshiki": {"futoshiki", "latin"},
    "jigsaw": {"jigsaw", "latin"},
}
DENIED = re.compile(r"\b(?:no(?!\W*[0-9])|not|non|without|never|instead|unlike|except|plain|classic|ordinary|normal)\b")
SYMMETRY = re.compile(r"symmetr")


class Remark(NamedTuple):
    """A line with words that name rules, as (rule, word); without rules it is a `#:` line."""

    line: int
    text: str
    rules: tuple[tuple[str, str], ...]


def remarks(text: str, first: int = 1) -> Iterator[Remark]:
    """Yield the remarks of a text of whole lines, the first of which has that number."""
    lower = text.lower()
    if lower == text.upper():  # no letters
        return
    text = text if len(text) == len(lower) else lower
    before = 0
    for start, end in lines_with(STEMS, lower):
        first, before = first + lower.count("\n", before, start), start
        matches = list(WORD.finditer(lower[start:end]))
        rules = dict.fromkeys((RULES[match.lastindex - 1], match[0]) for match in matches if match.lastindex)
        if matches and not (rules and SYMMETRY.search(lower, start, end)):
            yield Remark(first, text[start:end].strip(), tuple(rules))


def lines_with(stems: Iterable[str], text: str) -> list[tuple[int, int]]:
    """Return start and end of each line that has one of the stems, in order."""
    found = set[tuple[int, int]]()
    for stem in stems:
        at = text.find(stem)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            found.add((text.rfind("\n", 0, at) + 1, end))
            at = text.find(stem, end)
    return sorted(found)


def titled(text: str) -> str:
    """Return the family of layouts whose rules a title names, '' if it names none, several, or rules of no family."""
    rules = {rule for remark in remarks(text) for rule, _ in remark.rules}
    return FAMILIES.get(rules.pop(), "") if len(rules) == 1 and not DENIED.search(text.lower()) else ""


class Remarks:
    """The remarks of a file in order, as its lines are read, and the file's name, which may name rules too.

    states  tells if a `#:` line states a layout
    """

    def __init__(self, name: str, states: Callable[[str], bool]) -> None:
        self.name = name
        self.states = states
        self.stated = False
        self.ahead: deque[Remark] = deque()

    def through(self, texts: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """Yield texts of whole lines, each with its first line's number, and note their remarks."""
        for first, text in texts:
            self.ahead.extend(remarks(text, first))
            yield first, text

    def compared(self, boards: Iterator[Instance[Any]], notify: Callable[[str], object]) -> Iterator[Instance[Any]]:
        """Yield boards. Raises ParseError for a remark that names other rules than its board has; of a name, notify."""
        last = None
        for board in boards:
            if self.ahead:
                self.compare(board, self.until(line_of(board)))
            if last is None and not self.stated:
                for remark in remarks(self.name):
                    if others := left_out(remark, board.problem.name):
                        notify(refusal(remark, others, board))
            yield board
            last = board
        if last is not None:
            stated = self.stated
            rest, self.stated = self.until(None), stated  # what is stated below the last board is of none
            self.compare(last, rest)

    def until(self, line: int | None) -> list[Remark]:
        """Return the remarks up to a line, None for all, after what `#:` lines among them state."""
        found = list[Remark]()
        while self.ahead and (line is None or self.ahead[0].line <= line):
            remark = self.ahead.popleft()
            if remark.rules:
                found.append(remark)
            else:
                self.stated = self.states(remark.text.removeprefix("#:"))
        return found

    def compare(self, board: Instance[Any], found: Iterable[Remark]) -> None:
        """Compare remarks with a board. Raises ParseError."""
        for remark in found:
            if not self.stated and (others := left_out(remark, board.problem.name)):
                raise ParseError(refusal(remark, others, board), remark.line)


def line_of(board: Instance[Any]) -> int:
    """Return the first line of a board, which its name ends with."""
    return int(board.name.rpartition(":")[2])


def left_out(remark: Remark, name: str) -> list[tuple[str, str]]:
    """Return the rules and words of a remark that a problem of this name does not have."""
    family, *parameters = name.split() or [""]
    rules = RULES_OF.get(family, {family}) | {"diagonal" for word in parameters if word == "diagonals"}
    return [] if family == "colouring" else [(rule, word) for rule, word in remark.rules if rule not in rules]


def refusal(remark: Remark, others: list[tuple[str, str]], board: Instance[Any]) -> str:
    """Return the message for a remark that names rules which its board does not have."""
    words = ", ".join(dict.fromkeys(word for _, word in others))
    said = f"{brief(remark.text)} names rules ({words}) that the board is read without: "
    name, rules = board.problem.name, {rule for rule, _ in remark.rules}
    kind, _, size = name.partition(" ")
    if kind == "jigsaw" or not isinstance(board.problem, Layout):
        return f"{said}boards of {kind} have no such rules; leave the words out if its own rules are all"
    plain = f"--as '{name}' if the rules of {name} are all"
    if rules == {"jigsaw"}:
        return f"{said}a jigsaw needs its map, as in --as 'jigsaw REGIONS'; state {plain}"
    family = FAMILIES.get(next(iter(rules)), "") if len(rules) == 1 else ""
    values = len(board.problem.values)
    boxed = {name: f"{name} {size}" for name in ("sudoku-x", "anti-knight")}
    layouts = boxed | {"windoku": "windoku" * (values == 9), "latin": f"latin {values}"}
    if kind != "sudoku" or not layouts.get(family):
        return f"{said}no family of layouts here has them; state {plain}"
    return f"{said}state --as '{layouts[family]}', or {plain}"
