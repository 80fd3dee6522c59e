"""Files of kinds that are not read: each is named in one line, with what to do, whatever reader would try it.

A kind is recognised by the first bytes of a file. If they tell nothing, and the file can't be read, its ending counts.
"""

import re
from typing import NamedTuple


class ForeignKind(NamedTuple):
    """Kind of files: its name with advice, the beginning of its files, and the endings of their names."""

    text: str
    start: bytes
    endings: tuple[str, ...] = ()


COMMENTS = rb"(?:\s*+c[^\n]*+\n)*+\s*+"  # of DIMACS
LINEAR = "whose variables need not be 0 or 1: linear programs over 0 and 1 are read as OPB"
KINDS = (
    ForeignKind(
        "a QDIMACS file: no contender takes quantifiers",
        COMMENTS + rb"p\s++cnf[ \t]++[0-9]++[ \t]++[0-9]++[ \t\r]*+\n" + COMMENTS + rb"[ae][ \t]++[0-9]",
        (".qdimacs",),
    ),
    ForeignKind(
        "a CNF+ file: cardinality constraints are read as OPB", COMMENTS + rb"p\s++cnf\+(?=\s)", (".cnfplus", ".cnf+")
    ),
    ForeignKind(
        "an AIGER file, a circuit: `aigtocnf` of the AIGER tools makes a CNF file of it",
        rb"a[ai]g(?: [0-9]++){5,9}[ \r]*+\n",
        (".aig", ".aag"),
    ),
    ForeignKind(
        "an SMT-LIB script: its problem is read as CNF, OPB, XCSP3, FlatZinc or MiniZinc",
        rb"(?:\s*+;[^\n]*+\n)*+\s*+\(\s*+(?:set-logic|set-info|set-option|declare-\w++|define-\w++|assert|push)\b",
        (".smt2", ".smt"),
    ),
    ForeignKind(
        f"an MPS file, {LINEAR}", rb"(?:\s*+\*[^\n]*+\n)*+\s*+NAME\b[^\n]*+\n(?s:.{0,2000}?)^ROWS\b", (".mps",)
    ),
    ForeignKind(
        f"an LP file, {LINEAR}",
        rb"(?i:(?:\s*+\\[^\n]*+\n)*+\s*+(?:min|max)(?:imi[sz]e|imum)?+\s"
        rb"(?s:.*?)^[ \t]*+(?:subject[ \t]++to|such[ \t]++that|s\.?t\.?)\s)",
    ),
    ForeignKind("an LP file or a program for clingo: neither is read", rb"(?!)", (".lp",)),
    ForeignKind("a BTOR2 file, a model of a circuit, which is not read", rb"(?!)", (".btor", ".btor2")),
    ForeignKind(
        "a TPTP file: no contender takes first-order logic",
        rb"(?:\s*+%[^\n]*+\n)*+\s*+(?:cnf|fof|tff|thf)\(\s*+\w++\s*+,",
        (".tptp",),
    ),
    ForeignKind("a PDF document: save its puzzles as text", rb"%PDF-", (".pdf",)),
    ForeignKind("a web page: save its puzzles as text", rb"(?i:\s*+(?:<!doctype\s++html|<html\b))", (".html", ".htm")),
    ForeignKind("a ZIP archive: unpack it, and name the folder", rb"PK\x03\x04", (".zip",)),
    ForeignKind("a 7z archive: unpack it, and name the folder", rb"7z\xbc\xaf\x27\x1c", (".7z",)),
    ForeignKind("a RAR archive: unpack it, and name the folder", rb"Rar!\x1a\x07", (".rar",)),
    ForeignKind("a file of `compress`: `gzip -d` unpacks it", rb"\x1f[\x9d\xa0]", (".z",)),
    ForeignKind("compressed by lz4 or lzip: unpack it first", rb"\x04\x22\x4d\x18|LZIP", (".lz4", ".lz")),
    ForeignKind(
        f"an LP file of lp_solve, or a program: it begins with a comment /* */; an LP file is one {LINEAR}", rb"\s*+/\*"
    ),
    ForeignKind(
        "a CNF file whose header lacks its 'p': write 'p cnf VARIABLES CLAUSES'",
        rb"(?:\s*+c[ \t][^\n]*+\n)*+\s*+cnf[ \t]++[0-9]++[ \t]++[0-9]",
    ),
    ForeignKind("a tar archive: unpack it, and name the folder", rb"(?s:.{257})ustar", (".tar",)),
    ForeignKind(
        "a picture: write its puzzles as text", rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a", (".png", ".jpg", ".gif")
    ),
)
STARTS = tuple((re.compile(kind.start, re.MULTILINE), kind.text) for kind in KINDS)
ENDINGS = {ending: kind.text for kind in KINDS for ending in kind.endings}


def foreign_start(head: bytes) -> str:
    """Return the name of the kind of files that begin so, '' if it is none of KINDS."""
    return next((text for start, text in STARTS if start.match(head)), "")


def foreign_ending(ending: str) -> str:
    """Return the name of the kind of files with this ending, '' if it is none of KINDS."""
    return ENDINGS.get(ending, "")
