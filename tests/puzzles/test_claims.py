"""Files `expected.csv`: claims of a status or a value, as the source states it, become those of instances."""

from pathlib import Path

import pytest

from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read

LONG = 10**60
FILES = {
    "plain.cnf": "p cnf 2 1\n1 2 0\n",
    "least.opb": "min: +1 x1 ;\n+1 x1 +1 x2 >= 1 ;\n",
    "sub/most.opb": "max: +3 x1 ;\n+1 x1 +1 x2 >= 1 ;\n",
    "soft.wcnf": "5 1 0\n5 -1 0\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def claims(folder: Path, text: str, ignored: bool = False) -> dict[str, tuple[int | None, int | None, bool]]:
    """Return the count, the optimum and `at_least` of each instance that has a claim."""
    (folder / "expected.csv").write_text(text)
    found = read(folder, ReaderOptions(ignore_objective=ignored))
    return {i.name: (i.count, i.optimum, i.at_least) for i in found if (i.count, i.optimum) != (None, None)}


def test_claims_of_a_status_are_read_in_several_words(folder: Path) -> None:
    text = "\ufefffile,status\nplain.cnf,unsat\nsub/most.opb,SATISFIABLE\n\n# c\nsoft.wcnf, true\n"
    assert claims(folder, text) == {
        "plain.cnf": (0, None, False),
        "sub/most.opb": (1, None, True),
        "soft.wcnf": (1, None, True),
    }


def test_values_are_turned_to_what_is_minimised(folder: Path) -> None:
    text = "file,status,value\nleast.opb,optimal,0\nsub/most.opb, Optimal ,+3\nsoft.wcnf,best known,7\nplain.cnf,sat,\n"
    assert claims(folder, text) == {
        "least.opb": (None, 0, False),
        "sub/most.opb": (None, -3, False),
        "soft.wcnf": (None, 7, True),
        "plain.cnf": (1, None, True),
    }
    assert claims(folder, f"sub/most.opb,best known,-{LONG}\n") == {"sub/most.opb": (None, LONG, True)}


def test_where_objectives_are_ignored_a_value_claims_a_solution(folder: Path) -> None:
    text = "least.opb,optimal,0\nsoft.wcnf,best known,7\n"
    assert claims(folder, text, ignored=True) == {"least.opb": (1, None, True), "soft.wcnf": (1, None, True)}


def test_an_instance_that_is_not_read_may_have_a_claim_on_its_value(folder: Path) -> None:
    (folder / "two.opb").write_text("min: +1 x1 ;\nmin: +1 x2 ;\n")
    assert claims(folder, "two.opb,optimal,0\n") == {"two.opb": (1, None, True)}


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("plain.cnf\n", 1, "expected 'file,status' with status sat or unsat, or optimal or best known and a value"),
        ("least.opb,best,3\n", 1, "expected 'file,status'"),
        ("plain.cnf,sat\nc.cnf,sat\n", 2, "no such file: 'c.cnf'"),
        ("least.opb,optimal\n", 1, "'' is not a value: expected an integer"),
        ("least.opb,optimal,1.5\n", 1, "'1.5' is not a value"),
        (f"least.opb,optimal,{'9' * 5000}\n", 1, "expected an integer of up to 4000 digits after optimal"),
        ("least.opb,sat,1\n", 1, "'1' after sat: only 'optimal' and 'best known' have a value"),
        ("# c\nplain.cnf,optimal,1\n", 2, "plain.cnf has no objective, so no value"),
        ("least.opb,optimal,1\nleast.opb,optimal,2\n", 2, "'least.opb' has another claim already"),
        ("least.opb,optimal,1\nleast.opb,best known,1\n", 2, "'least.opb' has another claim already"),
        ("least.opb,optimal,1\nleast.opb,unsat\n", 2, "'least.opb' has the other status already"),
    ],
)
def test_a_wrong_claim_is_one_line_with_its_place(folder: Path, text: str, line: int, why: str) -> None:
    with pytest.raises(BadInput) as refused:
        claims(folder, text)
    message = str(refused.value)
    assert message.startswith(f"{folder / 'expected.csv'}:{line}: ")
    assert why in message
    assert "move it away" not in message
    assert "\n" not in message
