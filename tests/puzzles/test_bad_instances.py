"""Invalid instances on the command line: one line with file, line and column, exit 2, and every file as it was."""

import bz2
import gzip
import lzma
from collections.abc import Mapping
from pathlib import Path

import pytest

from puzzles.readers import compressed
from tests.conftest import Harness

XCSP3 = '<instance format="XCSP3" type="CSP">\n<variables> <var id="x"> 0..2 </var> </variables>\n<constraints>\n'
END = "\n</constraints>\n</instance>\n"
ENTITIES = '<?xml version="1.0"?>\n<!DOCTYPE instance [\n<!ENTITY a "ha">\n<!ENTITY b "&a;&a;&a;">\n]>\n'
OUTSIDE = '<!DOCTYPE instance SYSTEM "file:///etc/passwd">\n'
CNF = "p cnf 2 1\n1 2 0\n"
KILLER = "killer 2x2 aabbccddeeffgghh a=3 b=7 c=7 d=3 e=5 f=5 g=5 h=5\n"
ALLOWANCE = 1 << 16  # of bytes that any file may have, here
BOMB = b"c\n" * (1 << 20)
Files = str | bytes | Mapping[str, str | bytes]  # the content of one file, or those of a folder by name

BAD: dict[str, tuple[str, Files, str, str]] = {  # file given, contents, where the fault is, and part of the message
    "a header cut short": ("a.cnf", "c nothing\np cnf 1\n", "a.cnf:2", "expected 'p cnf VARIABLES CLAUSES'"),
    "too many variables": ("a.cnf", "p cnf 999999999999 1\n1 0\n", "a.cnf:1", "at most"),
    "a literal beyond": ("a.cnf", "p cnf 2 1\n1 -2 0\n1 3 0\n", "a.cnf:3:3", "literal 3, but variables are 1 to 2"),
    "a literal of 30 digits": ("a.cnf", f"p cnf 2 1\n{'9' * 30} 0\n", "a.cnf:2:1", "not a literal"),
    "a word in a CNF": ("a.cnf", "c c\np cnf 2 1\n1 0\n1 x 0\n", "a.cnf:4:3", "'x' is not a literal"),
    "a fraction in a CNF": ("a.cnf", "p cnf 2 1\n1.5 0\n", "a.cnf:2:1", "'1.5' is not a literal"),
    "a null byte in a CNF": ("a.cnf", b"p cnf 2 1\n1 \0 0\n", "a.cnf:2:3", "not a literal"),
    "a sign in a CNF": ("a.cnf", "p cnf 2 1\n1 0\n-1 +2 0\n", "a.cnf:3:4", "'+2' is not a literal"),
    "a CNF without a header": ("a.cnf", "1 2 0\n-1 0\n", "a.cnf:1", "write 'p cnf VARIABLES CLAUSES' before"),
    "a second header": ("a.cnf", "p cnf 2 1\n1 0\np cnf 2 1\n", "a.cnf:3", "a second 'p' line"),
    "a truncated CNF": ("a.cnf", "p cnf 2 3\n1 0\n-2", "a.cnf:3", "is the file truncated?"),
    "a WCNF literal beyond": ("a.wcnf", "p wcnf 2 2 5\n5 1 0\n5 3 0\n", "a.wcnf:3:3", "variables are 1 to 2"),
    "a negative weight": ("a.wcnf", "p wcnf 2 1 5\n-1 1 0\n", "a.wcnf:2:1", "'-1' is not a weight"),
    "h in an older WCNF": ("a.wcnf", "p wcnf 2 2 5\n5 1 0\nh 1 0\n", "a.wcnf:3:1", "'h' is not a weight"),
    "a weight of 2^63": ("a.wcnf", f"h 1 0\n{1 << 63} 1 0\n", "a.wcnf:2:1", "at most 9223372036854775807 is read"),
    "a WCNF clause cut": ("a.wcnf", "h 1 0\nh 1 -2\n", "a.wcnf:2", "ends in 0 on each line"),
    "a truncated OPB": ("a.opb", "* #variable= 2 #constraint= 1\n+1 x1 >=", "a.opb:2", "is the file truncated?"),
    "no comparison": ("a.opb", "+1 x1\n+2 x2 ;\n", "a.opb:2", "without one of"),
    "no bound": ("a.opb", "+1 x1 >= ;\n", "a.opb:1:7", "expected an integer and ';' after >="),
    "two bounds": ("a.opb", "+1 x1 >= 1 2 ;\n", "a.opb:1:7", "expected an integer"),
    "an OPB variable beyond": ("a.opb", "* #variable= 2 #constraint= 1\n+1 x3 >= 1 ;\n", "a.opb:1", "variable x3"),
    "a variable of eight digits": ("a.opb", "+1 x1 >= 1 ;\n  +1 x99999999 >= 1 ;\n", "a.opb:2:6", "variables are x1"),
    "two coefficients": ("a.opb", "+1 x1\n+1 2 x1 >= 1 ;\n", "a.opb:2:4", "'2' follows a coefficient"),
    "a word in an OPB": ("a.opb", "+1 x1 >= 1 ;\n+1 y, >= 1 ;\n", "a.opb:2:4", "'y,': expected"),
    "a coefficient too long": ("a.opb", f"+1 x1 >= 1 ;\n+{'9' * 5000} x1 >= 1 ;\n", "a.opb:2", "at most 4000"),
    "XML cut short": ("a.xml", XCSP3, "a.xml:4:1", "not well-formed XML: no element found"),
    "XML entities": ("a.xml", ENTITIES + XCSP3 + END, "a.xml:2", "a document type, which may define entities"),
    "an XML document type": ("a.xml", OUTSIDE + XCSP3 + END, "a.xml:1", "a document type, which may define entities"),
    "XML tags crossed": ("a.xml", f"{XCSP3}<sum> <list> x </sum>{END}", "a.xml:4:18", "mismatched tag"),
    "an unknown constraint": ("a.xml", f"{XCSP3}<maximal> x </maximal>{END}", "a.xml:4", "<maximal>"),
    "an unknown variable": ("a.xml", f"{XCSP3}<allEqual> x y </allEqual>{END}", "a.xml:4", "unknown variable 'y'"),
    "XML entities in OpenSudoku": ("a.xml", "<!DOCTYPE opensudoku>\n<opensudoku/>\n", "a.xml:1", "document type"),
    "a damaged gzip": ("a.cnf.gz", gzip.compress(CNF.encode())[:-9], "a.cnf.gz", "is damaged"),
    "a damaged bzip2": ("a.cnf.bz2", bz2.compress(CNF.encode())[:30] + b"\0" * 20, "a.cnf.bz2", "is damaged"),
    "a damaged xz": ("a", lzma.compress(CNF.encode())[:40], "a", "is damaged"),
    "a gzip bomb": ("a.cnf.gz", gzip.compress(BOMB), "a.cnf.gz", "grows more than 100-fold when unpacked"),
    "a bzip2 bomb": ("a", bz2.compress(BOMB), "a", "grows more than 100-fold when unpacked"),
    "an xz bomb": ("a.xml.xz", lzma.compress(XCSP3.encode() + BOMB), "a.xml.xz", "grows more than 100-fold"),
    "a mistake in a compressed file": ("a.gz", gzip.compress(b"p cnf 1 1\n1 0 2 0\n"), "a.gz:2:5", "literal 2"),
    "a folder of nothing": ("folder", {"README.md": "none"}, "folder", "a folder without instances"),
    "a folder with a bad file alone": (
        "folder",
        {"b.opb": "+1 x1 >= 1 ;\n+1 x,\n;"},
        "folder/b.opb:2:4",
        "'x,': exp",
    ),
    "a claim without status": ("folder", {"a.cnf": CNF, "expected.csv": "a.cnf\n"}, "folder/expected.csv:1", "sat or"),
    "a claim of perhaps": (
        "folder",
        {"a.cnf": CNF, "expected.csv": "file,status\na.cnf,perhaps\n"},
        "folder/expected.csv:2",
        "expected 'file,status' with status sat or unsat, or optimal or best known and a value",
    ),
    "a claim on no file": (
        "folder",
        {"a.cnf": CNF, "expected.csv": "file,status\na.cnf,sat\nb.cnf,sat\n"},
        "folder/expected.csv:3",
        "no such file: 'b.cnf'",
    ),
    "a claim of an optimum without a value": (
        "folder",
        {"a.opb": "min: +1 x1 ;\n", "expected.csv": "a.opb,optimal\n"},
        "folder/expected.csv:1",
        "'' is not a value",
    ),
    "a claim of a value without an objective": (
        "folder",
        {"a.cnf": CNF, "b.cnf": CNF, "expected.csv": "# ours\nfile,status,value\nb.cnf,best known,7\n"},
        "folder/expected.csv:3",
        "b.cnf has no objective, so no value",
    ),
    "two claims on a file": (
        "folder",
        {"a.cnf": CNF, "expected.csv": "a.cnf,sat\na.cnf,unsat\n"},
        "folder/expected.csv:2",
        "'a.cnf' has the other status already",
    ),
    "a claim after a comment of two lines": (
        "folder",
        {"a.cnf": CNF, "expected.csv": '"# one\ntwo",\na.cnf,maybe\n'},
        "folder/expected.csv:3",
        "expected 'file,status'",
    ),
    "claims that are not UTF-8": (
        "folder",
        {"a.cnf": CNF, "expected.csv": b"file,status\na.cnf,sat\xff\n"},
        "folder/expected.csv:2",
        "expected 'file,status'",
    ),
    "a field of claims too long": (
        "folder",
        {"a.cnf": CNF, "expected.csv": f"file,status\n{'a' * 200_000},sat\n"},
        "folder/expected.csv:2",
        "field larger than field limit",
    ),
    "a name too long for a file": (
        "folder",
        {"a.cnf": CNF, "expected.csv": f"# ours\n{'a' * 5000},sat\n"},
        "folder/expected.csv:2",
        "no such file: 'aaa",
    ),
    "a killer map too short": ("a.txt", KILLER.replace("hh ", "h "), "a.txt:1", "a map of 15 squares"),
    "a cage without a sum": ("a.txt", f"# ours\n{KILLER.replace(' h=5', '')}", "a.txt:2", "cage h has no clue"),
    "a killer after a bad claim": ("a.txt", KILLER + KILLER.replace("\n", ":x\n"), "a.txt:2", "'x' is not a number"),
    "a kakuro without squares": ("a.txt", "kakuro 1x2 # #\n", "a.txt:1", "the board has no squares"),
    "a kakuro clue of no squares": ("a.txt", "kakuro 2x2 # 4\\3 \\4 .\n", "a.txt:1", "the clue 3 in A2"),
    "a KenKen operator": ("a.txt", "kenken 2 aabb a=3% b=3+\n", "a.txt:1", "cage a has no operator that is known"),
    "a jigsaw region": ("a.txt", "jigsaw aaaaaabbccddccdd ................\n", "a.txt:1", "region a has 6 squares"),
    "a futoshiki sign": ("a.txt", "futoshiki 2 .... A1<B2\n", "a.txt:1", "'A1<B2': the squares are not neighbours"),
    "queens missing": ("a.txt", "queens 4 Q...\n", "a.txt:1", "4 squares, but a board of order 4 has 16"),
    "a magic number": ("a.txt", "magic 2 5 . . .\n", "a.txt:1", "'5' is not a value"),
    "two sums of a cage": ("a.txt", f"2x2::k:769:1025{':1' * 14}\n", "a.txt:1", "cage 1 has the sums 3 and 4"),
    "a SumoCue cut off": ("a.txt", "SumoCueV1=0J0=1\n", "a.txt:1", "'SumoCueV1=0J0=1' is no game ID of Solo"),
}


def written(folder: Path, given: str, content: Files) -> dict[Path, bytes]:
    """Write the files, and return the content of each."""
    if isinstance(content, str | bytes):
        raw = content if isinstance(content, bytes) else content.encode()
        folder.mkdir(exist_ok=True)
        (folder / given).write_bytes(raw)
        return {folder / given: raw}
    files = [written(folder / given, name, data) for name, data in content.items()]
    return {path: raw for file in files for path, raw in file.items()}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_instance_is_named_in_one_line_and_nothing_else_is_written(
    kind: str, tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compressed, "ALLOWANCE", ALLOWANCE)
    given, content, place, why = BAD[kind]
    files = written(tmp_path, given, content)
    done = harness("run", given, "-b", "native:python", "-o", "journal.sqlite")
    (line,) = done.err.splitlines()
    assert line.startswith(f"harness: {place}: "), line
    assert why in line
    assert len(line) < 400
    assert (done.code, done.out) == (2, "")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files
