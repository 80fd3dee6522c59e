"""Hundreds of damaged files for each reader of instances: read, and then sound, or refused in one line."""

import re
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.problem.dumped import dump
from puzzles.stored import load
from tests.effort import examples
from tests.puzzles.flatzinc_files import Goal, as_json
from tests.xcsp3_forms import FORMS, document

FILES = examples(300)  # a thousand: benchmarks/reader_fuzzing.py
XCSP3 = document(
    "<sum> <list> x[] </list> <coeffs> 2 -1 3 </coeffs> <condition> (lt,4) </condition> </sum>",
    rest='\n<objectives>\n<minimize type="sum">\n<list> x[] mul(x[0],y[0][1]) </list> <coeffs> 1x3 2 </coeffs>\n'
    "</minimize>\n</objectives>",
)
SOUND = {
    "old.wcnf": "c old\np wcnf 3 4 16\n16 1 -2 0\n3 -1 0\n16 3 0\n4 2 3 0\n",
    "new.wcnf": "c new\n7 -1 0\nh 1 -2 0\n3 -1 3 0\n9223372036854775807 0\n0 2 0\n",
    "linear.opb": f"* #variable= 3 #constraint= 2\nmax: 3 x1 -2 ~x2 ;\n2 x1 +2 x2 >= 1 ;\n-3 x2\n +{10**20} x3 = 0 ;\n",
    "products.opb": "min: +3 x1 x2 -2 ~x3 ;\n+1 x1 ~x2 +2 x2 <= 2 ;\n",
    "soft.wbo": "* #variable= 2 #constraint= 3\nsoft: 6 ;\n[2] +1 x1 >= 1 ;\n[3] -1 x1 +1 x2 = 0 ;\n+1 x2 != 2 ;\n",
    "sum.xml": XCSP3,
    "order.xml": XCSP3.replace('type="sum"', 'type="lex"', 1),
    "model.fzn": (
        "predicate own(var int: x);\nint: n = 3;\nvar -1..3: x :: output_var;\nvar bool: b;\nvar {0,2,3}: y = x;\n"
        "array [1..2] of var int: xs :: output_array([1..2]) = [x, 5];\nconstraint int_lin_le([1,-1],xs,n) :: domain;\n"
        "constraint int_le_reif(x, 2, b);\nconstraint bool_clause([b],[]);\nsolve :: int_search(xs, f) maximize x;\n"
    ),
    "model.json": as_json(
        [
            ("int_lin_eq", [[2, -1], ["x", "y"], 1]),
            ("set_in_reif", ["z", {1, 3}, "b"]),
            ("bool_clause", [["b"], ["c"]]),
        ],
        Goal("minimize", "y"),
        ("x", "y"),
    ),
    "expression.xml": document(
        "", rest="\n<objectives> <maximize> add(div(x[0],x[1]),if(lt(x[2],1),3,y[0][0])) </maximize> </objectives>"
    ),
}
TASKS = ("cumulative, ends", "noOverlap, two dimensions", "binPacking, loads", "knapsack", "circuit, variable size")
SOUND["tasks.xml"] = document("\n".join(FORMS[kind][0] for kind in (*TASKS, "maximumArg, first", "reified sum")))
PIECES = (
    *("0", "1", "-1", "9223372036854775808", "1e3", "h", "p wcnf 2 2 5", "c", "x1", "~", "~x2", ";", ">=", "=", "min:"),
    *("max:", "soft:", "[3]", "[", "]", "* #variable= 1 #constraint= 1", "\n", " ", "\0", "\xa0", "\r", "+", "9" * 30),
    *("<", ">", "&a;", "<minimize> x[0] </minimize>", "nValues", "lex", "(", ")", ",", "%0", "x[]", "x[0]", "y[1][1]"),
    *(
        "constraint int_le(x, 1);",
        "{1,2}",
        "1..9",
        "int_div",
        "::",
        "%",
        "true",
        "array_var_int_element",
        "xs[2]",
        "var",
    ),
    *("<coeffs> 1 </coeffs>", "<!-- -->", "pow(9,x[0])", "*", "1x9999999999", "..", "\udcff", "neg(x[1])", "2x2"),
)
TEXTS = re.compile(r"[^<>]+")  # of XML


def damaged(text: str, random: Random) -> str:
    """Return a text with one to three changes, in an XML file mostly outside its tags."""
    for _ in range(random.randint(1, 3)):
        inside = random.choice(list(TEXTS.finditer(text)) or [None]) if random.random() < 0.9 else None
        start, end = inside.span() if inside else (0, len(text))
        text = text[:start] + changed(text[start:end], random) + text[end:]
    return text


def changed(text: str, random: Random) -> str:
    """Return a text with a part left out, doubled or replaced, or with its words or lines in another order."""
    a, b = sorted(random.randrange(len(text) + 1) for _ in range(2))
    if random.random() < 0.7:
        b = min(b, a + random.randint(0, 6))
    between = random.choice(("\n", " "))
    parts = text.split(between)
    return random.choice(
        (
            text[:a] + text[b:],
            text[:a] + random.choice(PIECES) + text[b:],
            text[:a] + random.choice(PIECES) + text[a:],
            text[:b] + text[a:],
            between.join(random.sample(parts, len(parts))),
        )
    )


@pytest.mark.hypothesis  # so that CI runs it with all files
@pytest.mark.parametrize("name", SOUND)
def test_a_damaged_file_is_read_or_refused_in_one_line(name: str, tmp_path: Path) -> None:
    if name.endswith(".xml") and find_spec("pycsp3") is None:
        pytest.skip("needs the extra xcsp3")
    random, path = Random(name), tmp_path / name
    counts = {"read": 0, "refused": 0}
    assert len(list(read(written(path, SOUND[name])))) == 1
    for _ in range(FILES):
        text = damaged(SOUND[name], random)
        notes: list[str] = []
        try:
            for instance in read(written(path, text), ReaderOptions(notify=notes.append)):
                problem = instance.problem
                assert load(dump(problem)) == problem
                if problem.objective:
                    low, high = problem.objective.bounds(instance.domains, problem)
                    assert low <= high
            counts["read"] += 1
        except BadInput as e:
            counts["refused"] += 1
            notes.append(str(e))
        for note in notes:
            assert note.startswith(f"{path}:"), (text, note)
            assert len(note.splitlines()) == 1, (text, note)
            assert len(note) < 600, (text, note)
    assert min(counts.values()) > FILES // 50, counts


def written(path: Path, text: str) -> Path:
    path.write_bytes((text or " ").encode(errors="surrogateescape"))
    return path
