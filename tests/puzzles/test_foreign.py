"""A file of a kind that is not read is named in one line, with or without its usual ending, and never as a board."""

import lzma
import re
import sys
from pathlib import Path

import pytest

from puzzles.constraints.clauses import Clauses
from puzzles.corpora import HOME
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.readers.foreign import foreign_start

FOREIGN = {
    "QDIMACS": ("c x\np cnf 2 1\nc y\na 1 0\ne 2 0\n1 2 0\n", ".qdimacs"),
    "CNF+": ("c--\np cnf+ 3 1\n1 2 3 >= 2\n", ".cnfplus"),
    "AIGER": ("aag 3 2 0 1 1\n2\n4\n6\n6 4 2\n", ".aag"),
    "SMT-LIB": ("; x\n(set-logic QF_LIA)\n(declare-const x Int)\n(check-sat)\n", ".smt2"),
    "TPTP": ("% x\nfof(a, axiom, p(X)).\n", ".p"),
    "PDF": ("%PDF-1.4\n", ".pdf"),
    "web page": ("\n<!DOCTYPE html>\n<html><body>53..7....</body></html>\n", ".html"),
    "ZIP": ("PK\x03\x04 and so on", ".zip"),
    "tar": ("\0" * 257 + "ustar\0", ".tar"),
    "picture": ("GIF89a;", ".gif"),
}
BY_ENDING = {
    "clingo": ("{ a; b }.\n:- a, b.\n", ".lp"),
    "BTOR2": ("1 sort bitvec 1\n2 input 1 x\n", ".btor2"),
    "SMT-LIB": ("(check-sat)\n", ".smt2"),
}
BOARDS = re.compile(r"board|square|sudoku|per row|layout", re.IGNORECASE)


def refusal(path: Path) -> str:
    with pytest.raises(BadInput) as error:
        list(read(path))
    return str(error.value)


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("named", [True, False], ids=["ending", "txt"])
def test_a_file_of_another_kind_is_named_in_one_line(kind: str, named: bool, tmp_path: Path) -> None:
    text, ending = FOREIGN[kind]
    path = tmp_path / f"a{ending if named else '.txt'}"
    path.write_text(text)
    why = refusal(path)
    assert re.match(rf"{re.escape(str(path))}: (a|an) [^\n]*{re.escape(kind)}[^\n]*\Z", why)
    assert not BOARDS.search(why.removeprefix(str(path)))


@pytest.mark.parametrize("kind", BY_ENDING)
def test_the_ending_counts_if_the_beginning_tells_nothing(kind: str, tmp_path: Path) -> None:
    text, ending = BY_ENDING[kind]
    path = tmp_path / f"a{ending}"
    path.write_text(text)
    why = refusal(path)
    assert why.startswith(f"{path}: a")
    assert kind in why
    assert not BOARDS.search(why.removeprefix(str(path)))


def test_a_file_that_can_be_read_is_read_whatever_its_ending(tmp_path: Path) -> None:
    path = tmp_path / "a.lp"
    path.write_text("min: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n")
    (found,) = read(path)
    assert found.problem.objective is not None


@pytest.mark.parametrize("path", sorted(path for path in HOME.rglob("*") if path.is_file()), ids=lambda p: p.name)
def test_no_shipped_file_counts_as_foreign(path: Path) -> None:
    assert foreign_start(path.read_bytes()[: 1 << 20]) == ""


@pytest.mark.parametrize(
    "text", ["min \n", "max \\\n", "NAME x\n", "\\ x\n", "; x\n", "* x\n", "c\n", " ", "(", "% x\n"]
)
def test_a_long_beginning_is_recognised_in_linear_time(text: str) -> None:
    assert foreign_start((text + "\n").encode() * (1 << 17) + b" \n" * (1 << 18)) == ""


@pytest.mark.parametrize("comments", ["c----\n", "c{\nc}\n", "cx\n\n c;\n", "c\tx\nc\r\n"])
def test_comments_before_the_header_are_as_solvers_take_them(comments: str, tmp_path: Path) -> None:
    path = tmp_path / "noname"
    path.write_text(f"{comments}p cnf 2 1\n1 -2 0\n")
    (found,) = read(path)
    (clauses,) = found.problem.constraints
    assert isinstance(clauses, Clauses)
    assert clauses.rows == ((1, -2),)
    path.write_text(f"{comments}c colours 2\np edge 2 1\ne 1 2\n")
    (graph,) = read(path)
    assert len(graph.problem.variables) == 2
    path.write_text(f"{comments}p gcnf 2 1 1\n1 0\n")
    (other,) = read(path)
    assert [constraint.kind for constraint in other.problem.constraints] == ["unsupported"]


def test_a_compression_without_its_module_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cnf.xz"
    path.write_bytes(lzma.compress(b"p cnf 1 1\n1 0\n"))
    assert len(list(read(path))) == 1
    monkeypatch.setitem(sys.modules, "lzma", None)
    assert (
        refusal(path)
        == f"{path}: is compressed by xz, which this Python was built without: `xz -d a.cnf.xz` unpacks it"
    )
