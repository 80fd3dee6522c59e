"""Files of known dialects are named, with what of them is not read and what to do."""

from pathlib import Path

import numpy as np
import pytest

from puzzles.constraints.unsupported import unsupported_parts
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read

DIALECTS = {
    "a headerless CNF": (
        "a.cnf",
        b"c a comment\n1 -2 0\n2 3 0\n",
        "a CNF file without a header: write 'p cnf VARIABLES CLAUSES' before its clauses",
    ),
    "a header without p": ("a.cnf", b"cnf 1 1\n1 0\n", "header lacks its 'p'"),
    "an XOR": ("a.cnf", b"p cnf 3 2\nx1 2 3 0\n1 0\n", "a.cnf:2:1: 'x1' is not a literal: an XOR of cryptominisat"),
    "a negative weight": ("a.wcnf", b"h 1 2 0\n-3 1 0\n", "a.wcnf:2:1: '-3' is not a weight or h: a negative weight"),
    "a fractional weight": ("a.wcnf", b"h 1 2 0\n1.5 1 0\n", "'1.5' is not a weight or h: a fraction, and weights are"),
    "an old negative weight": ("a.wcnf", b"p wcnf 2 1 10\n-3 1 0\n", "'-3' is not a weight: a negative weight"),
    "lp_solve": ("a.txt", b"/* a comment */\n1.5 x + 2 y >= 3\n", "as LP files of lp_solve and programs do"),
    "a document type": ("a.xml", b'<?xml version="1.0"?>\n<!DOCTYPE foo>\n<instance/>\n', "take out <!DOCTYPE ...>"),
    "compress": ("a.cnf.Z", b"\x1f\x9d\x90abc", "a file of `compress`: `gzip -d` unpacks it"),
    "7z": ("a.7z", b"7z\xbc\xaf\x27\x1cabc", "a 7z archive: unpack it"),
    "RAR": ("a.rar", b"Rar!\x1a\x07\x00", "a RAR archive: unpack it"),
    "lz4": ("a.lz4", b"\x04\x22\x4d\x18abc", "compressed by lz4 or lzip: unpack it first"),
    "clauses in lines": ("a.cnf", b"1 -2\n2 3 0\n", "a.cnf:1: a CNF file without a header: write 'p cnf VARIABLES"),
    "a headerless iCNF": ("a.icnf", b"1 2 0\na 1 0\n", "incremental CNF without its first line: write 'p inccnf'"),
    "OPB without a beginning": ("a.opb", b"x1 and x2\n", "a.opb:1: an OPB file begins with '* #variable= N"),
    "a group": ("a.cnf", b"p cnf 2 1\n{1} 1 2 0\n", "'{1}' is not a literal: a group of clauses, which is not read"),
    "a weight of a literal": (
        "a.cnf",
        b"p cnf 2 1\nw 1 0.4 0\n1 2 0\n",
        "literal -1 has no weight, and 1 has one: state both",
    ),
    "an assumption": ("a.cnf", b"p cnf 2 1\n1 2 0\na 1 0\n", "'a' is not a literal: a quantifier or an assumption"),
    "a fraction of OPB": ("a.opb", b"min: 0.5 x1;\n+1 x1 >= 1;\n", "a.opb:1:6: '0.5': expected a coefficient"),
    "a fraction in a row": ("a.opb", b"+1 x1 >= 1;\n1/2 x1 >= 1;\n", "multiply the sum, and its bound, by the same"),
    "lp_solve in OPB": ("a.opb", b"/* x */\nmin: 1/2 x1;\nx1 >= 1;\n", "comments as lines that begin with '*'"),
    "XML of others": ("a.xml", b"<!DOCTYPE sudoku [<!ENTITY a 'b'>]>\n<sudoku>1</sudoku>\n", "a.xml: XML of <sudoku>"),
    "XCSP 2": ("a.xml", b'<instance format="XCSP" version="2.1"/>\n', "XCSP 2 is not read"),
    "zstd": ("a.cnf.zst", b"\x28\xb5\x2f\xfdabc", "`zstd -d a.cnf.zst` unpacks it"),
    "JSON with a key of FlatZinc": (
        "a.json",
        b'{"version": "1.0", "name": "x"}\n',
        "JSON with the key 'version', which",
    ),
    "a string of JSON": ("a.json", b'"just a string"\n', "a.json: a single word or number of JSON"),
    "an empty list": ("a.json", b"[ ]\n", "a.json: a single word or number of JSON, or an empty list"),
    "a number": ("a.json", b"3\n", "a.json: a single word or number of JSON"),
    "text of a compressed name": ("a.zst", b"hello\n", "a.zst: a text whose name says that it is compressed"),
    "JSON": ("a.json", b'{"a": 1, "b": [2]}\n', "JSON with the key 'a', which is not read; of JSON, FlatZinc"),
}


TYPES = {
    "gcnf": (b"p gcnf 2 1 1\n{1} 1 2 0\n", "group CNF, with groups '{1}' of clauses"),
    "knf": (b"p knf 3 1\nk 2 1 2 3 0\n", "cardinality constraints as lines 'k ... 0'"),
    "sat": (b"p sat 2\n(*(1 2))\n", "formulas in brackets"),
    "tw": (b"p tw 2 1\n1 2\n", "graphs and networks of other tasks"),
}


@pytest.mark.parametrize("name", TYPES)
def test_a_type_of_dimacs_is_unsupported_by_what_it_has_with_advice(tmp_path: Path, name: str) -> None:
    content, said = TYPES[name]
    (tmp_path / "a.txt").write_bytes(content)
    notes = list[str]()
    (found,) = read(tmp_path / "a.txt", ReaderOptions(notify=notes.append))
    assert unsupported_parts(found.problem) == f"DIMACS files of type '{name}' ({said})"
    assert [note.partition("; ")[0].endswith(f"({said})") and "; " in note for note in notes] == [True]


def test_advice_on_a_negative_weight_keeps_the_best_solutions(tmp_path: Path) -> None:
    (tmp_path / "a.wcnf").write_text("h 1 2 0\n3 -1 0\n2 -2 0\n")  # for `-3 1 0` and `2 -2 0`, by the advice
    (found,) = read(tmp_path / "a.wcnf")
    assert found.problem.objective is not None
    solutions = np.array([(a, b) for a in (0, 1) for b in (0, 1)])
    a, b = solutions.T
    assert (found.problem.objective.values(solutions, found.problem) == -3 * (1 - a) + 2 * b + 3).all()


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_is_named_with_what_to_do(tmp_path: Path, name: str) -> None:
    file, content, said = DIALECTS[name]
    (tmp_path / file).write_bytes(content)
    with pytest.raises(BadInput) as refused:
        list(read(tmp_path / file))
    assert said in str(refused.value)
    assert "latin" not in str(refused.value)
