"""FlatZinc files: statements in all their forms, names, sizes, objectives, and one line for each error."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.showing.formulas import solution_text
from puzzles.constraints.linear import Linear
from puzzles.constraints.unsupported import unsupported_parts
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.labels import label
from puzzles.objectives import stated
from puzzles.problem.values import IntegerRange, bits
from puzzles.readers.compressed import HEAD_BYTES
from tests.effort import examples
from tests.puzzles.flatzinc_files import Goal, as_json, as_text
from tests.puzzles.test_flatzinc import CASES, models, one

ALL_FORMS = """
% a comment; with a semicolon
predicate own_global(array [int] of var int: xs, set of 1..3: s);
int: n = -3; bool: yes = true;
float: third = 0.5e-1;
set of int: small = {3, 1, 2};
set of 1..9: none = {};
array [1..2] of int: weights = [n, 0x10];
array [1..2] of set of int: sets = [1..2, {4}];
array [1..1] of float: floats = [1.0];
var 0 .. 9 : x :: output_var
  :: is_defined_var;
var bool: b; var {7,1}: y = x;
var int: free :: "text; % no comment" = 4;
array [1..4] of var int: xs :: output_array([1..2, 0..1]) = [x, z, weights[2], 4];
var -3..16: z :: seq_search([int_search([x], input_order, indomain_min)]);
constraint set_in(z, small);   constraint int_le(xs[1], 7) :: defines_var(x) :: domain;
constraint int_lin_le(weights, [x, z],
  29);
