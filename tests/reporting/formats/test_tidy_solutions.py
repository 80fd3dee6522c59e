"""Solutions that are exported hold the variables of the source alone."""

import csv
import io
import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from puzzles.problem import constants
from puzzles.problem.values import Integers, Numbered
from tests.conftest import Harness

ELEMENT = """\
<instance format="XCSP3" type="CSP">
<variables> <var id="x"> 5 7 </var> <var id="y"> 0..1 </var> </variables>
<constraints>
<element> <list> 7 9 5 </list> <index> y </index> <value> x </value> </element>
</constraints>
</instance>
"""


@pytest.mark.skipif(find_spec("pycsp3") is None, reason="needs the extra xcsp3")
def test_constants_of_an_xcsp3_file_are_not_among_exported_solutions(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "a.xml").write_text(ELEMENT)
    assert harness("run", "a.xml", "-b", "native:python", "-o", "j.sqlite").code == 0
    (row,) = csv.DictReader(io.StringIO(harness("export", "j.sqlite", "--format", "csv").out))
    assert row["solutions"] == "70"
    (entry,) = json.loads(harness("export", "j.sqlite", "--format", "json").out)
    assert entry["solutions"] == ["70"]


def test_constants_are_the_last_variables_that_are_named_by_a_number() -> None:
    values = Integers(range(-1, 9))
    assert constants(("x", "y", "7", "-1"), values) == 2
    assert constants(("7", "x"), values) == 0
    assert constants(Numbered("x", 10**9), values) == 0
    assert constants(("1", "2"), ("a", "b")) == 0  # vertices of a graph
