"""Small valid files of every format, and words of the formats, for reader_fuzzing.py."""

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

ENDINGS = (*(".txt",) * 9, ".col", ".pls", ".csv", ".sdk", ".ss", ".sdm")
STATED = (*(None,) * 9, "sudoku 2x2", "sudoku 3x3", "latin 5", "colouring 3")
COMPRESSORS: tuple[Callable[[bytes], bytes], ...] = (
    gzip.compress,
    bz2.compress,
    lzma.compress,
    lambda raw: lzma.compress(raw, lzma.FORMAT_ALONE),
)
HEAD_BYTES = 4000
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = "\n".join(EASY[i : i + 9] for i in range(0, 81, 9))
DRAWN = "\n".join("|".join([f"{row} ... ..."] * 3) for row in ("1.3", ".5.", "7.."))
LINES = (
    "killer 2x2 1............... aabbaaccddeeffee a=10 b=5 c=5 d=5 e=10 f=5:1",
    "killer 2x2 ................",
    "kakuro 3x3 # 4\\ 3\\ \\4 . . \\3 . .",
    "kenken 4 aabbccddeeffgghh a=3+ b=12* c=3- d=2/ e=3+ f=7+ g=6× h=4÷",
    "futoshiki 3 1........ A2<A3 B1>C1",
    "queens 6 .....Q..............................",
    "magic 3 2 . . . 5 . . . .",
    "jigsaw aabbaabbccddccdd 1..............4",
    "2x2::k:" + ":".join("0" * 16),
    "1..............4 aabbaabbccddccdd",
    "SumoCueV1=" + "=".join(f"0J{k}" for k in "0011001122332233"),
)
BOARDS = (
    EASY,
    ROWS,
    f"[Puzzle]\n{ROWS}\n[State]\n",
    f"Grid 01\n{ROWS}\n",
    f"puzzle,solution\n{EASY},\n",
    f"{EASY} # 7.1\n",
    f"abc123 {EASY}\tED=7.1\n",
    f"{EASY};name;2.3;\n",
    f":0000:1:{EASY}:::comment\n",
    "3x3:5zzzb\n",
    f'<opensudoku>\n<game data="{EASY}"/>\n</opensudoku>\n',
    " ".join(["123456789"] * 81),
    "[| 1, 3, _, _ | 4, 1, _, _ | _, _, _, _ | _, _, _, 1 |]",
    "order 2\n0 -1\n-1 1\n",
    "c colours 2\np edge 3 2\ne 1 2\ne 2 3\n",
    "#: sudoku 2x2, count 2+\n1..............4:1\n",
    ",".join(EASY),
    "123456789" * 81,
    "\n".join([DRAWN] * 9),
)
CNF = ("c one\np cnf 3 4\n1 -2 0\n0\n3 3 -3 0\n-1 2\n3 0\n", "p cnf 2 2\n1 2 0 -1\n-2 0\n%\n0\n")
WCNF = ("p wcnf 4 4 16\n16 1 -2 0\n3 -1 0\n16 3 -4 4 0\n17 0\n", "c a\nh 1 -2 0\n3 -1 0\n1 2 3 0\nh 0\n")
OPB = (
    "* #variable= 3 #constraint= 2\nmin: +1 x1 +2 x3 ;\n+3 x1 -2 ~x2 >= 2 ;\n1 x1 1 x2 = 1;\n",
    "* #variable= 2 #constraint= 3\n+99999999999999999999999 x1 +1 x2 <= 5 ;\n+1 x1\n+1 x2 != 1 ;\nx1 >= 0 ;\n",
)
WBO = (
    "* #variable= 3 #constraint= 3\nsoft: 9 ;\n[2] +1 x1 +2 ~x2 >= 2 ;\n[3] +1 x3 >= 1 ;\n+1 x1 +1 x2 x3 >= 1 ;\n",
    "* #variable= 2 #constraint= 1\nsoft: ;\n[1] -1 x1 >= 0 ;\n",
)
OZN = (
    b"array [1..4] of int: X_INTRODUCED_2_;\narray [0..1,4..5] of int: x = array2d(0..1,4..5,X_INTRODUCED_2_);\n"
    b"output [show(x)];\n"
)
MESSAGES = [
    b'{"type": "error", "what": "type error", "message": "no x", "location": {"filename": "a.mzn", "firstLine": 2}}\n',
    b'{"type": "error", "stack": [{"location": {"filename": "b.mzn", "firstLine": 7}}], "message": "y\\nz"}\n',
    b'{"type": "warning", "message": "w"}\n{"type": "exit", "code": 1, "outputFiles": {}}\n',
]
XML = (
    "<allDifferent> x[] </allDifferent>",
    "<sum> <list> x[0] x[1..2] </list> <coeffs> 1 -2 3 </coeffs> <condition> (le,z) </condition> </sum>",
    "<group> <intension> or(eq(%0,add(%1,1)),in(x[0],set(1,2))) </intension> <args> x[0] z </args> </group>",
    "<extension> <list> x[0] z </list> <supports> (1,2)(*,0)(3,3) </supports> </extension>",
    "<element> <list> x[] </list> <index> z </index> <value> 2 </value> </element>",
    "<count> <list> x[] </list> <values> 1 2 </values> <condition> (gt,1) </condition> </count>",
    "<cardinality> <list> x[] </list> <values closed='true'> 1 2 </values> <occurs> 1 0..2 </occurs> </cardinality>",
    "<regular> <list> x[] </list> <transitions> (a,1,b)(b,2,a) </transitions> <start> a </start> <final> b </final>"
    " </regular>",
    "<lex> <list> x[0] z </list> <list> x[1] x[2] </list> <operator> le </operator> </lex>",
    "<nValues> <list> x[] </list> <except> 0 </except> <condition> (eq,2) </condition> </nValues>",
    "<minimum> <list> x[] </list> <condition> (lt,2) </condition> </minimum> <channel> x[] </channel>",
    "<slide> <list> x[] </list> <intension> le(%0,%1) </intension> </slide>\n"
    "<block> <allEqual> x[] </allEqual> </block>",
)
WORDS: tuple[bytes, ...] = (
    *(b"#: ", b"sudoku 2x2", b"latin 5", b"alphabet 0123", b"count 2+", b":1", b":2+", b"quizzes,solutions\n"),
    *(
        b"[Puzzle]\n",
        b"#A x\n",
        b"Grid 01\n",
        b"------+-------+------\n",
        b"*-----------*\n",
        b"order 3\n",
        b"0 -1 2\n",
    ),
    *(b"p edge 3 2\n", b"e 1 2\n", b"c colours 2\n", b"p cnf 3 3\n", b"p wcnf 3 3 9\n", b"\n0\n", b"%", b"h ", b"c "),
    *(b"killer ", b"jigsaw ", b"kakuro ", b"a=3", b"a=3*", b"A1<A2", b"SumoCueV1=", b"2x2::k:", b"3\\4", b"min: "),
    *(b"* #variable= 9 #constraint= 9\n", b">= ", b";", b"~x1", b"x0", b"x99999999", b"<instance>", b"</instance>"),
    *(b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"<list>", b"</list>", b"<args>", b"%0", b"%...", b"x[]", b"x[-1]"),
    *(
        b"x[0..9999999]",
        b"(1,*)",
        b"0..99999999999",
        b"size='[3]'",
        b"as='x'",
        b"<?xml version='1.0' encoding='utf-16'?>",
    ),
    *(b"-0", b"-1", b"1e9", b"0x1", b"9" * 30, b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"\x0b", b"\x85", b"\xe2\x80\xa8"),
    *(b"\xc2\xb2", b"\xc3\x97", b"\r\n", b"\r", *(bytes([c]) for c in b"\n\t .,:;|_*+-0#'\"[](){}/\\=")),
)


