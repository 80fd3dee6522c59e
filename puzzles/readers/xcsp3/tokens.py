"""Texts of XCSP3 elements: lists of tokens, expressions, conditions, tuples.

pycsp3's parser takes some wrong texts for others: it drops what follows an expression, the last character of a tuple
that is not closed, and an index too many. So every text is checked before that parser sees it. All functions raise
ParseError, without a line, and Refusal.

names  arrays with their sizes, and variables, with (), as they are declared
"""

import re
from collections.abc import Callable, Mapping

from puzzles.errors import ParseError, brief
from puzzles.readers.refusal import Refusal

Names = Mapping[str, tuple[int, ...]]
Check = Callable[[str, Names], None]

INT = r"[+-]?[0-9]{1,4000}+"
NAME = r"[A-Za-z][A-Za-z0-9_]*+"
VARIABLE = rf"{NAME}(?:\[[0-9.]*+\])*+"
SET = rf"\{{(?:{INT}(?:,{INT})*+)?\}}"
PARAMETER = r"%(?:[0-9]{1,6}|\.\.\.)"
CONDITION = re.compile(
    rf"\((?:(?:lt|le|gt|ge|eq|ne),(?P<operand>{INT}|{VARIABLE}|{PARAMETER})|(?:in|notin),(?:{SET}|{INT}\.\.{INT}|{PARAMETER}))\)"
)
TOKEN = re.compile(
    rf"(?:{INT}(?:\.\.{INT})?|\*|{PARAMETER}|{SET}|(?:{INT}|\*)x(?P<times>[0-9]{{1,9}}+)|(?P<variable>{VARIABLE}))"
)
EXPRESSION = re.compile(rf"(?P<open>[a-z]+)\(|(?P<leaf>{VARIABLE}|{INT}|%[0-9]{{1,6}})|(?P<comma>,)|(?P<close>\))")
BRACKET = re.compile(r"\[(?:([0-9]{1,9})(?:\.\.([0-9]{1,9}))?)?\]")
ITEM = rf"(?:{INT}|\*)"
TUPLES = re.compile(rf"(?:\({ITEM}(?:,{ITEM})*+\)\s*+)*+")
SMART = (  # what XCSP3 has in tuples: numbers, stars, symbols, ranges, sets, comparisons
    rf"(?:{ITEM}|{NAME}|{INT}\.\.{INT}|\{{[^{{}}()]*+\}}|(?:[<>]=?|!=|=|[\u2260\u2264\u2265]|{NAME}\()[^(),{{}}]++\)?)(?=[,)])"
)
SMART_TUPLES = re.compile(rf"(?:\({SMART}(?:,{SMART})*+\)\s*+)++")
UNARY = re.compile(rf"{INT}(?:\.\.{INT})?(?:\s++{INT}(?:\.\.{INT})?)*+")
TRANSITIONS = re.compile(rf"(?:\({NAME},{INT},{NAME}\)\s*+)++")
STATES = re.compile(rf"{NAME}(?:\s++{NAME})*+")
ROWS = re.compile(r"(?:\([^()]++\)\s*+)++")
ORDER = re.compile("l[te]|g[te]")
BLANKS = re.compile(r"\s++(?=[,)}])|(?<=[(,{])\s++")
MAX_DEPTH = 150  # nesting of operators
MAX_TIMES = 1 << 20
OPERANDS: dict[str, tuple[int, float]] = {  # operands of each operator: at least, at most
    **dict.fromkeys(("neg", "abs", "sqr", "not"), (1, 1)),
    **dict.fromkeys(("sub", "div", "mod", "pow", "dist", "lt", "le", "ge", "gt", "imp", "in", "notin"), (2, 2)),
    **dict.fromkeys(("add", "mul", "min", "max", "and", "or", "xor", "iff"), (1, float("inf"))),
    **dict.fromkeys(("eq", "ne"), (2, float("inf"))),
    "if": (3, 3),
    "set": (0, float("inf")),
}


def closed_up(text: str) -> str:
    """Return a text without blanks at its ends and inside parentheses and braces, where pycsp3 takes none."""
    return BLANKS.sub("", text.strip())


def check_variable(text: str, names: Names, single: bool = False) -> None:
    """Check the name of a variable, or of several in an array, such as x[1][] or x[0..3][2], unless `single`."""
    name, bracket, rest = text.partition("[")
    if name not in names:
        raise ParseError(f"unknown variable {brief(name)}")
    indices, sizes = BRACKET.findall(bracket + rest), names[name]
    if BRACKET.sub("", bracket + rest) or len(indices) != len(sizes):
        raise ParseError(f"{brief(text)} needs {len(sizes)} indices, as {name} is declared")
    for (low, high), size in zip(indices, sizes, strict=True):
        if low and not int(low) <= int(high or low) < size:
            raise ParseError(f"{brief(text)} is outside {name}, whose size is {sizes}")
        if single and (high or not low):
            raise ParseError(f"{brief(text)} is not one variable")


