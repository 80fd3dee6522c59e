"""Files of kinds that are not read: each is named in one line, with what to do, whatever reader would try it.

A kind is recognised by the first bytes of a file. If they tell nothing, and the file can't be read, its ending counts.
WORD in a text stands for the group `word` of the beginning.
"""

import re
from typing import NamedTuple

from puzzles.errors import brief


class ForeignKind(NamedTuple):
    """Kind of files: its name with advice, the beginning of its files, and the endings of their names."""

    text: str
    start: bytes
    endings: tuple[str, ...] = ()


COMMENTS = rb"(?:\s*+c[^\n]*+\n)*+\s*+"  # of DIMACS
OPENSUDOKU = "opensudoku"  # root of its XML
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
        "a program for clingo, or an LP file that does not begin with Minimize or Maximize", rb"(?!)", (".lp",)
    ),
    ForeignKind(
        "a Python program: `harness.solve(model)` in Python takes models of CPMpy and OR-Tools", rb"(?!)", (".py",)
    ),
    ForeignKind(
        "a model of OR-Tools as a protocol buffer: `harness.solve(model)` in Python takes the CpModel",
        rb"(?!)",
        (".pbtxt", ".pb"),
    ),
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
        "a file that begins with a comment /* */, as LP files of lp_solve and programs do: neither is read; write "
        "linear programs over 0 and 1 as OPB, with whole numbers, and comments as lines that begin with '*'",
        rb"\s*+/\*",
    ),
    ForeignKind(
        f"XML of <WORD>, which is not read; of XML, XCSP3 (<instance) and OpenSudoku (<{OPENSUDOKU}) are",
        rb"(?:\s*+(?:<\?[^>]*+>|<!--(?s:.*?)-->|<!DOCTYPE[^>\[]*+(?:\[[^\]]*+\]\s*+)?+>))*+\s*+"
        rb"<(?!(?:instance|%s)\b)(?P<word>[A-Za-z][\w.:-]{0,60}+)[\s/>]" % OPENSUDOKU.encode(),
    ),
    ForeignKind(
        "incremental CNF without its first line: write 'p inccnf' there",
        rb"(?!)",
        (".icnf", ".inccnf"),
    ),
    ForeignKind(
        "a CNF file whose header lacks its 'p': write 'p cnf VARIABLES CLAUSES'",
        rb"(?:\s*+c[ \t][^\n]*+\n)*+\s*+cnf[ \t]++[0-9]++[ \t]++[0-9]",
    ),
    ForeignKind(
        "a single word or number of JSON, or an empty list or object: no instance",
        rb'\s*+(?:"[^"\n0-9.]*+"|\[\s*+\]|\{\s*+\}|-?[0-9]{1,9}(?:\.[0-9]++)?|true|false|null)\s*+\Z',
    ),
    ForeignKind(
        "a text whose name says that it is compressed, and which is no instance: is it the right file?",
        rb"(?!)",
        (".gz", ".bz2", ".xz", ".lzma", ".zst"),
    ),
    ForeignKind("a tar archive: unpack it, and name the folder", rb"(?s:.{257})ustar", (".tar",)),
    ForeignKind(
        "a picture: write its puzzles as text", rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a", (".png", ".jpg", ".gif")
    ),
)
JSON = re.compile(r'\s*+\{\s*+"([^"\n]{0,60})"\s*+:')
OURS = 'FlatZinc (with "constraints" and "solve") and lists of boards, such as [[5, 3, ...], ...],'
STARTS = tuple((re.compile(kind.start, re.MULTILINE), kind.text) for kind in KINDS)
ENDINGS = {ending: kind.text for kind in KINDS for ending in kind.endings}


def foreign_start(head: bytes) -> str:
    """Return the name of the kind of files that begin so, '' if it is none of KINDS."""
    for start, text in STARTS:
        if found := start.match(head):
            return text.replace("WORD", found.groupdict(b"").get("word", b"").decode())
    return ""


def json_kind(text: str) -> str:
    """Return the name of a JSON object, which is not read, by its first key; '' of another text."""
    key = JSON.match(text)
    return unread(key[1]) if key else ""


def unread(key: str) -> str:
    """Return the name of a JSON object with a key."""
    return f"JSON with the key {brief(key)}, which is not read; of JSON, {OURS} are"


def foreign_ending(ending: str) -> str:
    """Return the name of the kind of files with this ending, '' if it is none of KINDS."""
    return ENDINGS.get(ending, "")
