"""Optima with checked proofs: WCNF and OPB by exact and by native are certified of the instance."""

import sys
from pathlib import Path

import pytest

from tests.conftest import Harness
from tests.effort import slow_after

WCNF = "h 1 2 0\nh 2 3 4 0\nh 1 4 0\nh 3 5 0\n30 -1 0\n45 -2 0\n20 -3 0\n35 -4 -5 0\n25 -5 0\n"
OPB = """* #variable= 5 #constraint= 4
min: +3 x1 +2 x2 -4 x3 +5 x4 +1 x5 ;
+1 x1 +1 x2 +1 x4 >= 2 ;
+3 x1 -2 x2 +4 x3 +2 x5 >= 2 ;
-1 x1 -1 x3 -1 x4 >= -2 ;
+1 x3 +1 x5 = 1 ;
"""
LARGE = OPB.replace("+3 x1 +2 x2", "+9223372036854775807 x1 +18446744073709551616 x2")
INFEASIBLE = OPB + "-1 x1 -1 x2 -1 x4 >= -1 ;\n"


@pytest.mark.parametrize(
    ("name", "text"), [("a.wcnf", WCNF), ("a.opb", OPB), ("large.opb", LARGE), ("infeasible.opb", INFEASIBLE)]
)
def test_exact_certifies_its_answer_of_the_instance(harness: Harness, tmp_path: Path, name: str, text: str) -> None:
    pytest.importorskip("exact")
    file = tmp_path / name
    file.write_text(text)
    words = ("-b", "exact", "--proof", "--open-limit", "300", "-o", tmp_path / "j.sqlite", "--json", "-")
    done = harness("run", file, *words)
    assert (done.code, done.contender("exact")["certified"], done.contender("exact")["wrong"]) == (0, 1, 0)
    assert done.summary["agreement"]["certified"] == 1


@pytest.mark.parametrize(
    ("contender", "name", "text"),
    slow_after(
        1, [("native:cdcl", "a.wcnf", WCNF), ("native", "a.opb", OPB), ("native", "infeasible.opb", INFEASIBLE)]
    ),
)
def test_native_certifies_its_answer_of_the_instance(
    harness: Harness, tmp_path: Path, contender: str, name: str, text: str
) -> None:
    pytest.importorskip("numba")
    (tmp_path / name).write_text(text)
    words = ("-b", contender, "--proof", "--open-limit", "300", "-o", tmp_path / "j.sqlite", "--json", "-")
    done = harness("run", tmp_path / name, *words)
    (found,) = done.summary["contenders"]
    assert (done.code, found["certified"], found["wrong"]) == (0, 1, 0)


COVER = """* #variable= 3 #constraint= 3
min: +1 x1 +1 x2 +1 x3 ;
+1 x1 +1 x2 >= 1 ;
+1 x2 +1 x3 >= 1 ;
+1 x1 +1 x3 >= 1 ;
"""
STEPS = """pseudo-Boolean proof version 1.0
l 1
l 2
l 3
a -1 x1 -1 x2 -1 x3 >= -1 ;
p 1 2 + 3 + 2 d 0
p 5 4 + 0
c 6 0
"""
PROVER = """
import pathlib, sys
named = [word for word in sys.argv[1:] if word.startswith("--proof-log=")]
print("c", len(named), "proofs wanted")
for word in named:
    pathlib.Path(word.partition("=")[2] + {ending!r}).write_text({steps!r})
print("o 2\\ns OPTIMUM FOUND\\nv x1 x2 -x3")
"""


@pytest.mark.parametrize(
    ("steps", "ending", "certified", "bad"),
    slow_after(
        1,
        [
            (STEPS, ".proof", 1, 0),
            (STEPS, "", 1, 0),
            (STEPS.replace("2 d", "3 d"), ".proof", 0, 1),
            (STEPS.replace(">= -1", ">= 0"), ".proof", 0, 0),  # asserts more than the answer
        ],
    ),
)
def test_the_proof_of_a_program_of_sums_is_checked_against_its_file(
    harness: Harness, tmp_path: Path, steps: str, ending: str, certified: int, bad: int
) -> None:
    (tmp_path / "a.opb").write_text(COVER)
    (tmp_path / "prover.py").write_text(PROVER.format(steps=steps, ending=ending))
    program = f"mine={sys.executable} {tmp_path / 'prover.py'} --proof-log={{proof}}"
    words = ("-b", "opb:mine", "--program", program, "-t", 60, "--open-limit", "300")
    done = harness("run", "a.opb", *words, "--proof", "-o", tmp_path / "j.sqlite", "--json", "-")
    found = done.contender("opb:mine")
    assert (found["certified"], found["refused"], found["wrong"]) == (certified, bad, 0)
    plain = harness("run", "a.opb", *words, "-o", tmp_path / "plain.sqlite", "--json", "-")
    assert plain.contender("opb:mine")["certified"] == 0
    assert plain.contender("opb:mine")["wrong"] == 0


SOFT = "1 1 2 0\nh -1 -2 0\n2 1 0\n3 2 0\n"
SOFT_STEPS = """pseudo-Boolean proof version 3.0
f 2 ;
e 1 x1 1 x2 1 ~_b2 >= 1 : 2 ;
soli x2 ~x1 _b2 : 2 ;
rup >= 1 ;
output NONE ;
conclusion BOUNDS 2 2 ;
end pseudo-Boolean proof ;
"""


def test_the_proof_of_a_maxsat_program_is_about_rows_of_its_written_file(harness: Harness, tmp_path: Path) -> None:
    """The soft clause of two literals is the second clause of that file, in which the hard one comes first."""
    (tmp_path / "a.wcnf").write_text(SOFT)
    (tmp_path / "prover.py").write_text(PROVER.format(steps=SOFT_STEPS, ending="").replace("v x1 x2 -x3", "v 01"))
    program = f"mine={sys.executable} {tmp_path / 'prover.py'} --proof-log={{proof}}"
    words = (
        "-b",
        "wcnf:mine",
        "--program",
        program,
        "-t",
        60,
        "--open-limit",
        "300",
        "--keep-proofs",
        "kept",
        "--proof",
    )
    done = harness("run", "a.wcnf", *words, "-o", tmp_path / "j.sqlite", "--json", "-")
    found = done.contender("wcnf:mine/extended")
    assert "original files of 1 of 1 instance, written ones for proofs" in done.err
    assert (found["certified"], found["refused"], found["wrong"]) == (1, 0, 0)
    (kept,) = (tmp_path / "kept").glob("*.opb")
    assert kept.read_text().splitlines()[1:] == [
        "min: +1 ~_b2 +2 ~x1 +3 ~x2 ;",
        "+1 ~x1 +1 ~x2 >= 1 ;",
        "+1 x1 +1 x2 +1 ~_b2 >= 1 ;",
    ]