def check_list(text: str, names: Names) -> None:
    """Check tokens between blanks: integers, ranges, variables, parameters, sets, conditions, expressions."""
    for token in set(text.split()):
        match = TOKEN.fullmatch(token)
        if match is None and token.startswith("("):
            check_condition(token, names)
        elif match is None:
            check_expression(token, names)
        elif match["variable"]:
            check_variable(token, names)
        elif match["times"] and int(match["times"]) > MAX_TIMES:
            raise ParseError(f"{brief(token)}: a value is repeated at most {MAX_TIMES} times")


def check_condition(text: str, names: Names) -> None:
    """Check an operator and an operand: (le,5), (eq,x), (in,1..3), (notin,{1,2}), (gt,%0)."""
    match = CONDITION.fullmatch(text)
    if match is None:
        raise ParseError(f"{brief(text)} is not a condition such as (le,5), (eq,x) or (in,1..3)")
    if (operand := match["operand"]) and operand[0].isalpha():
        check_variable(operand, names, single=True)


def check_expression(text: str, names: Names) -> None:
    """Check an expression such as eq(add(x,y[2]),%0): operators, their numbers of operands, variables."""
    stack = [("", 0)]  # operators that are open, with their numbers of operands so far
    at, ready = 0, True  # ready for an operand
    while at < len(text):
        match = EXPRESSION.match(text, at)
        kind = match.lastgroup if match else None
        operator, operands = stack[-1]
        if match is None or ready != (
            kind in ("open", "leaf") or (kind == "close" and (operator, operands) == ("set", 0))
        ):
            raise ParseError(f"{brief(text)} is not an expression: unexpected {brief(text[at:])}")
        if kind == "open" and match["open"] not in OPERANDS:
            raise ParseError(f"unknown operator {match['open']!r} in {brief(text)}")
        if kind in ("open", "leaf"):
            stack[-1] = operator, operands + 1
        if kind == "open":
            stack.append((match["open"], 0))
        elif kind == "close":
            check_operands(*stack.pop())
        elif kind == "leaf" and match["leaf"][0].isalpha():
            check_variable(match["leaf"], names, single=True)
        ready = kind in ("open", "comma")
        if not stack or len(stack) > MAX_DEPTH or (kind == "comma" and len(stack) == 1):
            raise ParseError(f"{brief(text)} is not an expression, or nested deeper than {MAX_DEPTH}")
        at = match.end()
    if ready or len(stack) != 1:
        raise ParseError(f"{brief(text)} is not a complete expression")


def check_operands(operator: str, count: int) -> None:
    """Check the number of operands of an operator."""
    least, most = OPERANDS.get(operator, (1, 1))
    if not least <= count <= most:
        raise ParseError(f"{operator} with {count} operands")


def check_tuples(text: str, names: Names) -> None:
    """Check tuples of one length, such as (1,2)(3,*), or the numbers and ranges of a unary table."""
    if UNARY.fullmatch(text):
        return
    if not TUPLES.fullmatch(text):
        if SMART_TUPLES.fullmatch(text):
            raise Refusal(["smart tuples, or symbols in tuples"])
        end = TUPLES.match(text)
        raise ParseError(f"expected tuples such as (1,2)(3,*), not {brief(text[end.end() :] if end else text)}")
    lengths = {part.count(",") + 1 for part in text.split(")") if part.strip()}
    if len(lengths) > 1:
        raise ParseError(f"tuples of {', '.join(map(str, sorted(lengths)))} values: all must have the same length")


def check_rows(text: str, names: Names) -> None:
    """Check rows of a matrix, (x,y)(z,w), or a list."""
    if not text.startswith("("):
        return check_list(text, names)
    if not ROWS.fullmatch(text):
        raise ParseError(f"expected rows such as (x,y)(z,w), not {brief(text)}")
    return check_list(re.sub(r"[(),]", " ", text), names)


def matching(pattern: re.Pattern[str], expected: str) -> Check:
    """Return the check that a text matches a pattern."""

    def check(text: str, names: Names) -> None:
        if not pattern.fullmatch(text):
            raise ParseError(f"expected {expected}, not {brief(text)}")

    return check
