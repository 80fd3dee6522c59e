"""Problems of a journal: stored once per name and content, large ones compressed, and loaded when they are needed.

content  result of `puzzles.problem.dump`; from COMPRESSED_BYTES on, compressed by zlib
outline  the facts about a problem that need no constraints, kept of all problems

Compressed content is checked when its problem is loaded, other content when the journal is opened.
"""

import json
import sqlite3
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from harness.model.errors import BadUsage
from harness.storing import schema
from harness.storing.documents import Damaged, check_names_and_values, stored_problem
from puzzles.constraints.all_different import AllDifferent
from puzzles.labels import PUZZLE, label, label_of, unit_of
from puzzles.problem import Problem, constants
from puzzles.problem.arrays import UInt64Array
from puzzles.problem.columns import mask_type, words
from puzzles.problem.content import values_from_json
from puzzles.problem.dumped import dump
from puzzles.problem.values import Values

COMPRESSED_BYTES = 1 << 16
MAX_CONTENT = 1 << 30  # bytes before compression
HEADER_STEP = 1 << 16
SENSES = MINIMISE, MAXIMISE = ("minimise", "maximise")
KEPT_BYTES = 32 << 20  # content of loaded problems in memory; the last one is always kept


class Outline(NamedTuple):
    """Number of variables and values of a problem, its kinds of constraint, its label, and True if it is shared.

    constants  number of the last variables that are constants, which the source has no names for
    objective  '' without one, else `minimise` or `maximise`, as the source states it
    declared   True if the source declares names that are no variables one by one
    """

    name: str
    variables: int
    values: Values
    kinds: tuple[str, ...]
    label: str
    shared: bool
    constants: int
    objective: str = ""
    declared: bool = False

    @property
    def sign(self) -> int:
        """Factor of a value to be minimised that gives the one that the source states."""
        return -1 if self.objective == MAXIMISE else 1

    @property
    def family(self) -> str:
        """Layout or family of a board with its size; the label of any other instance."""
        return self.name if unit_of([self.label]) == PUZZLE else self.label

    @classmethod
    def of(cls, problem: Problem) -> Self:
        """Return the outline of a problem."""
        kinds = tuple(dict.fromkeys(c.kind for c in problem.constraints))
        size, fixed = len(problem.variables), constants(problem.variables, problem.values)
        goal = "" if problem.objective is None else SENSES[problem.objective.maximise]
        return cls(
            problem.name,
            size,
            problem.values,
            kinds,
            label(problem),
            problem.shared,
            fixed,
            goal,
            bool(problem.declared),
        )

    @classmethod
    def of_compressed(cls, content: bytes) -> Self:
        """Return the outline of a compressed problem; only its header is unpacked."""
        data = json.loads(header(content))
        size, numbered = check_names_and_values(data), isinstance(data.get("variables"), dict)
        shared = "squares" in data
        kinds = [AllDifferent.kind] if shared else [part["kind"] for part in data.get("constraints", ())]
        called = label_of(
            data["name"], kinds, shared, "grid" in data, numbered, data.get("objective", {}).get("kind", "")
        )
        values = values_from_json(data["values"])
        fixed = 0 if numbered or shared else constants(data["variables"], values)
        goal = SENSES[bool(data["objective"]["maximise"])] if "objective" in data else ""
        return cls(
            data["name"],
            size,
            values,
            tuple(dict.fromkeys(kinds)),
            called,
            shared,
            fixed,
            goal,
            "declared" in data,
        )


