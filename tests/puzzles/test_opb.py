"""OPB and WBO files: objectives, products and soft constraints have the values and solutions of their definitions.

A file is drawn as data, written as text, and evaluated here on its own variables alone.

term  a coefficient and literals, each a variable from 1, negative for ~x
"""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, parse_text, read
from puzzles.objectives import stated
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.columns import pack, valid
from puzzles.problem.dumped import dump
from puzzles.readers.compiled.loading import LEAST_BYTES
from puzzles.stored import load

VARIABLES = 3
LONG = 10**40
Term = tuple[int, list[int]]
Bits = Sequence[int]


class Row(NamedTuple):
    terms: list[Term]
    sign: str
    bound: int
    cost: int | None = None  # of a soft constraint


def one(path: Path, text: str, notes: list[str] | None = None, ignored: bool = False) -> Instance[Problem]:
    path.write_text(text)
    notify = notes.append if notes is not None else str
    (found,) = read(path, ReaderOptions(notify=notify, ignore_objective=ignored))
    return found


def goal_of(found: Instance[Problem]) -> LinearObjective:
    assert isinstance(found.problem.objective, LinearObjective)
    return found.problem.objective


def values(found: Instance[Problem]) -> dict[tuple[int, ...], int]:
    """Return the least value of each assignment of the file's variables that is a solution, as the source states it."""
    problem = found.problem
    every = np.array(list(product((0, 1), repeat=len(problem.variables))), np.uint16)
    held = every[valid(problem, pack(problem, [found.domains]), every)]
    goal = problem.objective
    costs = goal.values(held, problem).tolist() if goal else [0] * len(held)
    best: dict[tuple[int, ...], int] = {}
    for solution, cost in zip(held.tolist(), costs, strict=True):
        key = tuple(solution[:VARIABLES])
        best[key] = min(best.get(key, cost), cost)
    return {key: stated(goal, cost) if goal else cost for key, cost in best.items()}


def total(terms: list[Term], bits: Bits) -> int:
    return sum(a * all(bits[abs(x) - 1] == (x > 0) for x in literals) for a, literals in terms)


def holds(row: Row, bits: Bits) -> bool:
    have, bound = total(row.terms, bits), row.bound
    return {">=": have >= bound, "<=": have <= bound, "=": have == bound, "!=": have != bound}[row.sign]


def text_of(rows: list[Row], first: str) -> str:
    def of(terms: list[Term]) -> str:
        return " ".join(
            f"{a:+d} {' '.join(f'~x{-x}' if x < 0 else f'x{x}' for x in literals)}" for a, literals in terms
        )

    lines = [f"{'' if r.cost is None else f'[{r.cost}] '}{of(r.terms)} {r.sign} {r.bound} ;" for r in rows]
    return "\n".join([f"* #variable= {VARIABLES} #constraint= {len(rows)}", first, *lines, ""])


literal = st.integers(1, VARIABLES).flatmap(lambda x: st.sampled_from([x, -x]))
coefficient = st.integers(-3, 3) | st.sampled_from([LONG, -LONG, 1 << 63, -(1 << 63)])
single = st.tuples(coefficient, st.lists(literal, min_size=1, max_size=1))
term = st.tuples(coefficient, st.lists(literal, min_size=1, max_size=3))
bound = st.integers(-3, 4) | st.sampled_from([LONG])
sign = st.sampled_from([">=", "<=", "=", "!="])
row = st.builds(Row, st.lists(single, max_size=3) | st.lists(term, max_size=2), sign, bound, st.none())
soft_row = st.builds(
    Row, st.lists(term, min_size=1, max_size=2), sign, bound, st.none() | st.integers(0, 9) | st.just(LONG)
)


@given(st.lists(term, min_size=1, max_size=3), st.booleans(), st.lists(row, max_size=2))
def test_objectives_and_products_have_the_values_of_their_definition(
    tmp_path_factory: pytest.TempPathFactory, goal: list[Term], maximise: bool, rows: list[Row]
) -> None:
    path = tmp_path_factory.mktemp("opb") / "a.opb"
    first = text_of([Row(goal, ">=", 0)], "").splitlines()[-1].partition(" >=")[0]
    found = one(path, text_of(rows, f"{'max' if maximise else 'min'}: {first} ;"))
    expected = {
        bits: total(goal, bits) for bits in product((0, 1), repeat=VARIABLES) if all(holds(row, bits) for row in rows)
    }
    assert goal_of(found).maximise == maximise
    assert values(found) == expected
    assert load(dump(found.problem)) == found.problem


