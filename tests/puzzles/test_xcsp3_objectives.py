"""XCSP3 objectives: each form has the values of its definition, written out in plain Python, for every assignment."""

import re
from collections.abc import Callable
from importlib.util import find_spec
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest

from puzzles.constraints.unsupported import unsupported_parts
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.objectives import stated
from puzzles.objectives.linear import LinearObjective
from puzzles.problem import Instance, Problem
from puzzles.problem.columns import pack, valid
from puzzles.problem.dumped import dump
from puzzles.problem.values import bits
from puzzles.stored import load
from tests.puzzles.test_xcsp3 import written
from tests.xcsp3_forms import ALL, VARIABLES, Matrix, Vector, document, quotient

pytestmark = pytest.mark.skipif(find_spec("pycsp3") is None, reason="needs the extra xcsp3")

Value = Callable[[Vector, Matrix], int | None]
Order = Callable[[Vector, Matrix], tuple[int, ...]]
SUM = "<list> x[] </list> <coeffs> 2 -1 3 </coeffs>"
FORMS: dict[str, tuple[str, str, str, Value]] = {  # type, content, kind of the objective, value, None if undefined
    "a variable": ("", "x[1]", "linear", lambda x, y: x[1]),
    "a number": ("", "7", "linear", lambda x, y: 7),
    "a sum of an expression": (
        ' type="expression"',
        "sub(add(x[0],mul(3,x[1],2),neg(x[2])),add(y[0][0],5))",
        "linear",
        lambda x, y: x[0] + 6 * x[1] - x[2] - y[0][0] - 5,
    ),
    "an expression": (
        "",
        " mul( add(x[0], 2), dist(x[1],y[1][1]) ) ",
        "expression",
        lambda x, y: (x[0] + 2) * abs(x[1] - y[1][1]),
    ),
    "a division": (
        "",
        "add(div(7,x[0]),mod(x[1],2))",
        "expression",
        lambda x, y: quotient(7, x[0]) + x[1] - 2 * quotient(x[1], 2) if x[0] else None,
    ),
    "a power": ("", "pow(x[0],x[1])", "expression", lambda x, y: x[0] ** x[1] if x[1] >= 0 else None),
    "a condition": (
        "",
        "if(lt(x[0],x[1]),x[2],eq(y[0][0],1))",
        "expression",
        lambda x, y: x[2] if x[0] < x[1] else y[0][0] == 1,
    ),
    "a sum": (' type="sum"', "x[] y[0][]", "linear", lambda x, y: sum(x) + sum(y[0])),
    "a sum with coefficients": (' type="sum"', SUM, "linear", lambda x, y: 2 * x[0] - x[1] + 3 * x[2]),
    "a sum with coefficients first": (
        ' type="sum"',
        "<coeffs> 2x2 -1x2 </coeffs> <list> x[0..1] x[1] 4 </list>",
        "linear",
        lambda x, y: 2 * x[0] + x[1] - 4,
    ),
    "a sum without coefficients": (' type="sum"', "<list> x[] </list>", "linear", lambda x, y: sum(x)),
    "a sum of expressions": (
        ' type="sum"',
        "<list> mul(x[0],y[0][0]) or(eq(x[1],3),eq(x[2],3)) x[2] </list> <coeffs> 2 10 -1 </coeffs>",
        "expression",
        lambda x, y: 2 * x[0] * y[0][0] + 10 * (3 in x[1:]) - x[2],
    ),
    "a sum of linear expressions": (
        ' type="sum"',
        "<list> add(x[0],x[1]) neg(x[0]) </list> <coeffs> 2 2 </coeffs>",
        "linear",
        lambda x, y: 2 * x[1],
    ),
    "a sum with variables as coefficients": (
        ' type="sum"',
        "<list> x[0] x[1] </list> <coeffs> y[0][0] 2 </coeffs>",
        "expression",
        lambda x, y: x[0] * y[0][0] + 2 * x[1],
    ),
    "a product": (' type="product"', "x[]", "expression", lambda x, y: prod(x)),
    "a product with coefficients": (' type="product"', SUM, "expression", lambda x, y: -6 * prod(x)),
    "a minimum": (' type="minimum"', "x[] y[][]", "expression", lambda x, y: min(*x, *y[0], *y[1])),
    "a minimum with coefficients": (
        ' type="minimum"',
        SUM,
        "expression",
        lambda x, y: min(2 * x[0], -x[1], 3 * x[2]),
    ),
    "a maximum": (' type="maximum"', "x[] 0", "expression", lambda x, y: max(*x, 0)),
    "a maximum of expressions": (
        ' type="maximum"',
        "<list> abs(x[0]) x[1] </list>",
        "expression",
        lambda x, y: max(abs(x[0]), x[1]),
    ),
    "distinct values": (' type="nValues"', "x[] y[0][] 3 9", "expression", lambda x, y: len({*x, *y[0], 3, 9})),
    "distinct values with coefficients": (
        ' type="nValues"',
        "<list> x[] y[0][0] add(x[0],1) </list> <coeffs> 2 -1 3 0 1 </coeffs>",
        "expression",
        lambda x, y: len({2 * x[0], -x[1], 3 * x[2], 0, x[0] + 1}),
    ),
    "distinct values of expressions": (
        ' type="nValues"',
        "mul(x[0],x[1]) x[2] 1",
        "expression",
        lambda x, y: len({x[0] * x[1], x[2], 1}),
    ),
}
ORDERS: dict[str, tuple[str, str, Order]] = {  # content, kind of the objective, what it compares
    "variables": ("x[0] y[0][1] x[2]", "linear", lambda x, y: (x[0], y[0][1], x[2])),
    "coefficients": (
        SUM,
        "linear",
        lambda x, y: (2 * x[0], -x[1], 3 * x[2]),
    ),
    "expressions": (
        "mul(x[0],x[1]) 7 neg(x[2])",
        "expression",
        lambda x, y: (x[0] * x[1], 7, -x[2]),
    ),
}
KEPT = "<intension> ne(x[0],y[0][0]) </intension>"