class Problems:
    """Problems of a journal by id; `outlines` and `numbers` (id by name and digest) cover all of them.

    compressed  ids of the problems that are stored compressed
    """

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self.db, self.path = db, path
        self.outlines: dict[int, Outline] = {}
        self.numbers: dict[tuple[str, str], int] = {}
        self.compressed: set[int] = set()
        self.kept: OrderedDict[int, tuple[Problem, int]] = OrderedDict()  # and the bytes of its content, last used last
        self.kept_bytes = 0

    def read(self) -> None:
        """Read the outlines of all stored problems. Raises Damaged, and other errors of decoding."""
        query = "select id, name, digest, content from problems order by id"
        for number, name, digest, content in self.db.execute(query):
            if is_compressed(content):
                self.outlines[number] = Outline.of_compressed(content)
                self.compressed.add(number)
            else:
                problem = stored_problem(content, digest)
                self.outlines[number] = Outline.of(problem)
                self.keep(number, problem, len(content))
            self.numbers[name, digest] = number

    def __getitem__(self, number: int) -> Problem:
        """Return a problem, loaded if it is not kept. Raises BadUsage if its content is damaged."""
        if number in self.kept:
            self.kept.move_to_end(number)
            return self.kept[number][0]
        with schema.opening(self.path):
            query = "select digest, content from problems where id = ?"
            digest, content = self.db.execute(query, (number,)).fetchone()
            content = unpacked(content)
            problem = stored_problem(content, digest)
            if Outline.of(problem) != self.outlines[number]:
                raise Damaged("a problem has another outline than its header")
        self.keep(number, problem, len(content))
        return problem

    def domains(self, problem: Problem, blobs: Sequence[bytes]) -> UInt64Array:
        """Return stored domains as uint64[n, variables, words]."""
        kind = mask_type(problem.values)
        found = np.frombuffer(b"".join(blobs), kind).reshape(len(blobs), len(problem.variables), words(problem))
        if problem.ranged:
            known = (found[:, :, 1] <= len(problem.values)) & ((found[:, :, 0] < found[:, :, 1]) | ~found.any(axis=2))
        else:
            known = found[:, :, -1:] >> kind((len(problem.values) - 1) % 64) <= 1
        if not known.all():
            raise BadUsage(f"{self.path}: a damaged journal: a domain has a value that its problem lacks")
        return found.astype(np.uint64)

    def stored_sizes(self) -> dict[int, int]:
        """Return the bytes that each problem takes in the journal, by id."""
        return dict(self.db.execute("select id, length(content) from problems"))

    def number_of(self, problem: Problem) -> int:
        """Return the id of a problem, stored now if it is new. Raises BadUsage if it is too large."""
        key = problem.name, problem.digest
        if key not in self.numbers:
            content = dump(problem)
            if len(content) > MAX_CONTENT:
                raise BadUsage(f"{problem.name}: takes {len(content) >> 20} MiB, more than a journal stores")
            number = self.numbers[key] = len(self.numbers) + 1
            self.outlines[number] = Outline.of(problem)
            self.keep(number, problem, len(content))
            if len(content) >= COMPRESSED_BYTES:
                content = zlib.compress(content, 1)
                self.compressed.add(number)
            if problem.ranged:
                self.db.execute(f"pragma user_version = {schema.WITH_RANGES}")
            self.db.execute("insert into problems values (?, ?, ?, ?)", (number, *key, content))
        return self.numbers[key]

    def keep(self, number: int, problem: Problem, size: int) -> None:
        """Keep a loaded problem, and drop the least recently used ones."""
        self.kept[number] = problem, size
        self.kept_bytes += size
        while self.kept_bytes > KEPT_BYTES and len(self.kept) > 1:
            _, (_, freed) = self.kept.popitem(last=False)
            self.kept_bytes -= freed


def is_compressed(content: Any) -> bool:
    """Return True if a stored content is compressed: uncompressed content begins with a brace."""
    return isinstance(content, bytes) and content[:1] == b"\x78"


def unpacked(content: Any) -> Any:
    """Return a stored content uncompressed. Raises Damaged, zlib.error."""
    if not is_compressed(content):
        return content
    unpack = zlib.decompressobj()
    found = unpack.decompress(content, MAX_CONTENT)
    if not unpack.eof or unpack.unused_data:
        raise Damaged("a problem is cut off, or grows without end")
    return found


def header(content: bytes) -> bytes:
    """Return the first line of a compressed content. Raises zlib.error."""
    unpack, found, step = zlib.decompressobj(), b"", HEADER_STEP
    while content and b"\n" not in found and len(found) < MAX_CONTENT:
        found += unpack.decompress(content, step)
        content, step = unpack.unconsumed_tail, 4 * step
    return (found if content else found + unpack.flush()).partition(b"\n")[0]
