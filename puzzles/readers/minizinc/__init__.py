"""Reader of MiniZinc models (.mzn) with their data (.dzn, .json): MiniZinc's compiler makes FlatZinc, which is read.

Our library (`library.py`) keeps the global constraints that FlatZinc's reader takes. The time of the compiler belongs
to the instance; no solver is charged for it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import dropwhile
from pathlib import Path
from typing import Any

from puzzles.errors import BadInput, ParseError, printable_path
from puzzles.problem import Instance, Problem
from puzzles.readers.flatzinc.build import build
from puzzles.readers.flatzinc.text import parse_text
from puzzles.readers.minizinc.compiling import Compiled, compiled
from puzzles.readers.minizinc.declared import OutputModel
from puzzles.readers.options import ReadTogether
from puzzles.readers.pairing import DATA, JSON_DATA, MODEL, model_of
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source

OLD = "; releases before 2.8 flatten some models wrongly: `npm install minizinc` in this folder gets a newer one"

DATA_BESIDE = "; an instance is named by its data: leave FILE.dzn beside the model, and name FILE.dzn in its place"
ALONE = ReadTogether()  # a file that no others follow


def read_minizinc(path: Path, source: Source, corpus: ReadTogether = ALONE) -> Instance[Problem]:
    """Return the instance of a data file, or of a model without data, of a corpus. Raises BadInput, OSError."""
    pair = files_of(path)
    try:
        found = compiled(source.label, pair, following(path, corpus.files), corpus.ahead)
        if not found.flat.strip():
            raise error_of(found, pair[0], source)
        by = f"MiniZinc {found.version}".strip()
        source.notify(f"{source.label}: {by} took {found.seconds:.1f} s to flatten it{OLD * found.old}")
        return replace(instance(found, source), flatten_ns=round(found.seconds * 1e9))
    except Refusal as e:
        return refused(source, e)


def files_of(path: Path) -> tuple[Path, Path | None]:
    """Return the model and the data of an instance. Raises BadInput."""
    return (path, None) if path.suffix == MODEL else (model_of(path), path)


def following(path: Path, corpus: Sequence[Path]) -> Iterator[tuple[Path, Path | None]]:
    """Yield the files of the instances that come after one in its corpus; what is wrong with others is said later."""
    for other in dropwhile(path.__ne__, corpus):
        if other != path and other.suffix in (MODEL, DATA, JSON_DATA):
            with suppress(BadInput):
                yield files_of(other)


def instance(found: Compiled, source: Source) -> Instance[Problem]:
    """Return the instance of the FlatZinc that the compiler made. Raises BadInput, Refusal."""
    try:
        document = parse_text(enumerate(found.flat.splitlines(), 1))
        output = OutputModel(found.output, document.named)
        document.stated, document.untied = [*output.items()], output.untied()
        keeps = document.goal is None or document.goal.method == "satisfy" or source.keeps_objective()
        return build(source.name, document, keeps, source.note)
    except ParseError as e:
        where = f"line {e.line} of " if e.line else ""
        raise source.bad_input(f"{where}the FlatZinc that MiniZinc makes of it: {e}", 0) from None


def error_of(found: Compiled, model: Path, source: Source) -> BadInput:
    """Return the compiler's error, with file and line."""
    for message in errors(found):
        at = location(message)
        text = " ".join(str(message.get("message") or "").split())[:300]
        name, line = Path(str(at.get("filename", ""))).name, at.get("firstLine", 0)
        where = f"{name}:{line}: " if name and name != Path(source.name).name else ""
        own = line if name and not where and type(line) is int else 0
        text += DATA_BESIDE * ("specify a data file" in text)
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
