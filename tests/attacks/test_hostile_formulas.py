"""CNF and OPB files that mislead or exhaust their reader: one line, or the formula that they state."""

from pathlib import Path

import numpy as np
import pytest

from puzzles.constraints.clauses import clauses_of
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.readers import cnf
from tests.conftest import Harness

pytestmark = pytest.mark.usefixtures("forked")

HEAD = b"p cnf 3 1\n"
REFUSED = {
    "the most negative number": (HEAD + b"-9223372036854775808 0\n", "2:1: '-9223372036854775808' is not a literal"),
    "a number beyond 64 bits": (HEAD + b"9" * 40 + b" 0\n", "is not a literal"),
    "a fraction": (HEAD + b"1.5 0\n", "2:1: '1.5' is not a literal"),
    "null bytes": (HEAD + b"1 \0 0\n", "2:3: '\\x00' is not a literal"),
    "10^12 variables": (b"p cnf 999999999999 1\n1 0\n", "1: 999999999999 variables"),
    "more variables than a journal holds": (b"p cnf 99999999 1\n1 0\n", "1: 99999999 variables"),
    "a line without end": (HEAD + b"1 " * (cnf.MAX_LINE_BYTES // 2 + cnf.BLOCK_BYTES), "2: a line longer than"),
}


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED)
def test_a_hostile_cnf_file_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.cnf").write_bytes(content)
    with pytest.raises(BadInput, match=r"x\.cnf:") as refusal:
        list(read(tmp_path / "x.cnf"))
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    "content", [b"\x1f\x8b", b"BZh9", b"\xfd7zXZ\0", b"]\0\0"], ids=["gzip", "bzip2", "xz", "lzma"]
)
def test_damaged_compression_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content + bytes(range(255, 0, -1)) * 4)
    with pytest.raises(BadInput, match=r"x: is damaged: \w"):
        list(read(tmp_path / "x"))


@pytest.mark.slow
def test_comments_with_carriage_returns_are_recognised_in_linear_time(tmp_path: Path, harness: Harness) -> None:
    comments = b"c x\r\n" * 10_000  # exponential time if each can be matched in two ways
    (tmp_path / "x.col").write_bytes(comments + b"p edge 2 1\r\ne 1 2\r\n")
    (tmp_path / "x.cnf").write_bytes(comments + b"p cnf 1 1\r\n1 0\r\n")
    assert harness("show", "x.col", "--as", "colouring 2").code == 0
    assert harness("count", "x.cnf", "-b", "pysat:cadical195").out.startswith("x.cnf: pysat:cadical195/extended: 1 ")


def test_a_percent_sign_in_a_comment_does_not_end_the_clauses(tmp_path: Path) -> None:
    clauses = cnf.BLOCK_BYTES // 4
    text = b"p cnf 1 %d\nc 100%%\n" % (clauses + 1) + b"1 0\n" * clauses + b"-1 0\n"
    (tmp_path / "x.cnf").write_bytes(text)
    (instance,) = read(tmp_path / "x.cnf")
    flat = clauses_of(instance.problem)
    assert flat is not None
    assert np.count_nonzero(flat == 0) == clauses + 1
    assert flat[-2] == -1


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["pysat:cadical195", "pysat:minisat22", "native:cdcl"])
def test_a_variable_in_no_clause_convicts_no_solver(backend: str, tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "x.cnf").write_text("p cnf 3 1\n2 0\n")
    (tmp_path / "x.opb").write_text("* #variable= 3 #constraint= 1\n+1 x1 >= 1;\n")
    for name in ("x.cnf", "x.opb"):
        done = harness("count", name, "-b", backend)
        assert (done.code, done.out.partition(": ")[2].partition(": ")[2]) == (0, "4 solutions, and no others\n")
