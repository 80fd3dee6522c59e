"""Words of OPB: the syntax of 2005, names and labels of VeriPB, turned into what `sums.py` reads.

    +1*x1  + 1 x1  +x1  - x1      the terms +1 x1, +1 x1, +1 x1, -1 x1
    @row +1 x1 >= 1 ;             a row with a label, which is dropped

Programs of the competitions do not read these, nor some other forms that people write: a file that has one is *beyond*
them, and they get a file that is written.

words   of a statement, each with its line and column
"""

import re
from collections.abc import Iterator

from puzzles.constraints.linear import COMPARISONS
from puzzles.readers.opb.sums import NUMBER, NUMBERED, UNSIGNED, VARIABLE, Statement

WORD = re.compile(
    r"@[^\s;]+|(?:min|max|soft|preserved):|<==>|==>|<==|[<>!]?=|[;*]"
    r"|~?[A-Za-z_](?:[^\s;<>=!*+-]|-(?![0-9]+\s*\*))*+"  # a name, with any '-' but that of a term such as -2*x1
    r"|[+-]?[0-9][^\s;<>=!\[\]*+-]*+|[\[\]+-]|[^\s;<>=!\[\]*+-]+|\S",
    re.ASCII,
)  # blanks stand between numbers and variables
SIGNS = "+-"
Beyond = set[str]  # forms that programs of the competitions do not read


def words_of(text: str, line: int) -> list[tuple[str, int, int]]:
    """Return the words of a line, each with its line and column."""
    return [(match[0], line, match.start() + 1) for match in WORD.finditer(text)]


def modern(statement: Statement, beyond: Beyond) -> Statement:
    """Return a statement without labels, whose terms are a coefficient and literals; note what it had beyond that."""
    labels = next((i for i, (word, _, _) in enumerate(statement) if word[0] != "@"), 0)
    if labels:
        beyond.add("labels of rows")
    if statement[labels][0] == "preserved:":
        beyond.add("'preserved:'")
    else:
        beyond.update(forms(statement[labels:]))
    return list(terms(statement[labels:]))


def terms(statement: Statement) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a statement, with a sign that stands apart joined to its number, and without '*'."""
    words = [word for word, _, _ in statement] + [""]
    sign = ""
    for i, (word, line, column) in enumerate(statement):
        after = words[i + 1]
        if word in SIGNS and UNSIGNED.fullmatch(after):
            sign = word
        elif word in SIGNS and VARIABLE.fullmatch(after):
            yield f"{word}1", line, column
        elif not (word == "*" and i and NUMBER.fullmatch(words[i - 1]) and VARIABLE.fullmatch(after)):
            yield sign + word, line, column
            sign = ""


def forms(statement: Statement) -> Iterator[str]:
    """Yield the forms of a statement that programs of the competitions do not read."""
    before = " "
    for word, _, _ in statement:
        literal = VARIABLE.fullmatch(word) is not None
        if literal and not NUMBERED.fullmatch(word):
            yield "names other than x1, x2, ..."
        if literal and not (before == "*" or NUMBER.fullmatch(before) or VARIABLE.fullmatch(before)):
            yield "terms without a coefficient"
        if word == "*":
            yield "'*' between a coefficient and its variable"
        if before in SIGNS and UNSIGNED.fullmatch(word):
            yield "signs that stand apart"
        before = word
    if statement[0][0] in COMPARISONS:
        yield "empty sums"
    if statement[0][1] != statement[-1][1]:
        yield "statements over several lines"