def document(constraint: str) -> str:
    """Return an XCSP3 file with one constraint."""
    variables = '<array id="x" size="[3]"> -1..3 </array> <var id="z"> 0 2 5 </var> <var id="y" as="z"/>'
    return (
        f'<instance format="XCSP3" type="CSP">\n<variables> {variables} </variables>\n'
        f"<constraints>\n{constraint}\n</constraints>\n</instance>\n"
    )


def head(raw: bytes) -> bytes:
    """Return the first lines of a file, up to HEAD_BYTES."""
    return raw if len(raw) < HEAD_BYTES else raw[: raw.rindex(b"\n", 0, HEAD_BYTES)]


def seeds(root: Path) -> dict[str, list[bytes]]:
    """Return small valid files by format; boards include the first lines of each shipped corpus."""
    shipped = sorted(p for p in (root / "puzzles" / "corpora").iterdir() if p.suffix in (".txt", ".col"))
    heads = [head(p.read_bytes()) for p in shipped if p.suffix == ".txt" or p.stat().st_size < HEAD_BYTES]
    texts = {"cnf": CNF, "wcnf": WCNF, "opb": OPB, "lines": (*LINES, "\n".join(LINES[:8])), "boards": BOARDS}
    texts |= {"minizinc": ("var 1..2: x;\n",), "wbo": WBO, "xcsp3": tuple(map(document, XML))}
    known = {form: [text.encode() for text in some] for form, some in texts.items()}
    known["boards"] += heads
    folder = root / "tests" / "fixtures" / "flatzinc"
    known["flatzinc"] = [path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix in (".fzn", ".json")]
    return known
