"""Files of known dialects are named, with what of them is not read and what to do."""

from pathlib import Path

import pytest

from puzzles.errors import BadInput
from puzzles.formats import read

DIALECTS = {
    "a headerless CNF": (
        "a.cnf",
        b"c a comment\n1 -2 0\n2 3 0\n",
        "a CNF file without a header: it does not begin with",
    ),
    "a header without p": ("a.cnf", b"cnf 1 1\n1 0\n", "header lacks its 'p'"),
    "an XOR": ("a.cnf", b"p cnf 3 2\nx1 2 3 0\n1 0\n", "a.cnf:2:1: 'x1' is not a literal: an XOR of cryptominisat"),
    "a negative weight": ("a.wcnf", b"h 1 2 0\n-3 1 0\n", "a.wcnf:2:1: '-3' is not a weight or h: a negative weight"),
    "a fractional weight": ("a.wcnf", b"h 1 2 0\n1.5 1 0\n", "'1.5' is not a weight or h: a fraction, and weights are"),
    "an old negative weight": ("a.wcnf", b"p wcnf 2 1 10\n-3 1 0\n", "'-3' is not a weight: a negative weight"),
    "lp_solve": ("a.txt", b"/* a comment */\n1.5 x + 2 y >= 3\n", "an LP file of lp_solve, or a program"),
    "a document type": ("a.xml", b'<?xml version="1.0"?>\n<!DOCTYPE foo>\n<instance/>\n', "take out <!DOCTYPE ...>"),
    "compress": ("a.cnf.Z", b"\x1f\x9d\x90abc", "a file of `compress`: `gzip -d` unpacks it"),
    "7z": ("a.7z", b"7z\xbc\xaf\x27\x1cabc", "a 7z archive: unpack it"),
    "RAR": ("a.rar", b"Rar!\x1a\x07\x00", "a RAR archive: unpack it"),
    "lz4": ("a.lz4", b"\x04\x22\x4d\x18abc", "compressed by lz4 or lzip: unpack it first"),
    "JSON": ("a.json", b'{"a": 1, "b": [2]}\n', "nearest to a JSON object, which is not read"),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    file, content, said = DIALECTS[name]
    (tmp_path / file).write_bytes(content)
    with pytest.raises(BadInput) as refused:
        list(read(tmp_path / file))
    assert said in str(refused.value)
    assert "latin" not in str(refused.value)
