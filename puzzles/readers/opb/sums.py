"""Statements of OPB and WBO: weighted sums of literals and of products of literals.

    +3 x1 -2 ~x2 x3 >= 2         the terms 3 x1 and -2 (1 - x2) x3, the comparison, the bound

literal    x + 1 for variable x, -(x + 1) for ~x; a name such as y_x1_5 has a number beyond MAX_VARIABLES
term       a coefficient and the literals of its product, mostly one
statement  its words up to the ';', each with its line and column
"""

import re
from collections.abc import Callable, Sequence

from puzzles.constraints.linear import COMPARISONS
from puzzles.errors import ParseError, brief
from puzzles.readers.source import Source

NUMBER = re.compile(r"[+-]?[0-9]+")
FRACTION = re.compile(r"[+-]?[0-9]*[./][0-9]+")
UNSIGNED = re.compile(r"[0-9]+")
VARIABLE = re.compile(r"~?[A-Za-z_][A-Za-z0-9_.^/\[\]{}]*")
NUMBERED = re.compile(r"~?x(?=0*[1-9])[0-9]+")
MAX_DIGITS = 4000  # of a coefficient: Python converts up to 4,300
MAX_VARIABLES = 1 << 24
Statement = Sequence[tuple[str, int, int]]
Numbers = Callable[[str], int]  # of names other than x1, x2, ...
Term = tuple[int, tuple[int, ...]]
Comparison = tuple[list[Term], str, int]


def parse_constraint(statement: Statement, source: Source, named: Numbers) -> Comparison:
    """Return the terms, the sign and the bound of a constraint. Raises ParseError."""
    signs = ", ".join(COMPARISONS)
    at = next((i for i, (word, _, _) in enumerate(statement) if word in COMPARISONS), len(statement))
    terms = parse_terms(statement[:at], source, f"a coefficient, a variable, or one of {signs}", named)
    if at == len(statement):
        raise ParseError(f"a constraint without one of {signs}")
    sign, source.line, column = statement[at]
    bound = [word for word, _, _ in statement[at + 1 :]]
    if len(bound) != 1 or not NUMBER.fullmatch(bound[0]):
        raise ParseError(f"expected an integer and ';' after {sign}, not {brief(' '.join(bound))}", column=column)
    return terms, sign, integer(bound[0])


def parse_terms(statement: Statement, source: Source, expected: str, named: Numbers) -> list[Term]:
    """Return the terms of a sum; the first may have no coefficient. Raises ParseError."""
    terms, coefficient, literals = list[Term](), 1, list[int]()
    alone = ""  # a coefficient without its variable
    for word, line, column in statement:
        source.line = line
        if NUMBER.fullmatch(word):
            if alone:
                raise ParseError(f"{brief(word)} follows a coefficient: expected a variable such as x1", column=column)
            if literals:
                terms.append((coefficient, tuple(literals)))
            coefficient, literals, alone = integer(word), [], word
        elif VARIABLE.fullmatch(word):
            number, alone = numbered(word, column) or named(word.lstrip("~")), ""
            literals.append(-number if word.startswith("~") else number)
        else:
            raise ParseError(f"{brief(word)}: expected {expected}{hint(word)}", column=column)
    if alone:
        raise ParseError(f"expected a variable such as x1 after {brief(alone)}", column=column)
    return [*terms, (coefficient, tuple(literals))] if literals else terms


def numbered(word: str, column: int) -> int:
    """Return the number of x1, x2, ..., or 0 for another name. Raises ParseError."""
    if not NUMBERED.fullmatch(word):
        return 0
    if len(word) > MAX_DIGITS or (number := int(word.lstrip("~x"))) > MAX_VARIABLES:
        raise ParseError(f"{brief(word)}: variables are x1 to x{MAX_VARIABLES}", column=column)
    return number


def hint(word: str) -> str:
    """Return advice on a word that is no part of a sum, '' without any."""
    if FRACTION.fullmatch(word):
        return "; numbers are whole: multiply the sum, and its bound, by the same number"
    if word[:1] in "<=" and word[-1:] in ">=" and len(word) > 2:
        return "; reified constraints are not read: write the rows that they stand for"
    minus = word.isascii() and "-" in word[1:] and not NUMBER.match(word)
    return "; no name has a '-': put a blank before one that subtracts" if minus else ""


def parse_soft(statement: Statement) -> tuple[int, Statement]:
    """Return the cost of a soft constraint, and its other words. Raises ParseError."""
    words = [word for word, _, _ in statement[:3]]
    if len(words) < 3 or not UNSIGNED.fullmatch(words[1]) or words[2] != "]":
        text = re.sub("].*", "]", "".join(words))
        raise ParseError(f"{brief(text)}: expected a cost such as [5]", *statement[0][1:])
    return integer(words[1]), statement[3:]


def parse_top(statement: Statement) -> int | None:
    """Return the number of `soft: NUMBER ;`, a bound that all costs must stay below; None if it is not stated."""
    _, line, column = statement[0]
    words = [word for word, _, _ in statement[1:]]
    if len(words) > 1 or not all(map(UNSIGNED.fullmatch, words)):
        raise ParseError(f"{brief(' '.join(words))}: expected one number after 'soft:', or none", line, column)
    return integer(words[0]) if words else None


def integer(text: str) -> int:
    """Return the integer of a text. Raises ParseError if it is too long."""
    if len(text) > MAX_DIGITS:
        raise ParseError(f"an integer of {len(text)} digits: at most {MAX_DIGITS} are read")
    return int(text)
