"""FlatZinc text, statement by statement.

    var 1..4: x :: output_var;
    array [1..2] of var int: xs :: output_array([1..2]) = [x, 3];
    constraint int_lin_le([1, -1], xs, 2) :: domain;
    solve :: int_search(xs, first_fail, indomain_min) maximize x;

chunk  whole lines that hold whole statements, mostly one of each
plain  a statement on one line without sets, texts and nested annotations: json reads its values, since it is fast
"""

import json
import re
from collections.abc import Iterable, Iterator

from puzzles.errors import ParseError, brief
from puzzles.readers.flatzinc.document import Declared, Document, FlatCall, IntSet, OutputItem, Solve, Value
from puzzles.readers.flatzinc.tokens import Tokens, parameter_type, set_of_range, skip_annotations, value_of, var_type

NAME = r"[A-Za-z_]\w*+"
PLAIN_ANNOTATIONS = rf"(?:::\s*+{NAME}(?:\([^()\";]*+\))?+\s*+)*+"
PLAIN_CALL = re.compile(rf"\s*+constraint\s++({NAME})\s*+\(([^()\"{{}};]*+)\)\s*+{PLAIN_ANNOTATIONS};\s*+")
PLAIN_VARIABLE = re.compile(
    rf"\s*+var\s++(bool|int|(-?[0-9]{{1,18}})\.\.(-?[0-9]{{1,18}}))\s*+:\s*+({NAME})\s*+({PLAIN_ANNOTATIONS});\s*+"
)
PLAIN_ARRAY = re.compile(
    rf"\s*+array\s*+\[\s*+1\s*+\.\.\s*+[0-9]++\s*+\]\s*+of\s++(?:var\s++)?(?:int|bool)\s*+:\s*+({NAME})\s*+"
    rf"{PLAIN_ANNOTATIONS}=\s*+(\[[^\[\]\"{{}};:]*+\])\s*+;\s*+"
)
WORD = re.compile(r"(?<![\w.])(?!true\b|false\b)[A-Za-z_]\w*+")
COMMENT = re.compile(r'"[^"\n]*"|%.*')
MAX_DEPTH = 40  # of brackets in a plain statement


def parse_text(lines: Iterable[tuple[int, str]]) -> Document:
    """Return the model of numbered lines. Raises ParseError with its line."""
    document = Document()
    for first, chunk in chunks(lines):
        if not (take_plain(document, chunk, first)):
            tokens = Tokens(chunk, first)
            while tokens.kind:
                take(document, tokens)
    return document


def chunks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield whole statements with the number of their first line, without comments. Raises ParseError."""
    pending, first = list[str](), 0
    for number, raw in lines:
        line = COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else "", raw) if "%" in raw else raw
        stripped = line.rstrip()
        if not pending:
            if not stripped or stripped.isspace():
                continue
            first = number
        pending.append(line)
        if stripped.endswith(";"):
            yield first, "\n".join(pending)
            pending = []
    if any(map(str.strip, pending)):
        raise ParseError("the last statement has no ';' at its end: is the file truncated?", first)


def take_plain(document: Document, chunk: str, line: int) -> bool:
    """Read a plain statement; return False if it is not plain."""
    if match := PLAIN_CALL.fullmatch(chunk):
        values = plain_values(f"[{match[2]}]")
        if values is not None:
            document.calls.append(FlatCall(match[1], values, line))
        return values is not None
    if match := PLAIN_VARIABLE.fullmatch(chunk):
        kind, low, high, name, annotations = match.groups()
        if "output_array" in annotations:
            return False
        add_variable(document, Declared(name, *typed(kind, low, high), None, line), "output_var" in annotations)
        return True
    if match := PLAIN_ARRAY.fullmatch(chunk):
        values = None if "output_array" in chunk else plain_values(match[2])
        if values is not None:
            add_named(document, match[1], values, line)
        return values is not None
    return False


def plain_values(text: str) -> list[Value] | None:
    """Return the values of a list by json, or None if it can't read them."""
    if ".." in text or "\\" in text or text.count("[") > MAX_DEPTH:
        return None
    try:
        found = json.loads(WORD.sub(quoted, text))
    except ValueError:
        return None
    return found if isinstance(found, list) else None


def quoted(word: re.Match[str]) -> str:
    """Return a word in quotes; a template takes three times as long."""
    return f'"{word[0]}"'


def typed(kind: str, low: str | None, high: str | None) -> tuple[str, IntSet | None]:
    """Return the type and the domain of a plain variable."""
    return ("int", set_of_range(int(low), int(high))) if low and high else (kind, None)


def add_named(document: Document, name: str, value: Value, line: int) -> None:
    """Add a parameter or an array. Raises ParseError if its name is taken."""
    if name in document.named:
        raise ParseError(f"{brief(name)} is declared twice", line)
    document.named[name] = value


def add_variable(document: Document, found: Declared, output: bool) -> None:
    """Add a variable. Raises ParseError if its name is taken."""
    add_named(document, found.name, found, found.entry)
    document.variables.append(found)
    if output:
        document.outputs.append(OutputItem(found.name))


def take(document: Document, tokens: Tokens) -> None:
    """Read a statement from its tokens. Raises ParseError."""
    line, word = tokens.line, tokens.word
    if word == "predicate":
        while tokens.kind and tokens.word != ";":
            tokens.next()
    elif word == "constraint":
        tokens.next()
        take_call(document, tokens, line)
    elif word == "solve":
        tokens.next()
        take_goal(document, tokens, line)
    elif word in ("var", "array", "bool", "int", "float", "set"):
        take_declaration(document, tokens, line)
    else:
        raise tokens.unexpected("a declaration, constraint or solve")
    tokens.expect(";")


def take_call(document: Document, tokens: Tokens, line: int) -> None:
    """Read the rest of a constraint."""
    name, arguments = tokens.name(), list[Value]()
    tokens.expect("(")
    while tokens.word != ")":
        arguments.append(value_of(tokens))
        if tokens.word != ")":
            tokens.expect(",")
    tokens.expect(")")
    skip_annotations(tokens)
    document.calls.append(FlatCall(name, arguments, line))


def take_goal(document: Document, tokens: Tokens, line: int) -> None:
    """Read the rest of a solve statement."""
    skip_annotations(tokens)
    method = tokens.name()
    if method not in ("satisfy", "minimize", "maximize"):
        raise ParseError(f"unexpected {brief(method)}: expected satisfy, minimize or maximize", line)
    if document.goal:
        raise ParseError("a second solve statement", line)
    document.goal = Solve(method, None if method == "satisfy" else value_of(tokens), line)


def take_declaration(document: Document, tokens: Tokens, line: int) -> None:
    """Read a parameter, an array or a variable."""
    array = tokens.word == "array"
    if array:
        tokens.next()
        tokens.expect("[")
        value_of(tokens)
        tokens.expect("]")
        tokens.expect("of")
    variable = tokens.word == "var"
    if variable:
        tokens.next()
    kind, domain = var_type(tokens) if variable else parameter_type(tokens)
    tokens.expect(":")
    name = tokens.name()
    outputs = skip_annotations(tokens)
    value: Value = None
    if tokens.word == "=":
        tokens.next()
        value = value_of(tokens)
    if variable and not array:
        add_variable(document, Declared(name, kind, domain, value, line), "output_var" in outputs)
        return
    if value is None or (array and not isinstance(value, list)):
        raise ParseError(f"{brief(name)} has no {'list' if array else 'value'}", line)
    add_named(document, name, value, line)
    if "output_array" in outputs:
        document.outputs.append(OutputItem(name, outputs["output_array"]))