@given(st.lists(soft_row, min_size=1, max_size=3), st.none() | st.integers(0, 20) | st.just(LONG))
def test_soft_constraints_cost_where_they_do_not_hold(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Row], top: int | None
) -> None:
    path = tmp_path_factory.mktemp("wbo") / "a.wbo"
    found = one(path, text_of(rows, f"soft: {'' if top is None else top} ;"))
    expected = {}
    for bits in product((0, 1), repeat=VARIABLES):
        broken = [row.cost for row in rows if not holds(row, bits)]
        cost = sum(cost or 0 for cost in broken)
        if None not in broken and (top is None or cost < top):
            expected[bits] = cost
    assert values(found) == expected
    assert (found.problem.objective is None) == (not any(row.cost for row in rows))


def test_auxiliary_variables_come_last_and_a_note_says_that_programs_get_another_file(tmp_path: Path) -> None:
    notes: list[str] = []
    path = tmp_path / "a.opb"
    head = "* #variable= {} #constraint= {}\n"
    found = one(path, head.format(4, 1) + "max: +2 x1 ~x2 -1 x2 x1 x2 +5 x3 ~x3 ;\n+1 ~x2 x1 x1 +1 x4 >= 1 ;\n", notes)
    assert notes == [f"{path}: products became 2 auxiliary variables: programs get a file that is written"]
    assert (len(found.problem.variables), found.source) == (6, None)
    assert goal_of(found).terms == [(-2, 4), (1, 5)]
    notes.clear()
    found = one(
        tmp_path / "a.wbo", head.format(2, 3) + "soft: ;\n[7] +1 x1 >= 1 ;\n[0] +1 x1 = 0 ;\n+1 x2 >= 1;\n", notes
    )
    assert notes == [
        f"{tmp_path / 'a.wbo'}: soft constraints became 1 auxiliary variable: programs get a file that is written"
    ]
    assert (len(found.problem.variables), found.source) == (3, None)


def test_linear_objectives_leave_the_file_to_programs(tmp_path: Path) -> None:
    notes: list[str] = []
    path = tmp_path / "a.opb"
    found = one(path, f"* #variable= 2 #constraint= 1\nmin:-{LONG} x1 +3 ~x2 2 x1;\n+1 x1 +1 x2 >= 1 ;\n", notes)
    assert notes == []
    assert found.source is not None
    assert (found.source.path, found.source.format) == (path, "opb")
    assert goal_of(found).terms == [(2 - LONG, 0), (-3, 1)]
    assert goal_of(found).offset == 3
    assert goal_of(found).words(found.problem) == f"-{LONG - 2} x1 -3 x2 +3"
    assert one(path, "min: ;\n+1 x1 >= 1 ;\n").problem.objective is None


FORMS = ("{sign}{a}*{x}", "{sign} {a} {x}", "{sign}{a} * {x}", "{sign}\t{a} {x}", "{sign}{a} {x}")


@given(
    st.lists(st.tuples(st.integers(-3, 3), literal, st.sampled_from(FORMS)), min_size=1, max_size=4),
    st.sampled_from(["", "@a ", "@c[_1][le]\t@b "]),
    bound,
)
def test_the_syntax_of_2005_and_labels_are_read_and_written_anew_for_programs(
    tmp_path_factory: pytest.TempPathFactory, terms: list[tuple[int, int, str]], label: str, bound: int
) -> None:
    words = [form.format(sign="-+"[a >= 0], a=abs(a), x=f"{'~' * (x < 0)}x{abs(x)}") for a, x, form in terms]
    own, path = Row([(a, [x]) for a, x, _ in terms], ">=", bound), tmp_path_factory.mktemp("old") / "a.opb"
    found = one(path, f"* #variable= 3 #constraint= 1\n{label}{' '.join(words)} >= {bound};\n")
    assert values(found).keys() == {bits for bits in product((0, 1), repeat=VARIABLES) if holds(own, bits)}
    assert (found.source is None) == (label != "" or any(form != FORMS[-1] for *_, form in terms))


def names_and_rows(found: Instance[Problem]) -> tuple[list[str], list[str]]:
    (constraint,) = found.problem.constraints
    zero = [0] * len(found.problem.variables)
    return list(found.problem.variables), constraint.explain(zero, found.problem)


