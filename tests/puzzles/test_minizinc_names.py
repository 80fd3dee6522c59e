"""Values are shown as the modeller declared them: sets, options, names of enumerations, arrays with fixed elements."""

import csv
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

import harness as tool
from harness.interface.answers import named
from harness.showing.formulas import solution_text
from puzzles.formats import read
from puzzles.problem.declared import Members
from puzzles.problem.dumped import dump
from puzzles.readers.minizinc import instance
from puzzles.readers.minizinc.compiling import Compiled
from puzzles.readers.source import from_text
from puzzles.stored import load
from tests.conftest import Harness
from tests.definitions import solutions

FLAT = """\
var 1..3: X_INTRODUCED_1_;
var 1..2: X_INTRODUCED_2_;
var bool: X_INTRODUCED_3_ :: output_var;
var 0..3: X_INTRODUCED_4_ :: output_var;
var 0..90000: cost;
array [1..2] of var int: c :: output_array([1..2]) = [1,X_INTRODUCED_1_];
array [1..2] of var int: by :: output_array([1..2]) = [X_INTRODUCED_2_,7];
constraint int_ne(X_INTRODUCED_1_,1);
constraint int_lin_eq([1,-1000],[cost,X_INTRODUCED_2_],5);
solve satisfy;
"""
OUTPUT = r"""output ["c = ",_toString_Color(c,true,false),";\n","by = ",let {array [int] of string: idx = [_toString_Color(i,true,false) | i in 1..2], array [int] of string: x = [show(by[i]) | i in 1..2]} in (show_indexed(idx,x)),";\n","s = ",show(s),";\n","o = ",show(o),";\n","p = ",show(p),";\n","e = ",show(e),";\n"];
function string : _toString_Color(opt int: x,bool: b,bool: json) = if occurs(x) then 1 else 2 endif;
array [1..3] of string: _enum_to_string_0_Color = ["Red","Green","Dark blue"];
set of int: Color = 1..3;
set of int: Two = 1..2;
array [1..2] of string: _enum_to_string_0_Two = ["A","B"];
array [1..2] of int: c;
array [Two] of int: by;
array [0..2] of bool: X_INTRODUCED_9_ = array1d(0..2,[X_INTRODUCED_3_,false,X_INTRODUCED_8_]);
bool: X_INTRODUCED_8_ = true;
set of int: s = reverse_map_ab2si(X_INTRODUCED_9_);
set of int: e = {1,3};
bool: X_INTRODUCED_5_ = int_ne(X_INTRODUCED_4_,0);
opt int: o = reverse_map_var_opt_int(X_INTRODUCED_5_,X_INTRODUCED_4_);
bool: X_INTRODUCED_6_ = false;
opt int: p = reverse_map_var_opt(X_INTRODUCED_6_,X_INTRODUCED_4_);
"""  # noqa: E501


def test_items_are_sets_options_enumerations_sums_and_fixed_elements() -> None:
    found = instance(Compiled(FLAT, OUTPUT, (), "2.9", 0), from_text("", "a.mzn"))
    problem = found.problem
    assert not any(name == "cost" for name in problem.variables)  # a sum replaces it, for it has 90,001 values
    values = {
        json.dumps(named(problem, row), default=repr, sort_keys=True) for row in solutions(problem, found.domains)
    }
    assert values == {
        json.dumps(
            {
                "c[1]": "Red",
                "c[2]": color,
                "by[A]": by,
                "by[B]": 7,
                "s": repr(Members((0, 2) if member else (2,))),
                "o": option or None,
                "p": None,
                "e": "{1, 3}",
                "cost": 1000 * by + 5,
            },
            sort_keys=True,
        )
        for color in ("Green", "Dark blue")
        for by in (1, 2)
        for member in (0, 1)
        for option in range(4)
    }
    row = next(iter(solutions(problem, found.domains)))
    assert "s={" in solution_text(problem, row)
    assert "p=<>" in solution_text(problem, row)
    again = load(dump(problem))
    assert (again.digest, again.declared) == (problem.digest, problem.declared)


