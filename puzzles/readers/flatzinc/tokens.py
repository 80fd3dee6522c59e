"""Tokens of FlatZinc text, and what they form: values, types, annotations. All functions raise ParseError."""

import re

from puzzles.errors import ParseError, brief
from puzzles.readers.building import united
from puzzles.readers.flatzinc.document import FlatCall, IntSet, String, Value

TOKEN = re.compile(
    r"\s++|(?P<float>-?[0-9]++(?:\.[0-9]++(?:[eE][+-]?[0-9]++)?|[eE][+-]?[0-9]++))"
    r"|(?P<number>-?(?:0x[0-9a-fA-F]++|0o[0-7]++|[0-9]++))|(?P<name>[A-Za-z_]\w*+)"
    r'|(?P<text>"[^"\n]*+")|(?P<mark>\.\.|::|[\[\](){},:;=])|(?P<other>.)'
)
MAX_DIGITS = 4000  # Python converts up to 4,300
MAX_DEPTH = 100  # nesting of annotations
Dimensions = tuple[tuple[int, int], ...]


class Tokens:
    """The tokens of a text from its beginning on: `kind` of the current one, '' at the end, and its `word`."""

    def __init__(self, text: str, first: int) -> None:
        self.text, self.first = text, first
        self.at = self.start = 0
        self.kind = self.word = ""
        self.next()

    @property
    def line(self) -> int:
        """The line of the current token."""
        return self.first + self.text.count("\n", 0, self.start)

    def next(self) -> None:
        """Go to the next token."""
        while self.at < len(self.text):
            match = TOKEN.match(self.text, self.at)
            assert match is not None
            self.start, self.at = self.at, match.end()
            if match.lastgroup:
                self.kind, self.word = match.lastgroup, match[0]
                return
        self.kind = self.word = ""

    def unexpected(self, what: str) -> ParseError:
        """Return the error of the current token."""
        return ParseError(f"unexpected {brief(self.word) if self.kind else 'end'}: expected {what}", self.line)

    def expect(self, word: str) -> None:
        """Go past a word."""
        if self.word != word:
            raise self.unexpected(repr(word))
        self.next()

    def name(self) -> str:
        """Return the name at the current token, and go past it."""
        if self.kind != "name":
            raise self.unexpected("a name")
        found = self.word
        self.next()
        return found

    def number(self) -> int:
        """Return the integer at the current token, and go past it."""
        if self.kind != "number":
            raise self.unexpected("an integer")
        if len(self.word) > MAX_DIGITS:
            raise ParseError(f"an integer of {len(self.word)} digits: at most {MAX_DIGITS} are read", self.line)
        found = int(self.word, 0) if self.word.lstrip("-")[1:2] in ("x", "o") else int(self.word)
        self.next()
        return found


def value_of(tokens: Tokens, depth: int = 0) -> Value:
    """Return the value at the current token, and go past it."""
    kind, word = tokens.kind, tokens.word
    if depth > MAX_DEPTH:
        raise ParseError(f"brackets nested deeper than {MAX_DEPTH}", tokens.line)
    if kind == "number":
        first = tokens.number()
        if tokens.word != "..":
            return first
        tokens.next()
        return set_of_range(first, tokens.number())
    if kind == "name":
        return named_value(tokens, depth)
    if word not in ("[", "{"):
        if kind not in ("float", "text"):
            raise tokens.unexpected("a value")
        tokens.next()
        return String(word[1:-1]) if kind == "text" else range_of_floats(tokens, word)
    items = bracketed(tokens, "]" if word == "[" else "}", depth)
    if word == "[":
        return items
    if all(type(item) is int for item in items):
        return IntSet(united([(item, item) for item in items]))
    return String("a set of floats")


def range_of_floats(tokens: Tokens, word: str) -> Value:
    """Return a float, or go past a range of floats too."""
    if tokens.word != "..":
        return float(word)
    tokens.next()
    if tokens.kind not in ("float", "number"):
        raise tokens.unexpected("a number")
    tokens.next()
    return String("a range of floats")


def named_value(tokens: Tokens, depth: int) -> Value:
    """Return a truth value, a name, an item of an array by its name and index, or a call of an annotation."""
    word = tokens.name()
    if word in ("true", "false"):
        return word == "true"
    if tokens.word == "(":
        return FlatCall(word, bracketed(tokens, ")", depth), 0)
    if tokens.word != "[":
        return word
    (index,) = bracketed(tokens, "]", depth) or [None]
    if type(index) is not int:
        raise ParseError(f"the index of {brief(word)} is no integer", tokens.line)
    return FlatCall("item", [word, index], tokens.line)


def bracketed(tokens: Tokens, end: str, depth: int) -> list[Value]:
    """Return the values from a bracket to its end."""
    tokens.next()
    found = []
    while tokens.word != end:
        found.append(value_of(tokens, depth + 1))
        if tokens.word == "::":
            skip_annotations(tokens)
        if tokens.word != end:
            tokens.expect(",")
    tokens.next()
    return found


def set_of_range(first: int, last: int) -> IntSet:
    """Return the integers from first to last, none if they are not in order."""
    return IntSet(united([(first, last)]))


def var_type(tokens: Tokens) -> tuple[str, IntSet | None]:
    """Return the type and the domain of a variable."""
    if tokens.kind == "name" and tokens.word != "set":
        return parameter_type(tokens)
    if tokens.word == "set":
        tokens.next()
        tokens.expect("of")
        return "set of int", var_type(tokens)[1]
    found = value_of(tokens)
    if isinstance(found, String) or type(found) is float:
        return "float", None
    if not isinstance(found, IntSet):
        raise ParseError("expected a type such as bool, int or 1..9", tokens.line)
    return "int", found


def parameter_type(tokens: Tokens) -> tuple[str, None]:
    """Return the type of a parameter."""
    word = tokens.name()
    if word == "set":
        tokens.expect("of")
        if tokens.kind == "name":
            tokens.next()
        else:
            value_of(tokens)
        return "set of int", None
    if word not in ("bool", "int", "float"):
        raise ParseError(f"unknown type {brief(word)}", tokens.line)
    return word, None


def skip_annotations(tokens: Tokens) -> dict[str, Dimensions]:
    """Go past annotations; return those that ask for output, with the dimensions of an array."""
    found: dict[str, Dimensions] = {}
    while tokens.word == "::":
        tokens.next()
        value = value_of(tokens)
        if value == "output_var":
            found["output_var"] = ()
        elif isinstance(value, FlatCall) and value.name == "output_array":
            sizes = value.arguments[0] if value.arguments and isinstance(value.arguments[0], list) else []
            ranges = [size.ranges for size in sizes if isinstance(size, IntSet)]
            found["output_array"] = tuple(r[0] if r else (1, 0) for r in ranges)
    return found