def one(path: Path, notes: list[str] | None = None, ignored: bool = False) -> Instance[Problem]:
    notify = notes.append if notes is not None else str
    (found,) = read(path, ReaderOptions(notify=notify, ignore_objective=ignored))
    return found


def optimising(goal: str, constraints: str = KEPT) -> str:
    text = document(constraints, rest=f"\n<objectives>\n{goal}\n</objectives>")
    return text.replace('type="CSP"', 'type="COP"')


def values(instance: Instance[Problem]) -> dict[tuple[int, ...], int]:
    """Return the value of each solution, as the source states it, by the numbers of the variables that are declared."""
    problem = instance.problem
    every = np.array(list(product(*(list(bits(mask)) for mask in instance.domains))), np.uint16)
    held = every[valid(problem, pack(problem, [instance.domains]), every)]
    goal = problem.objective
    assert goal is not None
    numbers = list(map(int, problem.values))
    found = zip(held.tolist(), goal.values(held, problem).tolist(), strict=True)
    return {tuple(numbers[v] for v in solution[:7]): stated(goal, value) for solution, value in found}


@pytest.mark.parametrize("tag", ["minimize", "maximize"])
@pytest.mark.parametrize("form", FORMS)
def test_an_objective_has_the_values_of_its_definition(form: str, tag: str, tmp_path: Path) -> None:
    attribute, content, kind, value = FORMS[form]
    path = written(tmp_path, optimising(f'<{tag} id="o"{attribute}> {content} </{tag}>'))
    notes: list[str] = []
    instance = one(path, notes)
    goal = instance.problem.objective
    assert goal is not None
    assert (goal.kind, goal.maximise, notes) == (kind, tag == "maximize", [])
    assert instance.source is not None
    assert (instance.source.path, instance.source.format) == (path, "xcsp3")
    found = values(instance)
    drawn = {(*x, *y[0], *y[1]): value(x, y) for x, y in ALL if x[0] != y[0][0]}
    assert found == {numbers: result for numbers, result in drawn.items() if result is not None}
    low, high = goal.bounds(instance.domains, instance.problem)
    inner = [-result if goal.maximise else result for result in found.values()]
    assert low <= min(inner) <= max(inner) <= high
    assert load(dump(instance.problem)) == instance.problem


@pytest.mark.parametrize("tag", ["minimize", "maximize"])
@pytest.mark.parametrize("form", ORDERS)
def test_a_lexicographic_objective_is_one_number_in_the_same_order(form: str, tag: str, tmp_path: Path) -> None:
    content, kind, compared = ORDERS[form]
    path = written(tmp_path, optimising(f'<{tag} type="lex"> {content} </{tag}>'))
    notes: list[str] = []
    instance = one(path, notes)
    goal = instance.problem.objective
    assert goal is not None
    assert (goal.kind, goal.maximise, instance.source) == (kind, tag == "maximize", None)
    assert notes == [f"{path}: a lexicographic objective became one sum: programs get a file that is written"]
    pairs = {(compared(numbers[:3], (numbers[3:5], numbers[5:])), value) for numbers, value in values(instance).items()}
    assert len(pairs) > 9
    assert all((left < right) == (a < b) for left, a in pairs for right, b in pairs)


