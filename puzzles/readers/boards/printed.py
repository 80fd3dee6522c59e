"""What `show` and `solve` print around a board: the names of rows and columns, tags of squares, the line of the answer.

      1 2 3   4 5 6   7 8 9        a line of columns, and each row after its letter
    A 5 3 a | . 7 . | . . .        a lower-case letter tags an open square; below the board, its names are listed
    ...

    boards.txt:3: native: satisfiable, 1 solution, no others, 26 decisions, ...

They are taken out of the text of a file, and its lines keep their numbers.
"""

import re
from collections.abc import Iterable, Iterator

from puzzles.boards.families.sudoku import row_name

ANSWER = re.compile(
    r"\S.*: \S+: (?:satisfiable, [0-9,]+ solutions?, |unsatisfiable\b|unknown \().*"
    r"|It has no solution: .*"
    r"|(?:about )?[0-9][0-9.,]*(?: x 10\^[0-9]+)? ways? to fill the squares with these candidates\."
    r"|Only show and trace take tags: .*"
)
COLUMNS = re.compile(r" +1(?: +[0-9]+)+")
TAG = re.compile(r"(?<![^\s|])[a-z](?![^\s|])")
TAGGED = re.compile(r"[a-z](?: [a-z])*  +[A-Z]+[0-9].*")
# Each text that is taken out has one of these.
MARKS = (
    "satisfiable",
    "unknown (",
    "It has no solution: ",
    " to fill the squares ",
    "Only show and trace ",
    " 1  ",
    " 1 2 ",
)


def plain(texts: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield texts of whole lines, each with its first line's number, without what is around boards."""
    for first, text in texts:
        yield first, plain_text(text) if any(mark in text for mark in MARKS) else text


def plain_text(text: str) -> str:
    """Return a text of lines without what is around boards; each line is there, perhaps blank."""
    lines = text.split("\n")
    row = names = 0  # the next row of a board with names, of which there are so many; 0 outside of such a board
    tagged = False
    for at, line in enumerate(lines):
        margin = len(row_name(names - 1)) + 1 if names else 0
        if names and line[margin:].startswith(("|", "+")) and not line[: margin - 1].strip(row_name(row) + " "):
            lines[at] = TAG.sub(".", line[margin:])  # a frame begins the line of a board with walls
            row += line[0] != " " or line[margin - 2] != " "
        elif names and row < names:
            name = row_name(row)
            if re.match(rf" *{name}[ |]", line):
                rest = line.lstrip()[len(name) :]
                lines[at] = " " * (len(line) - len(rest)) + TAG.sub(".", rest)
                row += 1
            elif line.strip(" -+|"):
                names = 0
        elif (
            COLUMNS.fullmatch(line)
            and is_counted(line)
            and at + 1 < len(lines)
            and re.match(r" *A[ |]|[ +-]+$", lines[at + 1])
        ):
            first = lines[at + 1].replace("|", " ").split()
            lines[at], row, tagged = "", 0, True
            names = max(int(line.split()[-1]), len(first) - 1 if first[0] == "A" else 0)
        elif (tagged and TAGGED.fullmatch(line)) or ANSWER.fullmatch(line):
            lines[at] = ""
    return "\n".join(lines)


def is_counted(line: str) -> bool:
    """Return True if a line has the numbers from 1 on, of which narrow columns leave out some of two digits."""
    numbers = [*map(int, line.split())]
    return numbers[:9] == [*range(1, 10)][: len(numbers)] and numbers == sorted(set(numbers))
