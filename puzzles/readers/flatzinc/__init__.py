"""Reader of FlatZinc, the solvers' form of MiniZinc models: text (.fzn) and JSON (.fzn.json).

Integers and Booleans with every builtin, reified (`_reif`) and half reified (`_imp`), and global constraints of which
there is a kind. Set and float variables, and other constraints, make an instance that is unsupported by these names.
Search annotations are left out. `document` is the form of a model that text and JSON have in common; `build` makes the
Problem. Lines `%: ask LITERALS 0` make a query script of it (`puzzles.readers.queries.model_script`).
"""

import io
from typing import BinaryIO

from puzzles.errors import ParseError
from puzzles.problem import Instance, Problem
from puzzles.readers.flatzinc.build import build
from puzzles.readers.flatzinc.document import Document, OutputItem
from puzzles.readers.flatzinc.json_form import parse_json
from puzzles.readers.flatzinc.text import parse_text
from puzzles.readers.queries import model_script
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source, lines_of

MAX_BYTES = 256 << 20


def read_flatzinc(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError, BadInput, OSError."""
    data = file.read(MAX_BYTES + 1)
    try:
        if len(data) > MAX_BYTES:
            raise Refusal([f"FlatZinc files of more than {MAX_BYTES >> 20} MB"])
        document = parsed(data, source)
        keeps = document.goal is None or document.goal.method == "satisfy" or source.keeps_objective()
        asks = asks_in(data)
        asked = {word.removeprefix("-") for _, line in asks for word in line.split()[1:]}
        document.outputs += [OutputItem(name) for name in sorted(asked & document.named.keys())]
        found = build(source.name, document, keeps, source.note)
        return model_script(found, asks, source) if asks else found
    except Refusal as e:
        return refused(source, e)


def asks_in(data: bytes) -> list[tuple[int, str]]:
    """Return the lines of a file that begin with `%:`, with their numbers, without that: asks of a query script."""
    if b"%:" not in data:
        return []
    lines = enumerate(data.decode(errors="replace").splitlines(), 1)
    return [(number, line.removeprefix("%:")) for number, line in lines if line.startswith("%:")]


def parsed(data: bytes, source: Source) -> Document:
    """Return the model of a file's bytes. Raises ParseError, BadInput."""
    if data.lstrip()[:1] != b"{":
        return parse_text(lines_of(io.BytesIO(data), source))
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        raise ParseError(f"byte {data[e.start]:#04x} is not UTF-8", line) from None
    return parse_json(text)