def test_a_long_order_has_an_exact_sum(tmp_path: Path) -> None:
    text = optimising('<minimize type="lex"> z[] </minimize>', "").replace(
        VARIABLES, '<array id="z" size="[50]"> 1..100 </array>'
    )
    goal = one(written(tmp_path, text)).problem.objective
    assert isinstance(goal, LinearObjective)
    assert goal.terms == [(100 ** (49 - i), i) for i in range(50)]


def test_a_division_by_a_number_needs_no_constraint(tmp_path: Path) -> None:
    kinds = {}
    for text in ("div(x[0],2)", "div(2,x[0])", "pow(x[0],3)", "pow(x[0],-1)", "add(1,mod(x[0],0))"):
        found = one(written(tmp_path, optimising(f"<minimize> {text} </minimize>", "")))
        kinds[text] = [constraint.kind for constraint in found.problem.constraints]
    assert kinds == {
        "div(x[0],2)": [],
        "div(2,x[0])": ["expression"],
        "pow(x[0],3)": [],
        "pow(x[0],-1)": ["expression"],
        "add(1,mod(x[0],0))": ["expression"],
    }


def test_an_ignored_objective_is_neither_read_nor_shown_to_programs(tmp_path: Path) -> None:
    for goals in ("<minimize> x[0] </minimize>", "<minimize> x[0] </minimize> <maximize> nothing( </maximize>"):
        found = one(written(tmp_path, optimising(goals)), ignored=True)
        assert (found.problem.objective, found.source) == (None, None)
        assert [c.kind for c in found.problem.constraints] == ["expression"]
    assert one(written(tmp_path, optimising("")), ignored=True).source is not None
    assert one(written(tmp_path, optimising(""))).problem.objective is None


UNSUPPORTED = {
    "<minimize> x[0] </minimize> <maximize> x[1] </maximize>": "several objectives",
    '<minimize type="sum" weight="3"> x[] </minimize>': "minimize with weight",
    '<minimize type="sum"> <list startIndex="0"> x[] </list> </minimize>': "list with startIndex",
    f'<minimize type="sum"> <list> x[0] </list> <coeffs> {10**30} </coeffs> </minimize>': "numbers beyond 64 bits",
    "<minimize> pow(10,pow(10,pow(10,x[0]))) </minimize>": "expressions of more than 10,000 bits",
}


@pytest.mark.parametrize("goals", UNSUPPORTED)
def test_what_is_not_read_makes_its_instance_unsupported_by_name(goals: str, tmp_path: Path) -> None:
    path = written(tmp_path, optimising(goals))
    notes: list[str] = []
    assert unsupported_parts(one(path, notes).problem) == UNSUPPORTED[goals]
    assert notes == [f"{path}: not supported: {UNSUPPORTED[goals]}"]


LINE = 10  # of the objective in a document
BAD = {
    "<minimise> x[0] </minimise>": "<minimise> of type 'expression': expected <minimize> or <maximize>",
    '<minimize type="nvalues"> x[0] </minimize>': "<minimize> of type 'nvalues': expected <minimize> or <maximize> of ",
    "<minimize> </minimize>": "<minimize> is empty",
    "<minimize> x[0] x[1] </minimize>": "is not an expression",
    "<minimize> z </minimize>": "unknown variable 'z'",
    "<minimize> add(x[0],x[9]) </minimize>": "'x[9]' is outside x",
    "<minimize> %0 </minimize>": "expected a variable, a number or an expression",
    "<minimize> x[] </minimize>": "'x[]' is not one variable",
    '<minimize type="sum"> </minimize>': "<minimize> is empty",
    '<minimize type="sum"> x[] * </minimize>': "unexpected '*': expected a number",
    '<minimize type="sum"> x[] (lt,3) </minimize>': "unexpected",
    '<minimize type="sum"> %... </minimize>': "unexpected",
    '<minimize type="sum"> <coeffs> 1 </coeffs> </minimize>': "<minimize> of type sum with <coeffs>",
    "<minimize> <list> x[] </list> </minimize>": "<minimize> of type expression with <list>",
    '<minimize type="sum"> <list> x[] </list> <list> x[] </list> </minimize>': "with <list>, <list>",
    '<minimize type="sum"> <list> x[] </list> <coeffs> 1 2 </coeffs> </minimize>': "3 operands with 2 coefficients",
}


@pytest.mark.parametrize("goals", BAD)
def test_bad_objectives_are_one_line_with_file_and_line(goals: str, tmp_path: Path) -> None:
    path = written(tmp_path, optimising(goals))
    with pytest.raises(BadInput) as raised:
        one(path)
    message = str(raised.value)
    assert re.match(rf"{re.escape(str(path))}:{LINE}: ", message), message
    assert BAD[goals] in message
    assert "\n" not in message
