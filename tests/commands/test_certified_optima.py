"""Optima with checked proofs: WCNF and OPB by exact are certified of the instance."""

from pathlib import Path

import pytest

from tests.conftest import Harness

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
