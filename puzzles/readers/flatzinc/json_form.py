"""FlatZinc JSON, as `minizinc --fzn-format json` writes it.

    {"variables": {"x": {"type": "int", "domain": [[1, 4]]}}, "arrays": {"xs": {"a": ["x", 3]}},
     "constraints": [{"id": "int_lin_le", "args": [[1, -1], "xs", 2]}], "output": ["xs"],
     "solve": {"method": "maximize", "objective": "x"}, "version": "1.0"}

entry  of constraint i it is i, of variable i it is -1 - i: lines are looked for when an error needs one
"""

import json
from typing import Any

from puzzles.errors import ParseError, brief
from puzzles.readers.building import united
from puzzles.readers.flatzinc.document import Declared, Document, FlatCall, IntSet, OutputItem, Solve, String, Value
from puzzles.readers.foreign import json_kind

PARTS = ("variables", "arrays", "constraints", "output", "solve", "version")
WHITE = " \t\r\n,:"


def parse_json(text: str) -> Document:
    """Return the model of a text. Raises ParseError with its line."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as e:
        raise ParseError(f"no JSON: {e.msg.lower()}", e.lineno, e.colno) from None
    except RecursionError:
        raise ParseError("no FlatZinc: its brackets are nested too deeply", 0) from None
    except ValueError as e:  # an integer of too many digits
        raise ParseError(str(e).partition(":")[0].lower(), 0) from None
    document = Document(line_of=lambda entry: line_or_none(text, entry))
    if not isinstance(data, dict) or not isinstance(data.get("constraints"), list):
        raise ParseError(json_kind(text) or 'no FlatZinc: expected an object with "constraints" and "solve"', 0)
    for i, (name, found) in enumerate(members(data, "variables").items()):
        variable = declared(name, found, -1 - i, document)
        document.named[name] = variable
        document.variables.append(variable)
    for name, found in members(data, "arrays").items():
        if name in document.named or not isinstance(found, dict) or not isinstance(found.get("a"), list):
            raise ParseError(f"{brief(name)} is no array, or declared twice", 0)
        document.named[name] = listed(found["a"])
    for i, call in enumerate(data["constraints"]):
        if not isinstance(call, dict) or type(call.get("id")) is not str or not isinstance(call.get("args"), list):
            raise ParseError('a constraint without "id" and "args"', document.line_of(i))
        document.calls.append(FlatCall(call["id"], listed(call["args"]), i))
    shown = data.get("output", [])
    document.outputs = [OutputItem(name) for name in shown if isinstance(name, str)] if isinstance(shown, list) else []
    document.goal = goal_of(data.get("solve"))
    return document


def members(data: dict[str, Any], part: str) -> dict[str, Any]:
    """Return a part of a model whose entries have names. Raises ParseError."""
    found = data.get(part, {})
    if not isinstance(found, dict):
        raise ParseError(f'"{part}" is no object', 0)
    return found


def goal_of(solve: Any) -> Solve:
    """Return the goal of the `solve` item. Raises ParseError."""
    if not isinstance(solve, dict) or solve.get("method") not in ("satisfy", "minimize", "maximize"):
        raise ParseError('expected "solve" with "method" satisfy, minimize or maximize', 0)
    method = str(solve["method"])
    if method != "satisfy" and "objective" not in solve:
        raise ParseError(f'"{method}" without "objective"', 0)
    return Solve(method, value_of(solve.get("objective")) if method != "satisfy" else None, 0)


def declared(name: str, found: Any, entry: int, document: Document) -> Declared:
    """Return a variable. Raises ParseError."""
    kind = found.get("type") if isinstance(found, dict) else None
    if kind not in ("bool", "int", "float", "set of int"):
        raise ParseError(f"variable {brief(name)} of an unknown type", document.line_of(entry))
    ranges = found.get("domain")
    domain = None
    if ranges is not None and kind == "int":
        if not isinstance(ranges, list) or not all(map(is_range, ranges)):
            raise ParseError(f"the domain of {brief(name)} is no list of ranges", document.line_of(entry))
        domain = IntSet(united([(first, last) for first, last in ranges]))
    return Declared(name, kind, domain, value_of(found.get("rhs")), entry)


def is_range(part: Any) -> bool:
    """Return True for two integers."""
    return isinstance(part, list) and len(part) == 2 and all(type(end) is int for end in part)


def listed(items: list[Any]) -> list[Value]:
    """Return the values of a list; most lists hold numbers and names alone, which stay as they are."""
    if all(type(item) is int or type(item) is str for item in items):
        return items
    return [value_of(item) for item in items]


def value_of(item: Any) -> Value:
    """Return a value: sets and texts are objects in JSON."""
    if isinstance(item, list):
        return listed(item)
    if isinstance(item, dict):
        ranges = item.get("set")
        if isinstance(ranges, list) and all(map(is_range, ranges)):
            return IntSet(united([(first, last) for first, last in ranges]))
        if isinstance(ranges, list) and all(type(number) is int for number in ranges):
            return IntSet(united([(number, number) for number in ranges]))
        return String(item.get("string", "an object"))
    return item


def line_or_none(text: str, entry: int) -> int:
    """Return the line of a constraint or variable, 0 where a key occurs twice and another entry was read."""
    try:
        return line_in(text, entry)
    except (ValueError, IndexError):
        return 0


def line_in(text: str, entry: int) -> int:
    """Return the line of a constraint or variable of a text that is JSON."""
    part, number = ("constraints", entry) if entry >= 0 else ("variables", -1 - entry)
    decoder, at = json.JSONDecoder(), text.index("{") + 1
    while True:
        at = past(text, at)
        if text[at] == "}":
            return 0
        key, at = decoder.raw_decode(text, at)
        at = past(text, at)
        if key == part:
            break
        _, at = decoder.raw_decode(text, at)
    at, skipped = past(text, at + 1), number if part == "constraints" else 2 * number
    for _ in range(skipped):
        if text[at] in "]}":
            return 0
        _, at = decoder.raw_decode(text, at)
        at = past(text, at)
    return text.count("\n", 0, at) + 1


def past(text: str, at: int) -> int:
    """Return the position after blanks, commas and colons."""
    while text[at] in WHITE:
        at += 1
    return at