@pytest.mark.parametrize(
    "damage",
    [["x", "number", 0, [0, 1, 99]], ["x", "number", 0, [0, 1]], ["x", "option", 0, [0]], ["x", "odd", 0, [0]]],
)
def test_items_of_a_damaged_problem_are_refused(damage: list[Any]) -> None:
    found = instance(Compiled(FLAT, OUTPUT, (), "2.9", 0), from_text("", "a.mzn"))
    header, end, rest = bytes(dump(found.problem)).partition(b"\n")
    data = json.loads(header)
    data["declared"]["items"].append(damage)
    with pytest.raises(ValueError, match="other parts than its kind"):
        load(json.dumps(data).encode() + end + rest)


def test_fixed_elements_of_arrays_of_flatzinc_are_shown(tmp_path: Path) -> None:
    (tmp_path / "a.fzn").write_text(
        "var 1..3: x;\narray [1..2] of int: w = [4,5];\n"
        "array [1..3] of var int: xs :: output_array([0..2]) = [x,7,w[2]];\nsolve satisfy;\n"
    )
    (found,) = read(tmp_path / "a.fzn")
    assert solution_text(found.problem, (0, 0, 0)[: len(found.problem.variables)]).split() == [
        *("v", "xs[0]=1", "xs[1]=7", "xs[2]=5")
    ]


MODEL = """\
enum Color = {{Red, Green, Blue}};
enum Two = {{A, B}};
array [1..3] of var Color: c;
array [Color, Two] of var 1..2: mm;
array [Two] of var set of Color: ts;
array [Two] of var opt Color: to;
array [1..2, 0..1] of var set of 0..2: p2;
array [0..1] of var opt 0..3: po;
array [1..2] of var opt bool: ob;
var set of {{-1,5,9}}: gaps;
var bool: b;
var Color: one;
var 0..100000: wide = 1000 * c[1] + 7;
{constraints}
solve satisfy;
output ["no names: \\(c)"];
"""


def random_model(random: Random) -> str:
    """Return a model whose variables are all fixed, some by the compiler and some by a solver alone."""
    stated = [f"c[{i}] = {random.choice(('Red', 'Green', 'Blue'))}" for i in (1, 2, 3)]
    stated += [f"mm[{c},{t}] = {random.randint(1, 2)}" for c in ("Red", "Green", "Blue") for t in "AB"]
    for t in "AB":
        stated += [
            f"{c} {random.choice(('in', 'in'))} ts[{t}]" for c in ("Red", "Green", "Blue") if random.random() < 0.5
        ]
        stated.append(random.choice((f"absent(to[{t}])", f"occurs(to[{t}]) /\\ deopt(to[{t}]) = Green")))
    stated += [f"{n} in p2[{i},{j}]" for i in (1, 2) for j in (0, 1) for n in range(3) if random.random() < 0.4]
    stated += [random.choice((f"absent(po[{i}])", f"po[{i}] = {random.randint(0, 3)}")) for i in (0, 1)]
    stated += [random.choice((f"absent(ob[{i}])", f"occurs(ob[{i}]) /\\ deopt(ob[{i}])")) for i in (1, 2)]
    stated += [f"gaps = {random.choice(('{}', '{-1,9}', '{5}'))}", "b = (c[1] = Red)", "one = c[2]"]
    counted = "card(ts[A]) + card(ts[B]) + sum(i in 1..2, j in 0..1)(card(p2[i,j]))"
    least = sum("in ts" in text or "in p2" in text for text in stated)
    return MODEL.format(constraints="\n".join(f"constraint {text};" for text in (*stated, f"{counted} = {least}")))