solve :: int_search(xs, first_fail, indomain_min, complete) minimize z;
"""


def test_all_forms_of_statements(tmp_path: Path) -> None:
    instance = one(tmp_path / "a.fzn", ALL_FORMS)
    assert list(instance.problem.variables) == ["x", "b", "free", "xs[1,1]"]
    found = models(instance)
    assert {(m["x"], m["xs[1,1]"], m["free"]) for m in found} == {(7, 1, 4), (7, 2, 4), (7, 3, 4), (1, 1, 4), (1, 2, 4)}
    assert label(instance.problem) == "FlatZinc instance"


def test_a_file_is_told_by_its_beginning(tmp_path: Path) -> None:
    for name, text in (("a", as_text([])), ("b.txt", "% a model\n\n" + as_text([])), ("c.dat", as_json([]))):
        assert len(one(tmp_path / name, text).problem.variables) == 6


def test_what_is_not_read_is_named_and_the_instance_is_unsupported(tmp_path: Path) -> None:
    text = (
        "var 1.0..2.0: f;\nvar set of 1..3: s;\nvar 1..3: x;\nconstraint set_card(s, x);\n"
        "constraint set_card(s, x);\nconstraint int_le(x, 2);\nconstraint fzn_geost(x);\nsolve satisfy;\n"
    )
    notes: list[str] = []
    instance = one(tmp_path / "a.fzn", text, notes)
    names = "float variables, set variables, set_card, fzn_geost"
    assert unsupported_parts(instance.problem) == names
    assert notes == [f"{tmp_path / 'a.fzn'}: not supported: {names}"]


UNBOUNDED = "var int: x;\nvar 0..3: y;\nconstraint int_times(x, x, y);\nsolve satisfy;\n"
BAD = {
    "an unknown name": ("var 1..2: x;\nconstraint int_le(x,\n y);\nsolve satisfy;\n", 2, "'y': expected a known name"),
    "an argument too many": ("var 1..2: x;\nconstraint int_abs(x, x, x);\nsolve satisfy;\n", 2, "it needs 2"),
    "lists of two lengths": (
        "var 1..2: x;\nsolve satisfy;\nconstraint int_lin_le([1], [x, x], 2);\n",
        3,
        "lists of 1, 2 items",
    ),
    "a number for a list": ("constraint int_lin_le(3, [1], 2);\nsolve satisfy;\n", 1, "expected a list"),
    "an integer in a clause": (
        "var 0..2: x;\n\nconstraint bool_clause([x], []);\nsolve satisfy;\n",
        3,
        "a Boolean is expected",
    ),
    "a variable twice": ("var 0..2: x;\nvar bool: x;\nsolve satisfy;\n", 2, "'x' is declared twice"),
    "no end": ("var 0..2: x;\nsolve satisfy\n", 2, "is the file truncated?"),
    "no goal": ("var 0..2: x;\n", 0, "no solve statement"),
    "two goals": ("solve satisfy;\nsolve satisfy;\n", 2, "a second solve statement"),
    "a word": ("solve satisfy;\nhallo: 3;\n", 2, "unexpected 'hallo'"),
    "no bracket": ("var 0..2: x;\nconstraint int_le(x, 2;\nsolve satisfy;\n", 2, "unexpected ';': expected ','"),
    "long numbers": (f"var 0..2: x;\nconstraint int_le(x, {'9' * 5000});\nsolve satisfy;\n", 2, "5000 digits"),
    "a set for a number": ("var 0..2: x;\nconstraint int_le(x, 1..2);\nsolve satisfy;\n", 2, "expected a variable or"),
    "a table of another width": (
        "var 0..2: x;\nconstraint fzn_table_int([x, x], [1, 2, 3]);\nsolve satisfy;\n",
        2,
        "a table of 3 numbers for 2 variables",
    ),
    "nested brackets": (f"constraint p({'[' * 5000});\nsolve satisfy;\n", 1, "nested deeper"),
}


@pytest.mark.parametrize("case", BAD)
def test_an_error_is_one_line_with_its_place(case: str, tmp_path: Path) -> None:
    text, line, why = BAD[case]
    path = tmp_path / "a.fzn"
    with pytest.raises(BadInput) as caught:
        one(path, text)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert why in message
    assert len(message.splitlines()) == 1


def test_errors_in_json_have_the_line_of_their_constraint(tmp_path: Path) -> None:
    text = as_json([("int_le", ["x", "y"]), ("int_le", ["x", "nobody"])])
    line = 1 + next(
        i for i, row in enumerate(text.splitlines()) if row == "    {" and "nobody" in text.splitlines()[i + 4]
    )
    with pytest.raises(BadInput, match=rf"a\.json:{line}: unexpected 'nobody'"):
        one(tmp_path / "a.json", text)
    with pytest.raises(BadInput, match=r"a\.json:3: variable 'x' of an unknown type"):
        one(tmp_path / "a.json", text.replace('"int"', '"integer"', 1))
    with pytest.raises(BadInput, match=r"a\.json:[0-9]+:[0-9]+: no JSON"):
        one(tmp_path / "a.json", text[:-30])


def test_objectives_have_the_value_of_their_variable(tmp_path: Path) -> None:
    calls = [("int_lin_eq", [[2, -3, -1], ["x", "y", "z"], 0])]
    for method, sign in (("minimize", 1), ("maximize", -1)):
        instance = one(tmp_path / "a.fzn", as_text(calls, Goal(method, "z")))
        goal = instance.problem.objective
        assert goal is not None
        assert goal.maximise == (sign < 0)
        for model in models(instance):
            at = [list(map(int, instance.problem.values)).index(n) for n in model.values()]
            value = goal.values(np.array([at], np.uint16), instance.problem)[0]
            assert stated(goal, int(value)) == 2 * model["x"] - 3 * model["y"]
        (dropped,) = read(tmp_path / "a.fzn", ReaderOptions(ignore_objective=True))
        assert dropped.problem.objective is None


WIDE = """
var 0..4: x;
var 0..4: y;
var 0..4000000: v;
var 0..4000000: w;
var -9000000..9000000: cost;
var bool: b;
constraint int_lin_eq([700000, 300000, -1], [x, y, v], 0);
constraint int_lin_eq([1, 1, -1], [v, x, w], 0);
constraint int_lin_le([1, -1000000], [w, y], 0);
constraint int_le_reif(w, 1500001, b);
constraint int_lin_eq([1, 5, -1], [w, y, cost], 0);
solve maximize cost;
"""


def test_wide_variables_become_the_sums_that_define_them(tmp_path: Path) -> None:
    instance = one(tmp_path / "a.fzn", WIDE)
    wanted = {
        (x, y, int(700000 * x + 300000 * y + x <= 1500001))
        for x in range(5)
        for y in range(5)
        if 700000 * x + 300000 * y + x <= min(4000000, 1000000 * y) and 700000 * x + 300000 * y <= 4000000
    }
    assert {(m["x"], m["y"], m["b"]) for m in models(instance)} == wanted
    assert len(instance.problem.values) == 5
    goal = instance.problem.objective
    assert goal is not None
    assert goal.words(instance.problem) == "+300005 y +700001 x"


def test_sizes_beyond_limits_are_unsupported(tmp_path: Path) -> None:
    assert (
        unsupported_parts(one(tmp_path / "a.fzn", UNBOUNDED).problem) == "integer variables without bounds, such as x"
    )
    wide = UNBOUNDED.replace("var int", "var 0..9000000")
    assert one(tmp_path / "b.fzn", wide).problem.values == IntegerRange(range(9000001))
    beyond = f"var 0..1: x;\nconstraint int_le(x, {10**30});\nsolve satisfy;\n"
    assert unsupported_parts(one(tmp_path / "c.fzn", beyond).problem) == "numbers beyond 64 bits"


def test_a_solution_is_shown_without_variables_that_the_compiler_made(tmp_path: Path) -> None:
    text = (
        "var 1..2: X_INTRODUCED_0_;\nvar 3..4: X_INTRODUCED_1_;\nvar 5..6: last :: output_var;\n"
        "array [1..1] of var int: row :: output_array([1..1]) = [X_INTRODUCED_0_];\nsolve satisfy;\n"
    )
    problem = one(tmp_path / "a.fzn", text).problem
    assert solution_text(problem, (0, 2, 4)) == "v row[1]=1 last=5"


@pytest.mark.slow
def test_a_file_that_is_longer_than_its_head_is_read_whole(tmp_path: Path) -> None:
    calls = [("int_lin_le", [[1, -1, 2], ["x", "y", "z"], 5])] * 25_000
    path = tmp_path / "a.fzn"
    instance = one(path, as_text(calls))
    assert path.stat().st_size > HEAD_BYTES
    assert sum(len(c) for c in instance.problem.constraints if isinstance(c, Linear)) == 25_000


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(st.sampled_from(sorted(CASES)), max_size=5),
    goal=st.sampled_from(("satisfy", "minimize", "maximize")),
)
def test_text_and_json_say_the_same(names: list[str], goal: str, tmp_path: Path) -> None:
    calls = [CASES[name][:2] for name in names]
    wanted = Goal(goal, "y")
    text = one(tmp_path / "a.fzn", as_text(calls, wanted))
    data = one(tmp_path / "a.json", as_json(calls, wanted))
    assert (text.problem, text.domains) == (data.problem, data.domains)


def test_blanks_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    random = Random(1)
    calls = [CASES[name][:2] for name in random.sample(sorted(CASES), 30)]
    plain = one(tmp_path / "a.fzn", as_text(calls))
    for between in ("\n", "\r\n", "\t", " % remark\n"):
        text = as_text(calls).replace(", ", f",{between}").replace("(", f" ( {between}")
        assert one(tmp_path / "a.fzn", text).problem == plain.problem
    assert all(list(bits(mask)) for mask in plain.domains)


def test_json_is_read_as_minizinc_writes_it(tmp_path: Path) -> None:
    model = {
        "variables": {
            "x": {"type": "int", "domain": [[1, 2], [4, 4]]},
            "b": {"type": "bool", "rhs": True},
            "twin": {"type": "int", "domain": [[2, 9]], "rhs": "x", "introduced": True},
        },
        "arrays": {"xs": {"a": ["x", 7, "twin"], "ann": ["output_array"]}},
        "constraints": [
            {"id": "int_lin_ne", "args": [[1, 1], ["x", "b"], 3], "ann": ["domain"], "defines": "x"},
            {"id": "set_in", "args": ["x", {"set": [[1, 2], [4, 8]]}]},
        ],
        "output": ["xs"],
        "solve": {"method": "minimize", "objective": "x", "ann": [{"id": "int_search", "args": ["xs", "input_order"]}]},
        "version": "1.0",
    }
    instance = one(tmp_path / "m.fzn.json", json.dumps(model))
    assert models(instance) == [{"xs[1]": 4, "b": 1}]
