"""Reader of MiniZinc models (.mzn) with their data (.dzn, .json): MiniZinc's compiler makes FlatZinc, which is read.

Our library (`library.py`) keeps the global constraints that FlatZinc's reader takes. The time of the compiler belongs
to the instance; no solver is charged for it.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzles.errors import BadInput, ParseError, printable_path
from puzzles.problem import Instance, Problem
from puzzles.readers.flatzinc.build import build, indices_of
from puzzles.readers.flatzinc.document import Declared, Document, IntSet, OutputItem
from puzzles.readers.flatzinc.text import parse_text
from puzzles.readers.minizinc.compiling import Compiled, compiled
from puzzles.readers.minizinc.declared import labels, ranges_of
from puzzles.readers.pairing import MODEL, model_of
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source

ARRAY = re.compile(r"array ?\[[^\]]*\] of [^:]*: ?(\w+) ?= ?array[1-6]d\(([-.0-9, ]+),(\w+)\);")
OLD = "; releases before 2.8 flatten some models wrongly: `npm install minizinc` in this folder gets a newer one"


def read_minizinc(path: Path, source: Source) -> Instance[Problem]:
    """Return the instance of a data file, or of a model without data. Raises BadInput, OSError."""
    model = path if path.suffix == MODEL else model_of(path)
    try:
        found = compiled(source.label, model, None if path == model else path)
        if not found.flat.strip():
            raise error_of(found, model, source)
        by = f"MiniZinc {found.version}".strip()
        source.notify(f"{source.label}: {by} took {found.seconds:.1f} s to flatten it{OLD * found.old}")
        return replace(instance(found, source), flatten_ns=round(found.seconds * 1e9))
    except Refusal as e:
        return refused(source, e)


def instance(found: Compiled, source: Source) -> Instance[Problem]:
    """Return the instance of the FlatZinc that the compiler made. Raises BadInput, Refusal."""
    try:
        document = parse_text(enumerate(found.flat.splitlines(), 1))
        name_outputs(document, found.output)
        keeps = document.goal is None or document.goal.method == "satisfy" or source.keeps_objective()
        return build(source.name, document, keeps)
    except ParseError as e:
        where = f"line {e.line} of " if e.line else ""
        raise source.bad_input(f"{where}the FlatZinc that MiniZinc makes of it: {e}", 0) from None


def name_outputs(document: Document, output: str) -> None:
    """Name the elements of arrays of several dimensions, options and sets, as the output model does."""
    names = {flat: OutputItem(flat, ranges_of(ranges), name) for name, ranges, flat in ARRAY.findall(output)}
    document.outputs = [names.get(item.name, item) for item in document.outputs]
    document.labels, document.untied = labels(output)
    declare_fixed(document)


def declare_fixed(document: Document) -> None:
    """Make the numbers in arrays to show variables, which are shown by their indices."""
    for output in tuple(document.outputs):
        items = document.named.get(output.name)
        if not isinstance(items, list):
            continue
        for indices, item in zip(indices_of(output.dimensions, items), items, strict=False):
            if isinstance(item, int):
                name = f"{output.label or output.name}[{','.join(map(str, indices))}]"
                document.variables.append(Declared(name, "int", IntSet(((int(item), int(item)),)), None, 0))
                document.outputs.append(OutputItem(name))


def error_of(found: Compiled, model: Path, source: Source) -> BadInput:
    """Return the compiler's error, with file and line."""
    for message in errors(found):
        at = location(message)
        text = " ".join(str(message.get("message") or "").split())[:300]
        name, line = Path(str(at.get("filename", ""))).name, at.get("firstLine", 0)
        where = f"{name}:{line}: " if name and name != Path(source.name).name else ""
        own = line if name and not where and type(line) is int else 0
        return source.bad_input(f"{where}{message.get('what') or 'error'}: {text}", own)
    return source.bad_input(f"MiniZinc's compiler makes nothing of {printable_path(model)}, and says no reason", 0)


def location(message: dict[str, Any]) -> dict[str, Any]:
    """Return the location of an error, the first of its stack, or {}."""
    stack = [part.get("location") for part in message.get("stack", ())]
    found: dict[str, Any] = message.get("location") or next(filter(None, stack), {})
    return found


def errors(found: Compiled) -> Iterator[dict[str, Any]]:
    """Yield the compiler's errors."""
    return (message for message in found.messages if message.get("type") == "error")
