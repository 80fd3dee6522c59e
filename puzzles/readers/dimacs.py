"""DIMACS files of types that are not read, such as gcnf or qcnf: their instances are unsupported, by name."""

import re
from typing import BinaryIO

from puzzles.errors import brief
from puzzles.problem import Instance, Problem
from puzzles.readers.compressed import HEAD_BYTES
from puzzles.readers.refusal import Refusal, refused
from puzzles.readers.source import Source

TYPE = re.compile(rb"^\s*p\s+(\w+)", re.MULTILINE)


def read_dimacs(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return an unsupported instance that names the type of the file."""
    found = TYPE.search(file.read(HEAD_BYTES))
    return refused(source, Refusal([f"DIMACS files of type {brief(found[1].decode())}" if found else "DIMACS files"]))
