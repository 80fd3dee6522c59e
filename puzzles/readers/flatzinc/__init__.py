"""Reader of FlatZinc, the solvers' form of MiniZinc models: text (.fzn) and JSON (.fzn.json).

Integers and Booleans with every builtin, reified (`_reif`) and half reified (`_imp`), and global constraints of which
there is a kind. Set and float variables, and other constraints, make an instance that is unsupported by these names.
Search annotations are left out. `document` is the form of a model that text and JSON have in common; `build` makes the
Problem.
"""

import io
from typing import BinaryIO

from puzzles.errors import ParseError
from puzzles.problem import Instance, Problem
from puzzles.readers.flatzinc.build import build
from puzzles.readers.flatzinc.document import Document
from puzzles.readers.flatzinc.json_form import parse_json
from puzzles.readers.flatzinc.text import parse_text
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
        return build(source.name, document, keeps, source.note)
    except Refusal as e:
        return refused(source, e)


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