def flat(name: str, value: Any, indices: tuple[Any, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the elements of a value of MiniZinc's JSON, with positions as indices."""
    if isinstance(value, list):
        for i, part in enumerate(value):
            yield from flat(name, part, (*indices, i))
    elif isinstance(value, dict) and "set" in value:
        numbers = list[Any]()
        for part in value["set"]:
            numbers += (
                range(part[0], part[1] + 1)
                if isinstance(part, list)
                else [part["e"] if isinstance(part, dict) else part]
            )
        yield f"{name}{indices}", sorted(map(str, numbers))
    else:
        yield f"{name}{indices}", value.get("e") if isinstance(value, dict) else value


def positions(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with positions as indices, as `flat` has them."""
    two = ["A", "B"]
    axes: dict[str, list[list[str]]] = {"c": [["1", "2", "3"]], "mm": [["Red", "Green", "Blue"], two], "ts": [two]}
    axes |= {"to": [two], "po": [["0", "1"]], "ob": [["1", "2"]], "p2": [["1", "2"], ["0", "1"]]}
    found = dict[str, Any]()
    for label, value in values.items():
        name, _, rest = label.partition("[")
        at = tuple(axis.index(i) for axis, i in zip(axes.get(name, ()), rest.rstrip("]").split(","), strict=False))
        found[f"{name}{at}"] = sorted(map(str, value)) if isinstance(value, Members) else value
    return found


@pytest.mark.programs
@pytest.mark.skipif(not shutil.which("minizinc"), reason="MiniZinc is not installed")
def test_values_are_those_that_minizinc_itself_prints(tmp_path: Path) -> None:
    random = Random(1)
    for number in range(6):
        path = tmp_path / f"m{number}.mzn"
        path.write_text(random_model(random))
        command = ["minizinc", "--solver", "gecode", "--output-mode", "json", str(path)]
        printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
        said = json.loads(printed[: printed.rindex("}") + 1])
        wanted = dict(part for name, value in said.items() if name != "_output" for part in flat(name, value))
        values = positions(tool.solve(path, "cpsat").values)
        assert {name: values.get(name, "missing") for name in wanted} == wanted


@pytest.mark.programs
@pytest.mark.skipif(not shutil.which("minizinc"), reason="MiniZinc is not installed")
def test_enumerations_by_constructors_have_names(tmp_path: Path) -> None:
    (tmp_path / "a.mzn").write_text(
        "enum A = {a1, a2};\nenum E = {p} ++ F(3..5) ++ W(A) ++ anon_enum(2) ++ V(0..1);\nenum N = anon_enum(3);\n"
        "array[E] of var 1..20: x; var E: e; var set of E: s; var N: n;\n"
        "constraint forall(k in 1..10)(x[to_enum(E, k)] = k) /\\ e = F(4) /\\ s = {p, W(a2), V(0)};\n"
        "constraint n = enum_next(min(N));\n"
        "solve satisfy;\n"
    )
    values = tool.solve(tmp_path / "a.mzn", "cpsat").values
    names = ["p", "F(3)", "F(4)", "F(5)", "W(a1)", "W(a2)", "to_enum(E,7)", "to_enum(E,8)", "V(0)", "V(1)"]
    assert [values.get(f"x[{name}]") for name in names] == [*range(1, 11)]
    assert (values["e"], values["s"]) == ("F(4)", {"p", "W(a2)", "V(0)"})
    assert values["n"] in ("to_enum(N,2)", 2), "2.6.4 writes no name of an anonymous enumeration"


@pytest.mark.programs
@pytest.mark.skipif(not shutil.which("minizinc"), reason="MiniZinc is not installed")
def test_solve_python_and_csv_show_the_same_names(tmp_path: Path, harness: Harness) -> None:
    path = tmp_path / "a.mzn"
    path.write_text(
        "enum E = {A, B};\nvar set of 1..3: s; var opt 1..2: o; array[E] of var E: x;\n"
        "constraint s = {1, 3} /\\ absent(o) /\\ x[A] = B /\\ x[B] = A;\nsolve satisfy;\n"
    )
    solved = harness("solve", path, "-b", "cpsat")
    assert solved.out.startswith("v s={1,3} o=<> x[A]=B x[B]=A\n")
    answer = tool.solve(path, "cpsat")
    assert answer.values == {"s": {1, 3}, "o": None, "x[A]": "B", "x[B]": "A"}
    assert repr(answer.values["s"]) == "{1, 3}"
    assert harness("run", path, "-b", "cpsat", "-o", tmp_path / "j.sqlite").code in (0, 4)
    (row,) = csv.DictReader(harness("export", tmp_path / "j.sqlite", "--to", "csv").out.splitlines())
    assert row["solutions"] == "s={1,3} o=<> x[A]=B x[B]=A"
