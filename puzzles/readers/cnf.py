"""Reader of DIMACS CNF: `c` comments, `p cnf VARIABLES CLAUSES`, clauses of literals that end in 0.

The file is read in blocks, and the numbers of a block at once: in a large file by a compiled loop (`compiled/`), else
by NumPy, as in a block where anything is not in order. Accepted with a note: another number of clauses than stated, a
last clause without its 0, SATLIB's line `%` after the clauses, clauses that name a variable more than once, whether
they repeat a literal or hold both signs. A clause may be empty. Lines about counting are read by `counted.py`.

block  whole lines without comments; `line` is the number of its first
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from puzzles.constraints.clauses import Clauses, split_clauses
from puzzles.errors import ParseError, brief, plural
from puzzles.problem import Instance, Problem, boolean_instance
from puzzles.readers.compiled.growing import Growing
from puzzles.readers.compiled.loading import Loop, loops_for
from puzzles.readers.counted import WEIGHT, CountingLines
from puzzles.readers.integers import BLANKS, WORD, integer, integers
from puzzles.readers.source import HEADER_STATES, Source

BLOCK_BYTES = 1 << 18  # bytes of a block, whose arrays stay in a processor's cache
BLOCK_LITERALS = 1 << 18
SHORT = 4  # literals of a clause whose variables are compared in pairs
FEW = 256  # literals that take NumPy longer than Python
MAX_LINE_BYTES = 1 << 26
MAX_VARIABLES = 1 << 25  # a journal holds at most 1 GB for each puzzle
HEADER = re.compile(rb"p[ \t]+cnf[ \t]+([0-9]{1,12})[ \t]+([0-9]{1,12})")
COMMENT = re.compile(rb"^[ \t]*c[^\n]*$", re.MULTILINE)
PERCENT = re.compile(rb"^[ \t]*%", re.MULTILINE)
Header = tuple[int, int]  # stated numbers of variables and clauses
Int32Array = npt.NDArray[np.int32]


def read_cnf(file: BinaryIO, source: Source) -> Instance[Problem]:
    """Return the instance of a file. Raises ParseError at source.line, BadInput, OSError."""
    header: Header | None = None
    flat, counted = Growing(np.int32), CountingLines()
    loops = loops_for("cnf", source.size, "literals", "repeating")
    for block in whole_lines(iter(lambda: file.read(BLOCK_BYTES), b""), source):
        counted.read(block, source.line)
        rest = block = WEIGHT.sub(b"", block) if counted.older else block
        if header is None:
            header, rest = split_header(block, source)
        if header is not None:
            if loops and (count := loops[0](rest, len(rest), header[0], flat.room(len(rest) // 2 + 1))) >= 0:
                flat.used += count
                continue
            found, last = literals(rest, header[0], source)
            flat.append(found)
            if last:
                break
    if header is None:
        raise ParseError("no line 'p cnf VARIABLES CLAUSES'", 0)
    variables, stated = header
    count = flat.used - int(np.count_nonzero(flat.array[: flat.used]))
    if flat.used and flat.array[flat.used - 1]:
        if count + 1 != stated:
            raise ParseError("the last clause has no 0 at its end: is the file truncated?")
        flat.append(np.zeros(1, np.int32))
        count += 1
        source.note("the last clause has no 0 at its end")
    if count != stated:
        source.note(f"{plural(count, 'clause')}{HEADER_STATES}{stated}")
    whole = flat.whole()
    if again := repeating(whole, variables, loops[1] if loops else None):
        source.note(f"clauses that name a variable more than once: {again}", as_it_is=True)
    counted.check(variables)
    source.weights = counted.weights
    source.exact &= not counted.older
    if why := counted.contradiction():
        source.note(why, as_it_is=True)
    instance = boolean_instance(source.name, variables, Clauses(whole))
    hidden = counted.hidden(instance.problem)
    return instance.stated(problem=replace(instance.problem, free=hidden)) if hidden else instance


def repeating(flat: Int32Array, variables: int, loop: Loop | None = None) -> int:
    """Return the number of clauses that name a variable more than once; every clause ends in 0."""
    if loop:
        seen = np.zeros(variables + 1, np.int32)
        return loop(flat.ctypes.data, len(flat), seen.ctypes.data)
    if len(flat) <= FEW:
        clauses = split_clauses(flat)
        return sum(len(set(map(abs, clause))) < len(clause) for clause in clauses)
    found = start = 0
    size = BLOCK_LITERALS
    while start < len(flat):
        block = np.abs(flat[start : start + size])
        ends = np.flatnonzero(block == 0)
        if not len(ends):
            size *= 2  # a long clause
            continue
        sizes = np.diff(ends, prepend=-1) - 1
        found += sum(repeating_of(block, ends[sizes == n], n) for n in np.flatnonzero(np.bincount(sizes)).tolist())
        start += int(ends[-1]) + 1
    return found


def repeating_of(variables: Int32Array, ends: npt.NDArray[np.int64], size: int) -> int:
    """Return the number of clauses of one size, ending at `ends`, that name a variable more than once."""
    columns = [variables[ends - i] for i in range(1, size + 1)]
    if size <= SHORT:
        same = np.zeros(len(ends), np.bool_)
        for one, other in combinations(columns, 2):
            same |= one == other
    else:
        rows = np.sort(np.stack(columns), axis=0)
        same = np.any(rows[1:] == rows[:-1], axis=0)
    return int(np.count_nonzero(same))


def whole_lines(chunks: Iterator[bytes], source: Source) -> Iterator[bytes]:
    """Yield the bytes of a file in blocks of whole lines; source.line is the first line of the block.

    Raises ParseError.
    """
    pending, size, before = list[bytes](), 0, 1  # the parts of a line that is not whole yet
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if not end:
            pending.append(chunk)
            size += len(chunk)
            if size > MAX_LINE_BYTES:
                raise ParseError(f"a line longer than {MAX_LINE_BYTES} bytes", before)
            continue
        block = b"".join([*pending, chunk[:end]])
        source.line = before
        yield block
        before += line_ends(block)
        pending, size = [chunk[end:]], len(chunk) - end
    source.line = before
    if rest := b"".join(pending):
        yield rest


def line_ends(block: bytes) -> int:
    """Return the number of line ends in a block."""
    if len(block) <= FEW:
        return block.count(b"\n")
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))  # faster for many


def split_header(block: bytes, source: Source) -> tuple[Header | None, bytes]:
    """Return the header and the rest of the block, or None if the block has comments alone. Raises ParseError."""
    at, first = 0, source.line
    while at < len(block):
        end = block.find(b"\n", at) % (len(block) + 1)
        line = block[at:end].strip(BLANKS)
        if line and not line.startswith(b"c"):
            source.line = first + block.count(b"\n", 0, at)
            if not (match := HEADER.fullmatch(line)):
                raise ParseError(f"{shown(line)}: expected 'p cnf VARIABLES CLAUSES'")
            if int(match[1]) > MAX_VARIABLES:
                raise ParseError(f"{int(match[1])} variables: at most {MAX_VARIABLES} are read")
            source.exact &= line == b"p cnf %s %s" % match.groups()  # minisat reads no tabs there
            return (int(match[1]), int(match[2])), block[end:]
        at = end + 1
    return None, b""


def literals(block: bytes, variables: int, source: Source) -> tuple[Int32Array, bool]:
    """Return the numbers of a block up to SATLIB's '%', and True if the block has this line.

    Raises ParseError with the line of the first wrong one.
    """
    text, percent = COMMENT.sub(b"", block) if b"c" in block else block, False
    if b"%" in text and (trailer := PERCENT.search(text)):
        source.note("'%' ends the clauses")
        text, percent = text[: trailer.start()], True
    found = integers(text)
    if found is None or not -variables <= found.min(initial=0) <= found.max(initial=0) <= variables:
        raise wrong_literal(text, variables, source.line)
    return found.astype(np.int32), percent


DIALECTS = [  # first words of lines that other programs read among clauses
    (
        rb"x-?[0-9]*+",
        "an XOR of cryptominisat, which is not read; write it as clauses, one for each assignment that breaks it",
    ),
    (rb"[ae]", "a quantifier or an assumption, which is not read"),
    (rb"[dkb]", "a line of a proof, or of cardinality constraints, which are read as OPB"),
    (rb"\{[0-9]++\}", "a group of clauses, which is not read; without the groups it is a formula"),
]


def wrong_literal(text: bytes, variables: int, line: int) -> ParseError:
    """Return the error of the first word that is not a literal."""
    for at, words in enumerate(map(WORD.finditer, text.split(b"\n")), line):
        for match in words:
            word, column = match[0], match.start() + 1
            if word.startswith(b"p") and at > line:
                return ParseError("a second 'p' line", at)
            if (number := integer(word)) is None:
                known = next((f": {text}" for start, text in DIALECTS if column == 1 and re.fullmatch(start, word)), "")
                return ParseError(f"{shown(word)} is not a literal{known}", at, column)
            if abs(number) > variables:
                return ParseError(f"literal {number}, but variables are 1 to {variables}", at, column)
    raise AssertionError("the block has no wrong literal")


def shown(raw: bytes) -> str:
    """Quote bytes for a message."""
    return brief(raw.decode(errors="replace"))
