"""`harness.solve`, `candidates` and `steps`, and the lesson that uses them."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

import harness as interface
from puzzles.formats import parse_text
from tests.conftest import ROOT

NORVIG = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SMALL = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 0, 0, 2], [0, 4, 0, 0]]
LESSON = ROOT / "docs" / "lesson.ipynb"


def test_a_board_is_solved_from_text_a_file_rows_and_a_problem(tmp_path: Path) -> None:
    line = "".join(str(cell or ".") for row in SMALL for cell in row)
    path = tmp_path / "a.txt"
    path.write_text(f"# a board\n#: sudoku 2x2\n{line}\n")
    (instance,) = parse_text(f"#: sudoku 2x2\n{line}", "t")
    stated: list[tuple[Any, Any]] = [
        (line, {}),
        (path, {}),
        (f"{path}:3", {}),
        ("\n".join(" ".join(map(str, row)) for row in SMALL), {}),
        (SMALL, {"as_": "sudoku 2x2"}),
        (instance, {}),
    ]
    found = [interface.solve(board, "native:python", **settings).values for board, settings in stated]
    assert found[0] == {**found[0], "A1": 1, "B3": 3, "C4": 2, "D2": 4}
    assert found == found[:1] * len(found)
    assert len(interface.solve(instance.problem, "native:python").values) == 16


def test_the_answer_has_counts_values_and_a_drawing() -> None:
    solved = interface.solve(NORVIG, "native:norvig", count=2)
    assert (solved["A2"], solved.complete, solved.status, solved.fault, bool(solved)) == (
        1,
        True,
        "satisfiable",
        "",
        True,
    )
    assert solved.decisions is not None
    assert solved.decisions > 25
    assert "4 1 7 | 3 6 9 | 8 2 5" in repr(solved)
    assert solved._repr_html_().count("<td") == 81
    assert solved._repr_html_().count("font-weight:bold") == 17
    stuck = interface.solve("hardest:14", "native:subsets")
    assert (stuck.status, stuck.reason, stuck.values, bool(stuck)) == ("unknown", "stuck", {}, False)


def test_an_objective_has_its_value_as_the_source_states_it(tmp_path: Path) -> None:
    path = tmp_path / "a.opb"
    path.write_text("max: 3 x1 2 x2 ;\n1 x1 1 x2 <= 1 ;\n")
    best = interface.solve(path)
    assert (best.value, best.values, best.complete) == (3, {"x1": 1, "x2": 0}, True)


def test_boards_with_cages_are_drawn_with_their_labels() -> None:
    html = interface.solve("kenken 3 aabccbdde a=3+ b=2- c=6x d=3/ e=2", "cpsat")._repr_html_()
    assert html.count("<td") == 9
    assert ">3+<" in html
    assert "<table" not in interface.solve("futoshiki 3 1........ A2<A3 B1>C1", "cpsat")._repr_html_()


def test_candidates_are_by_square_and_drawn() -> None:
    found = interface.candidates(NORVIG)
    assert (found["C2"], found["G2"], found["F2"], found.contradiction) == ((1, 5, 6, 8, 9), (8, 9), (4,), False)
    assert "C  2689 15689  125689" in repr(found)
    assert found._repr_html_().count("<td") == 81
    assert interface.candidates("11..............").contradiction


def test_steps_come_one_at_a_time() -> None:
    steps = interface.steps(NORVIG)
    first = [next(steps) for _ in range(3)]
    assert "17 of 81 squares given" in first[0]
    assert "SPLIT where fewest candidates are left: G2=8 or G2=9" in first[1]
    assert first[2] == "BRANCH 1 of 2: try G2=8"
    last = list(interface.steps(NORVIG, "native:subsets", brief=True))[-1]
    assert last.endswith("0 decisions, 0 conflicts")


@pytest.mark.parametrize(
    "call",
    [
        lambda: interface.solve("nowhere.txt"),
        lambda: interface.solve(NORVIG, "nobody"),
        lambda: interface.solve(NORVIG[:-2]),
        lambda: interface.steps(NORVIG, "cpsat"),
        lambda: interface.candidates("kenken 3 aabccbdde a=3+ b=2- c=6x d=3/ e=2"),
        lambda: interface.solve("#: sudoku 2x2\n1...............", as_="latin"),
    ],
)
def test_mistakes_are_bad_usage(call: Any) -> None:
    with pytest.raises(interface.BadUsage):
        call()
    with pytest.raises(TypeError, match="no setting 'tiemout'"):
        interface.solve(NORVIG, tiemout=3)  # type: ignore[call-arg]


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell, and return the value of its last expression, which a notebook shows."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


def test_the_lesson_runs_without_jupyter_and_is_stored_without_outputs() -> None:
    cells = [cell for cell in json.loads(LESSON.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in cells)
    names: dict[str, Any] = {}
    values = [shown("".join(cell["source"]), names) for cell in cells]
    drawn = [value for value in values if hasattr(value, "_repr_html_")]
    assert len(drawn) == 8
    assert values[2][:2] == (1, True)
    assert ((1, 5, 6, 8, 9), (8, 9)) in values
    assert "stuck" in values
    assert "row A has 5 twice, in A2 and A9" in values
    assert (462838344192 * 10**27, "1.2e+61") in values
    (guesses,) = (value for value in values if isinstance(value, dict) and "splitting" in value)
    assert guesses == {"norvig": 100, "splitting": 10, "subsets": 0, "links": 100}
    assert guesses["norvig"] == values[2][2], "the same number of the same search, wherever the lesson tells it"


def test_a_board_has_units_peers_and_the_number_of_ways_to_fill_it() -> None:
    board = interface.board(NORVIG)
    row, column, box = board.units["C2"]
    assert (row, column) == (tuple(f"C{c}" for c in range(1, 10)), tuple(f"{r}2" for r in "ABCDEFGHI"))
    assert box == ("A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3")
    assert board.peers["C2"] == {*row, *column, *box} - {"C2"}
    assert {len(peers) for peers in board.peers.values()} == {20}
    assert board.size == 9 ** (81 - 17)
    assert interface.candidates(board).size == 462838344192 * 10**27
    assert interface.solve(board, "native:python")["A2"] == 1
    assert board["A1"] == (4,)
    assert repr(board).count(".") == 81 - 17


def test_a_square_is_drawn_in_its_units() -> None:
    drawn = interface.board(NORVIG).square("c2")
    assert "C r a r | 7 r r | r r r     C . a . | 7 . . | . . .     C b a b | 7 . . | . . ." in drawn
    assert drawn._repr_html_().count("background:#cfe3f7") == 21
    with pytest.raises(interface.BadUsage, match="no square 'J1'"):
        interface.board(NORVIG).square("J1")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("11" + "." * 14, "row A has 1 twice, in A1 and A2"),
        ("123." + "." * 3 + "4" + "." * 8, "row A has 1 twice, in A1 and A4"),
        ("12..............", ""),
    ],
)
def test_a_contradiction_is_explained(text: str, why: str) -> None:
    found = interface.candidates(text)
    assert (found.contradiction, found.why) == (bool(why), why)
    assert ("It has no solution" in repr(found)) == bool(why)
