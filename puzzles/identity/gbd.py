"""Hashes by which GBD names CNF, WCNF and OPB files (Iser & Jabs 2024): MD5 of a normalised text, without comments.

cnf    1 -2 0 2 3 0                   all clauses, in their order, joined by blanks; a missing last 0 is added
wcnf   h 1 2 0h -1 3 05 -2 0          no blank follows a hard clause before a soft one was read, unless a header states
                                      the top weight, whose clauses are hard
opb    min: 3 x1 -2 x2;1 x1 >= 1;     no blank is between statements

A plus is dropped, leading zeros are kept. Files of no such hash (SATLIB's `%`, `max:`, `soft:`) raise NoHash.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from puzzles.readers.compressed import open_binary
from puzzles.readers.source import BLOCK_BYTES

SPACE = ord(" ")
SPACES = bytes.maketrans(b"\t\r\n\v\f", b"     ")
REMARK = re.compile(rb"^[ \t]*[cp][^\n]*", re.MULTILINE)
COMMENT = re.compile(rb"^[ \t]*c[^\n]*", re.MULTILINE)
HEADER = re.compile(rb"p[ \t]+wcnf[ \t]+[0-9]+[ \t]+[0-9]+(?:[ \t]+([0-9]+))?[^\n]*")
PLUS = re.compile(rb"(?<![^ ])\+ ?")
STAR = re.compile(rb"^[ \t]*\*[^\n]*", re.MULTILINE)
PARTS = re.compile(rb"([;]|>=|<=|!=|(?<![<>!])=)")


class NoHash(Exception):
    """GBD hashes no such file; the text says why."""


def gbdhash(path: Path, form: str) -> str:
    """Return GBD's hash of a file in one of HASHED, compressed or not. Raises NoHash, BadInput, OSError."""
    found = hashlib.md5(usedforsecurity=False)
    with open_binary(path) as file:
        for text in HASHED[form](blocks_of(file)):
            found.update(text)
    return found.hexdigest()


def blocks_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file in blocks of whole lines."""
    rest = b""
    while block := file.read(BLOCK_BYTES):
        head, newline, tail = block.rpartition(b"\n")
        if newline:
            yield rest + head + newline
            rest = tail
        else:
            rest += block
    yield rest


def squeezed(block: bytes) -> bytes:
    """Return the words of a block, joined by single blanks, without their plus."""
    text = block.translate(SPACES)
    if b"+" in text:
        text = PLUS.sub(b"", text)
    blank = np.frombuffer(text, np.uint8) == SPACE
    return (re.sub(rb" {2,}", b" ", text) if (blank[1:] & blank[:-1]).any() else text).strip(b" ")


def cnf_texts(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the text of a CNF file that GBD hashes."""
    last = b""
    for block in blocks:
        if b"c" in block or b"p" in block:
            block = REMARK.sub(b"", block)
        if b"%" in block:
            raise NoHash("GBD reads no '%'")
        if text := squeezed(block):
            yield b" " + text if last else text
            last = text[-2:]
    if last not in (b"", b"0", b" 0"):
        yield b" 0"


def wcnf_texts(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the text of a WCNF file that GBD hashes, clause by clause."""
    words, top, apart, first = list[bytes](), b"", False, True
    for block in blocks:
        if header := HEADER.search(block):
            top, apart = header[1] or b"", True
            block = block[: header.start()] + block[header.end() :]
        if b"c" in block:
            block = COMMENT.sub(b"", block)
        for word in squeezed(block).split():
            words.append(word)
            if word == b"0" and len(words) > 1:
                if words[0] != b"h" and top and int(words[0]) >= int(top):
                    words[0] = b"h"
                yield b" " * (apart and not first) + b" ".join(words)
                first, apart = False, apart or words[0] != b"h"
                words.clear()
    if words:
        yield b" " * (apart and not first) + b" ".join([*words, b"0"])


def opb_texts(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the text of an OPB file that GBD hashes."""
    rest = b""
    for block in blocks:
        *statements, rest = (rest + b" " + PARTS.sub(rb" \1 ", STAR.sub(b"", block))).split(b";")
        for statement in statements:
            text = squeezed(statement)
            if text.startswith((b"max:", b"soft:", b"[")):
                raise NoHash(f"GBD reads no '{text.split()[0].decode(errors='replace')}'")
            yield text + b";"


HASHED: dict[str, Callable[[Iterable[bytes]], Iterator[bytes]]] = {
    "cnf": cnf_texts,
    "wcnf": wcnf_texts,
    "opb": opb_texts,
}
