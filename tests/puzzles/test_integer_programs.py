"""MPS and LP: what is read, what is refused because readers differ, and what is written."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from backends.programs.integer_programs import LpNotation
from encoders.direct import constraints
from encoders.formula import Unsupported
from encoders.integer_program import integer_program
from harness.reporting.formats.instance_files import instance_text
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.objectives import stated
from puzzles.problem import Instance, Problem
from puzzles.problem.columns import pack, valid
from puzzles.readers.options import ReaderOptions

HEAD = "NAME t\nROWS\n N obj\n L c1\nCOLUMNS\n M 'MARKER' 'INTORG'\n x obj 1 c1 2\n M 'MARKER' 'INTEND'\n"
MPS = HEAD + "RHS\n rhs c1 7\n{}ENDATA\n"
LP = "Minimize\n obj: x + 2 y\nSubject To\n c1: x + y >= 2\n{}End\n"
BOUNDED = "Bounds\n x <= 3\n y <= 3\nGenerals\n x y\n"


def opened(tmp_path: Path, text: str) -> tuple[Instance[Problem], list[str]]:
    """Return the instance of a text, by its beginning, and the notes on it."""
    path, notes = tmp_path / ("a.mps" if "ROWS" in text else "a.lp"), list[str]()
    path.write_text(text)
    (instance,) = read(path, ReaderOptions(notify=notes.append))
    return instance, notes


def numbers(instance: Instance[Problem]) -> list[list[int]]:
    values = instance.problem.values.numbers  # type: ignore[attr-defined]
    return [[n for v, n in enumerate(values) if d >> v & 1] for d in instance.domains]


DIFFERENT = {  # what known readers read differently: (text, part of the message with its line)
    "negative upper bound": (MPS.format("BOUNDS\n UP b x -2\n"), ":12: an upper bound below 0 of 'x'"),
    "constant of the objective": (MPS.format("").replace("rhs c1", "rhs obj"), ":10: RHS of the objective"),
    "sense in one line": ("OBJSENSE MAXIMIZE\n" + MPS.format(""), ":1: OBJSENSE with the sense on its line"),
    "entry twice": (MPS.format("").replace("c1 2", "c1 2\n x c1 3"), ":8: a second entry of 'x' in 'c1'"),
    "side twice": (MPS.format(" rhs c1 9\n"), ":11: a second number of 'c1' in RHS"),
    "two sets": (MPS.format(" other c1 9\n"), ":11: a second set of RHS"),
    "unknown row": (MPS.format("").replace("c1 2", "c9 2"), ":7: row 'c9'"),
    "two pieces": (MPS.format("").replace("c1 2", "c1 2\n y c1 1\n x obj 2"), ":9: column 'x' in two pieces"),
    "exponent D": (MPS.format("").replace("c1 2", "c1 4.0D1"), ":7: '4.0D1' is not a number"),
    "name with a blank": (MPS.format("").replace(" x obj 1 c1 2", " x y obj 1"), ":7: expected a column"),
    "no ENDATA": (MPS.format("")[:-7], "no ENDATA"),
    "constant in an LP objective": (LP.format(BOUNDED).replace("2 y", "2 y + 10"), "a constant in the objective"),
    "constant on the left": (LP.format(BOUNDED).replace("y >= 2", "3 >= 5"), ":4: a constant on the left"),
    "row with two bounds": (LP.format(BOUNDED).replace("x + y >= 2", "2 <= x <= 5"), ":4: a constant on the left"),
    "variable on the right": (LP.format(BOUNDED).replace("+ y >= 2", ">= y + 1"), ":4: a variable on the right"),
    "sum on the right": (LP.format(BOUNDED).replace(">= 2", ">= 2 x"), ":4: a variable or a sum on the right"),
    "fraction": (LP.format(BOUNDED).replace("x + y", "7/2 x + y"), ":4: a fraction"),
    "number joined to a name": (LP.format(BOUNDED).replace("x + y", "1e1x + y"), ":4: a number joined to a name"),
    "other word": (LP.format(BOUNDED).replace("Minimize", "Minimise"), ":1: 'Minimise' in the place of"),
    "bounds of a binary": (LP.format("Bounds\n x <= 3\nBinary\n x y\n"), ":8: a binary variable with other bounds"),
    "no End": (LP.format(BOUNDED)[:-4], "no End"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_readers_read_differently_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text, message = DIFFERENT[name]
    with pytest.raises(BadInput) as error:
        opened(tmp_path, text)
    assert message in str(error.value)


SAME = {  # what they read alike: (text, numbers of each variable)
    "no bound": (MPS.format(""), [[0, 1]]),
    "fractional bound": (MPS.format("BOUNDS\n UP b x 2.7\n"), [[0, 1, 2]]),
    "lower bound alone": (MPS.format("BOUNDS\n LO b x 2\n UP b x 4\n"), [[2, 3, 4]]),
    "no set": (MPS.format("BOUNDS\n UP x 2\n").replace("rhs c1", "c1"), [[0, 1, 2]]),
    "binary": (MPS.format("BOUNDS\n BV b x\n"), [[0, 1]]),
    "fixed": (MPS.format("BOUNDS\n FX b x -3\n"), [[-3]]),
    "minus infinity": (
        MPS.format("BOUNDS\n MI b x\n UP b x -1\n").replace(" L c1", " G c1").replace("7", "-5"),
        [[-2, -1]],
    ),
    "types of integers": (MPS.format("BOUNDS\n LI b x -1\n UI b x 1\n").replace("'INTORG'", "'INTEND'"), [[-1, 0, 1]]),
    "no integers": (MPS.format("BOUNDS\n LO b x 0.2\n UP b x 0.8\n"), [[]]),
    "binary in LP": (LP.format("Binaries\n x y\n"), [[0, 1], [0, 1]]),
    "bounds of LP": (LP.format("Bounds\n -1 <= x <= +2\n 3 >= y\nInteger\n x y\n"), [[-1, 0, 1, 2], [0, 1, 2, 3]]),
}


@pytest.mark.parametrize("name", SAME)
def test_bounds_are_those_that_readers_agree_on(name: str, tmp_path: Path) -> None:
    text, wanted = SAME[name]
    assert numbers(opened(tmp_path, text)[0]) == wanted


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (MPS.format("").replace("'INTORG'", "'INTEND'"), "1 continuous variable"),
        (LP.format("Generals\n x\n"), "1 continuous variable"),
        (LP.format("Generals\n x y\nSOS\n s: S1:: x:1 y:2\n"), "1 SOS constraint"),
        (LP.format("Bounds\n x <= 3\nGenerals\n x y\n"), "1 integer variable without bounds, such as y"),
        (MPS.format("BOUNDS\n SC b x 3\n"), "1 semi-continuous or semi-integer variable"),
        (LP.format(BOUNDED).replace("2 y", "[ x ^ 2 ] / 2"), "1 quadratic term"),
    ],
)
def test_what_is_no_bounded_integer_program_is_named_with_its_number(text: str, kinds: str, tmp_path: Path) -> None:
    instance, notes = opened(tmp_path, text)
    assert instance.problem.constraints[0].kind == "unsupported"
    assert kinds in notes[-1]


@pytest.mark.parametrize(
    ("sign", "extent", "wanted"), [("L", 3, (4, 7)), ("G", 3, (7, 10)), ("E", 3, (7, 10)), ("E", -3, (4, 7))]
)
def test_ranges_are_two_rows(sign: str, extent: int, wanted: tuple[int, int], tmp_path: Path) -> None:
    text = MPS.format(f"RANGES\n r c1 {extent}\n").replace(" L c1", f" {sign} c1")
    rows = opened(tmp_path, text)[0].problem.constraints[0].rows  # type: ignore[attr-defined]
    assert [(row[2], row[3]) for row in rows] == [(">=", wanted[0]), ("<=", wanted[1])]


def test_numbers_are_exact(tmp_path: Path) -> None:
    text = LP.format(BOUNDED).replace("x + y >= 2", "0.1 x + .2 y = 0.3\n c2: 9007199254740993 x <= 9007199254740993")
    rows = opened(tmp_path, text)[0].problem.constraints[0].rows  # type: ignore[attr-defined]
    assert rows[0] == ([1, 2], [0, 1], "=", 3)
    assert rows[1][3] == 2**53 + 1


def random_program(random: Random) -> tuple[str, list[range], list[Any], list[Fraction], bool]:
    """Return an LP text, bounds of its variables, rows, the objective, and True if it is maximised."""
    count, maximise = random.randint(1, 4), random.random() < 0.5
    bounds = [range(low, low + random.randint(1, 4)) for low in (random.randint(-3, 2) for _ in range(count))]

    def number() -> Fraction:
        return Fraction(random.randint(-9, 9) * random.choice((1, 1, 1, 10**5)), random.choice((1, 1, 2, 10)))

    rows = [
        ([number() for _ in bounds], random.choice(("<=", ">=", "=")), number()) for _ in range(random.randint(1, 3))
    ]
    goal = [number() for _ in bounds]
    lines = ["Maximize" if maximise else "Minimize", " " + summed(goal), "Subject To"]
    lines += [f" {summed(a)} {sign} {float(b)!r}" for a, sign, b in rows]
    lines += ["Bounds", *(f" {b[0]} <= x{i} <= {b[-1]}" for i, b in enumerate(bounds)), "Generals"]
    return "\n".join([*lines, " ".join(f"x{i}" for i in range(count)), "End", ""]), bounds, rows, goal, maximise


def summed(terms: list[Fraction]) -> str:
    return " ".join(f"{'-' if a < 0 else '+'} {float(abs(a))!r} x{i}" for i, a in enumerate(terms))


COMPARED = {"<=": Fraction.__le__, ">=": Fraction.__ge__, "=": Fraction.__eq__}


def test_random_programs_have_the_solutions_and_values_of_brute_force(tmp_path: Path) -> None:
    for seed in range(60):
        text, bounds, rows, goal, maximise = random_program(Random(seed))
        (tmp_path / "a.lp").write_text(text)
        (instance,) = read(tmp_path / "a.lp")
        own = [list(every) for every in product(*bounds)]
        values = instance.problem.values.numbers
        columns = np.array([[values.index(n) for n in every] for every in own], np.uint64)
        found = np.all([c.satisfied(columns, instance.problem) for c in instance.problem.constraints], axis=0)

        def value(terms: list[Fraction], every: list[int]) -> Fraction:
            return sum((a * n for a, n in zip(terms, every, strict=True)), Fraction(0))

        assert found.tolist() == [all(COMPARED[s](value(a, e), b) for a, s, b in rows) for e in own]
        objective = instance.problem.objective
        if objective is not None:
            stated_values = [stated(objective, int(v)) for v in objective.values(columns, instance.problem)]
            exact = [value(goal, e) for e in own]
            order = sorted(range(len(own)), key=lambda i: (exact[i], i))
            assert order == sorted(range(len(own)), key=lambda i: (stated_values[i], i))
            assert objective.maximise == maximise


def test_written_files_are_read_as_the_same_problem(tmp_path: Path) -> None:
    for seed in range(40):
        (tmp_path / "a.lp").write_text(random_program(Random(seed))[0])
        (instance,) = read(tmp_path / "a.lp")
        for to in ("lp", "mps"):
            text, _ = instance_text(instance, to)
            (tmp_path / f"b.{to}").write_bytes(text)
            (again,) = read(tmp_path / f"b.{to}")
            assert (again.problem.digest, again.domains) == (instance.problem.digest, instance.domains)


def test_numbers_that_readers_round_are_not_written(tmp_path: Path) -> None:
    text = LP.format(BOUNDED).replace("x + y >= 2", "9007199254740993 x + y <= 5")
    instance, _ = opened(tmp_path, text)
    with pytest.raises(Unsupported, match="2\\^53"):
        integer_program(constraints(instance.problem, instance.domains), instance.domains, None)


SOLUTIONS = {  # of x = 3, y = 0 with the value 3
    "glpsol": "c Status: INTEGER OPTIMAL\ns mip 1 2 o 3\ni 1 3\nj 1 3\nj 2 0\ne o f\n",
    "cbc": "Optimal - objective value 3.00000000\n      0 x1                    3                       1\n",
    "highs": "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 3\n# Columns 2\n"
    "x1 2.9999999999\nx2 0\n# Rows 1\nc1 3\n",
    "scip": "SCIP Status        : problem is solved [optimal solution found]\nobjective value: 3\nx1   3 \t(obj:1)\n",
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_solutions_of_each_program_are_understood(name: str, tmp_path: Path) -> None:
    instance, _ = opened(tmp_path, LP.format(BOUNDED))
    notation = LpNotation(constraints(instance.problem, instance.domains))
    assert notation.parse(SOLUTIONS[name].encode(), instance.domains, original=False) == (10, [3, 0])


def test_columns_of_a_program_without_a_solution_are_none(tmp_path: Path) -> None:
    instance, _ = opened(tmp_path, LP.format(BOUNDED))
    notation = LpNotation(constraints(instance.problem, instance.domains))
    text = "Infeasible - objective value 3.0\n 0 x1 3 1\n"
    assert notation.parse(text.encode(), instance.domains, original=False) == (20, [])


def test_wide_columns_are_ranges_that_are_written_and_solved(tmp_path: Path) -> None:
    text = "Minimize\n obj: b\nSubject To\n c1: y - 100000 b <= 0\n c2: y >= 1\nBounds\n y <= 10000000\nGenerals\n y\n"
    instance, _ = opened(tmp_path, f"{text}Binaries\n b\nEnd\n")
    form = constraints(instance.problem, instance.domains)
    assert form.ranged
    for to in ("lp", "mps"):
        (tmp_path / f"b.{to}").write_bytes(instance_text(instance, to)[0])
        (again,) = read(tmp_path / f"b.{to}")
        assert (again.problem.digest, again.domains) == (instance.problem.digest, instance.domains)
    notation = LpNotation(form)
    told = notation.parse(b"Optimal - objective value 0.0\n 1 x2 1 0\n", instance.domains, original=False)
    columns = np.array([told[1]], np.uint64)
    assert told == (10, [0, 1])
    assert not valid(instance.problem, pack(instance.problem, [instance.domains]), columns).any()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Optimal - objective value 3.0\n 0 x1 2.1474836e+09 1\n", "x1: 2.1474836e"),
        ("s mip 1 2 o 3\nj 2 9.00719925474099e+15\n", "#2: 9.007"),
        ("s mip 1 2 o 9.00719925474099e+15\nj 2 0\n", "the objective: 9.007"),
    ],
)
def test_a_value_that_is_not_printed_in_full_convicts_nobody(text: str, name: str, tmp_path: Path) -> None:
    """cbc prints eight digits: 2147483645 was read as 2147483600, which breaks rows."""
    instance, _ = opened(tmp_path, LP.format(BOUNDED))
    notation = LpNotation(constraints(instance.problem, instance.domains))
    with pytest.raises(Unsupported, match=name):
        notation.parse(text.encode(), instance.domains, original=False)
