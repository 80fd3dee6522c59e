"""The table of XCSP3 constraints in the documentation is that of the forms which are tested."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from puzzles.formats import read
from puzzles.readers.xcsp3.structure import CONSTRAINTS
from tests.xcsp3_forms import FORMS, document

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/formats.md"
BEGIN, END = "<!-- table of constraints: tests/puzzles/test_xcsp3_table.py -->\n", "<!-- end of the table -->"


def table(folder: Path) -> str:
    """Return a row for each constraint: its forms, and the kinds of constraint that they become."""
    forms: dict[str, list[str]] = {}
    kinds: dict[str, dict[str, None]] = {}
    for name, (text, _) in FORMS.items():
        constraint, _, form = name.partition(", ")
        if constraint in CONSTRAINTS:
            path = folder / "a.xml"
            path.write_text(document(text))
            (instance,) = read(path)
            forms.setdefault(constraint, []).extend([form] if form else [])
            kinds.setdefault(constraint, {}).update(dict.fromkeys(c.kind for c in instance.problem.constraints))
    rows = [f"| `{name}` | {'; '.join(found)} | {', '.join(kinds[name])} |" for name, found in forms.items()]
    return "\n".join(["| constraint | forms, beside the plain one | kinds |", "|---|---|---|", *rows, ""])


@pytest.mark.skipif(find_spec("pycsp3") is None, reason="needs the extra xcsp3")
def test_the_documentation_has_the_table_of_constraints(tmp_path: Path) -> None:
    """Where it fails, the table is the text to put between the two comments of docs/reference/formats.md."""
    page = PAGE.read_text()
    assert page[page.index(BEGIN) + len(BEGIN) : page.index(END)] == table(tmp_path)


def test_every_constraint_that_is_read_has_a_form() -> None:
    read_without_form = {"clause"}  # of Boolean variables alone: a test of its own
    assert {name.partition(", ")[0] for name in FORMS} >= CONSTRAINTS.keys() - read_without_form
