"""Encodings of plug-ins: an entry point of the group `crosscheck.encodings` names an Encoding of the same name.

Workers import them. Every other process has a description, and lets the plug-in's own process encode: `describe` and
`encode` are what that process calls.
"""

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import numpy as np

from encoders.encoding import Encoding, NoEncoding
from encoders.formula import KINDS, Formula, Int32Array, Unsupported
from puzzles import plugins
from puzzles.constraints.linear import integers
from puzzles.plugins import Descriptions, PluginFailed, call, entries
from puzzles.plugins.text import checked_text, one_line
from puzzles.problem import Problem
from puzzles.problem.dumped import dump
from puzzles.problem.values import Domains

GROUP = "crosscheck.encodings"


def load_encoding(name: str) -> Encoding:
    """Import a plug-in's encoding. Raises any exception of the plug-in."""
    found = entries(GROUP)[name].load()
    if not isinstance(found, Encoding) or found.name != name or found.encode is None:
        raise TypeError(f"the entry point {name!r} is no Encoding of that name")
    return found


def describe(name: str) -> dict[str, Any]:
    """Return the description of an encoding as data."""
    found = load_encoding(name)
    return {"formula": found.formula.__name__, "per_puzzle": found.per_puzzle, "combines": found.combines}


def parse_encoding(name: str, data: Any) -> Encoding:
    """Return an encoding without its function from data. Raises PluginFailed."""
    checked_text(name, "an encoding's name")
    kind = data.get("formula") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise PluginFailed(f"its formula is none of {', '.join(KINDS)}")
    return Encoding(name, KINDS[kind], None, data.get("per_puzzle") is True, data.get("combines") is True)


PLUGINS = Descriptions(GROUP, "encoders.plugged:describe", parse_encoding)


def plugged(names: Iterable[str]) -> dict[str, Encoding | PluginFailed]:
    """Return the encodings of plug-ins: imported if this process may, else described."""
    known = [name for name in names if name in entries(GROUP)]
    return {name: load_encoding(name) for name in known} if plugins.imports_allowed else PLUGINS.of(known)


def formula_from_process(name: str, problem: Problem, domains: Domains | None) -> Formula:
    """Ask a plug-in's process for a formula. Raises Unsupported, and NoEncoding if the plug-in fails."""
    base = name.partition("+")[0]
    try:
        data = call(GROUP, base, "encoders.plugged_process:encode", name, dump(problem).decode("latin-1"), domains)
        if "unsupported" in data:
            raise Unsupported(one_line(str(data["unsupported"])))
        return from_data(KINDS[data["kind"]], data["fields"])
    except PluginFailed as e:
        raise NoEncoding(f"encoding {name!r} failed: {e}") from None
    except (KeyError, TypeError, ValueError, OverflowError):
        raise NoEncoding(f"encoding {name!r} failed: its formula is invalid") from None


def from_data(kind: type, data: dict[str, Any]) -> Formula:
    """Return a formula from the data of `to_data`. Raises KeyError, TypeError, ValueError."""
    values: dict[str, Any] = {}
    for field in fields(kind):
        value = data[field.name]
        if field.name in ("clauses", "soft"):
            value = flat_clauses(value)
        elif field.name == "weights":
            value = integers(checked_integers(value))
        elif isinstance(field.type, type) and field.type in KINDS.values():
            value = from_data(field.type, value)
        elif isinstance(value, list):
            value = tuples(value)
        values[field.name] = value
    formula: Formula = kind(**values)
    return formula


def flat_clauses(value: Any) -> Int32Array:
    """Return a list of integers as an array. Raises TypeError, OverflowError for numbers that it would round."""
    return np.array(checked_integers(value), np.int32)


def checked_integers(value: Any) -> list[int]:
    """Return a list of integers. Raises TypeError if it is none."""
    if not isinstance(value, list) or any(type(x) is not int for x in value):
        raise TypeError("clauses or weights are no integers")
    return value


def tuples(value: Any) -> Any:
    """Return nested lists as tuples."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value