def test_names_come_in_the_order_of_the_file_after_x0_x1_and_so_on(tmp_path: Path) -> None:
    notes: list[str] = []
    text = "min: 2 y_x1_5 1 x7 ;\npreserved: x2 ;\n1 x[money_a][0_1] 1 ~x0 2 x7 >= 3 ;\n1 x7 ~y_x1_5 >= 1 ;\n"
    found = one(tmp_path / "a.opb", f"* #variable= 9 #constraint= 2\n{text}", notes)
    names, rows = names_and_rows(found)
    assert names == ["x0", "x2", "x7", "y_x1_5", "x[money_a][0_1]", "aux1"]
    assert rows[0] == "sum 1 is 0: +1 x[money_a][0_1] -1 x0 +2 x7 >= 2"
    assert goal_of(found).words(found.problem) == "+2 y_x1_5 +1 x7"
    assert found.source is None
    assert f"{tmp_path / 'a.opb'}: 5 variables with names, but the header states 9" in notes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("+1 x1 -x2 >= 0 ;\n", "terms without a coefficient"),
        ("min: x1 ;\n+1 x1 >= 0 ;\n", "terms without a coefficient"),
        ("+1 x1 >= - 1 ;\n", "signs that stand apart"),
        ("+1 x1 <= 1 ;\n", "'<='"),
        ("+1*x1 != 1 ;\n", "'!='"),
        (">= -1 ;\n", "empty sums"),
        ("+1 x1 >= 0 ;\nmin: +1 x1 ;\n", "'min:' after a constraint"),
        ("+1 x1\n* c\n>= 0 ;\n", "comments that begin inside a line or statement"),
        ("+1 x1 >= 0 ; * c\n", "comments that begin inside a line or statement"),
        (" * c\n+1 x1 >= 0 ;\n", "comments that begin inside a line or statement"),
        ("+1 x1\n>= 0 ;\n", "statements over several lines"),
    ],
)
@pytest.mark.parametrize("least", [0, 1 << 20])
def test_what_some_programs_do_not_read_is_written_anew_for_all(
    tmp_path: Path, text: str, why: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    monkeypatch.setitem(LEAST_BYTES, "opb", least)
    found = one(tmp_path / "a.opb", f"* #variable= 2 #constraint= 1\n{text}", notes)
    assert found.source is None
    (note,) = notes
    assert "some programs do not read" in note
    assert why in note


@pytest.mark.parametrize(
    "head",
    [
        "",
        "* c\n* #variable= 2 #constraint= 1\n",
        "*  #variable= 2 #constraint= 1\n",
        "* #variable= 2 #constraint= 1 #equal= 0 intsize= 3\n",
        "* nbvariable= 2 nbconstraint= 1\n",
    ],
)
def test_a_file_with_another_header_is_written_anew(tmp_path: Path, head: str) -> None:
    notes: list[str] = []
    found = one(tmp_path / "a.opb", f"{head}+1 x1 +1 x2 >= 1 ;\n", notes)
    assert found.source is None
    assert len(found.problem.variables) == 2
    assert "'* #variable= N #constraint= M'" in notes[0]


MARKED = {
    "a.cnf": "p cnf 2 1\n1 2 0\n",
    "a.wcnf": "h 1 2 0\n1 -1 0\n",
    "a.opb": "* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n",
    "a.fzn": "var bool: a :: output_var;\nsolve satisfy;\n",
    "a.json": '{"variables": {"a": {"type": "bool"}}, "constraints": [], "solve": {"method": "satisfy"}}',
    "a.txt": f"{'.' * 80}1\n",
    "a.col": "p edge 2 1\ne 1 2\n",
}


@pytest.mark.parametrize("name", MARKED)
def test_a_byte_order_mark_is_skipped_in_every_format_and_no_program_gets_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    read_with = ReaderOptions(as_="colouring 2") if name == "a.col" else ReaderOptions()
    path.write_text(MARKED[name])
    (plain,) = read(path, read_with)
    path.write_text(f"\ufeff{MARKED[name]}")
    (marked,) = read(path, read_with)
    assert (marked.problem, marked.domains, marked.source) == (plain.problem, plain.domains, None)


@pytest.mark.parametrize(("name", "text"), [("a.mzn", "solve satisfy;\n"), ("b.dzn", "n = 1;\n")])
def test_a_byte_order_mark_that_minizinc_does_not_read_is_named(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "a.mzn").write_text("int: n;\nsolve satisfy;\n")
    (tmp_path / name).write_text(f"\ufeff{text}")
    with pytest.raises(BadInput, match="1: begins with a byte order mark"):
        list(read(tmp_path / name))


@pytest.mark.parametrize("text", ["p\tcnf 2 1\n1 2 0\n", "p  cnf 2 1\n1 2 0\n", "p wcnf 2  1\n1 2 0\n"])
def test_a_header_of_clauses_with_other_blanks_is_written_anew(tmp_path: Path, text: str) -> None:
    assert one(tmp_path / "a", text).source is None
    assert one(tmp_path / "a", text.replace("\t", " ").replace("  ", " ")).source is not None


def test_line_ends_of_windows_in_a_file_of_rows_are_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.opb"
    path.write_bytes(MARKED["a.opb"].replace("\n", "\r\n").encode())
    (found,) = read(path)
    assert found.source is None


def test_an_ignored_objective_is_dropped_with_its_products(tmp_path: Path) -> None:
    text = "min: +1 x1 x5 ;\n+1 x1 +1 x2 >= 1 ;\n"
    found = one(tmp_path / "a.opb", text, ignored=True)
    assert (len(found.problem.variables), found.problem.objective, found.source) == (5, None, None)
    (typed,) = parse_text(text, "typed", ReaderOptions(ignore_objective=True))
    assert typed.problem.objective is None
    soft = "soft: 4 ;\n[2] +1 x1 >= 1 ;\n[3] +1 x1 <= 0 ;\n[1] +1 x1 >= 2 ;\n+1 x2 +1 x3 >= 0 ;\n"
    decided, optimised = (one(tmp_path / "a.wbo", soft, ignored=ignored) for ignored in (True, False))
    assert decided.problem.objective is None
    assert decided.source is None
    assert values(decided).keys() == values(optimised).keys() == {(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1)}


@pytest.mark.parametrize(
    ("content", "place", "why"),
    [
        ("min: +1 x1 +2 ;\n", "1:12", "expected a variable such as x1 after '+2'"),
        ("min: +1 x1 >= 2 ;\n", "1:12", "'>=': expected a coefficient or a variable"),
        ("* c\nmin: +1 x1\n +2 y, ;\n", "3:5", "'y,': expected a coefficient or a variable"),
        ("+1 x1 +2 >= 2 ;\n", "1:7", "expected a variable such as x1 after '+2'"),
        ("soft: 5 ;\nsoft: 6 ;\n", "2:1", "a second 'soft:'"),
        ("soft: -5 ;\n", "1:1", "'-5': expected one number after 'soft:', or none"),
        ("soft: 5 6 ;\n", "1:1", "expected one number after 'soft:'"),
        ("soft: 5 ;\n[x] +1 x1 >= 1 ;\n", "2:1", "'[x]': expected a cost such as [5]"),
        ("soft: 5 ;\n[-2] +1 x1 >= 1 ;\n", "2:1", "expected a cost such as [5]"),
        ("soft: 5 ;\n[2 +1 x1 >= 1 ;\n", "2:1", "expected a cost such as [5]"),
        ("soft: 5 ;\n[2] ;\n", "2", "a constraint without one of"),
        ("soft: 5 ;\n[2] +1 x1 >= 1 ;\nmin: +1 x1 ;\n", "3:1", "an objective and soft constraints in one file"),
        ("min: +1 x1 ;\n[2] +1 x1 >= 1 ;\n", "2:1", "an objective and soft constraints in one file"),
        (f"min: +{'9' * 4001} x1 ;\n", "1", "at most 4000 are read"),
        ("* #variable= 1 #constraint= 0\nmin: +1 x2 ;\n", "1", "variable x2, but the header states 1"),
        ("* #variable= 1 #constraint= 1\nmin: +1 x1 ;\n+1 y1 >= 1 ;\n", "1", "variable y1, but the header states 1"),
        ("min: +1 x1", "1", "is the file truncated?"),
        ("z ==> 1 x1 >= 1 ;\n", "1:3", "reified constraints are not read"),
        ("min: 1 x1-x2 ;\n", "1:8", "no name has a '-': put a blank before one that subtracts"),
        ("min: 1**x1 ;\n", "1:7", "'*'"),
        ("min: 1e5 x1 ;\n", "1:6", "'1e5'"),
    ],
)
def test_wrong_files_are_refused_with_their_place(tmp_path: Path, content: str, place: str, why: str) -> None:
    path = tmp_path / "a.opb"
    with pytest.raises(BadInput) as refused:
        one(path, content)
    assert str(refused.value).startswith(f"{path}:{place}: "), refused.value
    assert why in str(refused.value)


def test_several_objectives_are_unsupported(tmp_path: Path) -> None:
    notes: list[str] = []
    found = one(tmp_path / "a.opb", "min: +1 x1 ;\nmin: +1 x2 ;\n+1 x1 >= 1 ;\n", notes)
    assert [c.kind for c in found.problem.constraints] == ["unsupported"]
    assert notes == [f"{tmp_path / 'a.opb'}: not supported: several objectives"]
