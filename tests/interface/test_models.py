"""Models of other packages: solved as their own packages solve them, and refused by name where they can't be taken."""

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import harness
from harness.interface.models import FOLDER, corpora_of, written
from harness.interface.models.clauses import cnf_text, opb_text
from tests.conftest import ROOT

pysat = pytest.importorskip("pysat.formula")
CLAUSES = [[1, 2], [-1, 3], [-2, -3]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def models_of(clauses: list[list[int]], variables: int) -> int:
    every = product((False, True), repeat=variables)
    return sum(all(any(v[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses) for v in every)


def test_a_list_of_clauses_is_run_and_kept_as_a_file() -> None:
    results = harness.run(CLAUSES, ["native:python", "pysat:minisat22"], count=10, output="j.sqlite")
    assert [c["wrong"] for c in results.summary["contenders"]] == [0, 0]
    (file,) = FOLDER.iterdir()
    assert file.read_text() == cnf_text(CLAUSES) == "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n"
    assert corpora_of(CLAUSES) == ([str(file)], {}), "the same model is the same file"


def test_several_models_and_files_are_several_corpora() -> None:
    Path("a.cnf").write_text(cnf_text([[1]]))
    found, _ = corpora_of(["a.cnf", CLAUSES, pysat.CNF(from_clauses=[[1]])])
    assert [Path(path).suffix for path in found] == [".cnf"] * 3
    assert len(set(found)) == 3


def test_formulas_of_python_sat_have_their_models() -> None:
    formula = pysat.CNF(from_clauses=CLAUSES)
    assert len(harness.solve(formula, "native:python", count=9).solutions) == models_of(CLAUSES, 3)
    plus = pysat.CNFPlus()
    plus.append([1, 2, 3])
    plus.append(([1, 2, 3], 1), is_atmost=True)
    assert len(harness.solve(plus, "native:python", count=9).solutions) == 3
    weighted = pysat.WCNF()
    weighted.append([1, 2])
    weighted.append([-1], weight=3)
    weighted.append([-2], weight=2)
    solved = harness.solve(weighted, "pysat:rc2")
    assert (solved.value, solved.complete, solved["x2"]) == (2, True, 1)


def test_a_variable_in_no_clause_is_there() -> None:
    formula = pysat.WCNF()
    formula.append([1], weight=1)
    formula.nv = 4
    assert set(harness.solve(formula, "pysat:rc2").values) == {"x1", "x2", "x3", "x4"}
    assert cnf_text([[1]], 4).startswith("p cnf 4 1")
    assert opb_text([[1]], [], 4).startswith("* #variable= 4")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (3, "not a int"),
        ([object()], "not a object"),
        ([[1, 0]], "0 is not a literal"),
        (pysat.IDPool(), "a IDPool of python-sat is not taken"),
    ],
)
def test_what_is_no_model_is_bad_usage(given: Any, why: str) -> None:
    with pytest.raises(harness.BadUsage, match=why):
        harness.run(given, "native")


def random_model(cp: Any, random: Random) -> Any:
    """Return a small model of mixed constraints over three numbers and two Booleans."""
    x, b = cp.intvar(-1, 3, shape=3, name="x"), cp.boolvar(shape=2, name="b")

    def pick() -> Any:
        return random.choice(list(x))

    made: list[Callable[[], Any]] = [
        lambda: cp.AllDifferent(x),
        lambda: b[0].implies(pick() + 2 * pick() >= random.randint(-2, 5)),
        lambda: ~b[1] | (pick() != random.randint(-1, 3)),
        lambda: cp.max(x) - cp.min(x) <= random.randint(0, 4),
        lambda: cp.Xor([b[0], b[1], pick() > 1]),
        lambda: abs(pick() - pick()) >= 1,
        lambda: pick() * pick() == random.randint(-2, 6),
        lambda: cp.Element([3, 1, 2, 0], pick()) == pick(),
        lambda: cp.Table([x[0], x[2]], [[a, c] for a in range(-1, 4) for c in range(-1, 4) if random.random() < 0.5]),
        lambda: cp.Count(x, random.randint(0, 2)) <= 1,
        lambda: pick() // 2 == pick() % 2,
        lambda: cp.sum(x) + b[0] - 3 * b[1] != random.randint(-3, 6),
        lambda: (pick() <= 1) == b[0],
    ]
    return cp.Model([random.choice(made)() for _ in range(random.randint(1, 4))]), x, b


@pytest.mark.parametrize("seed", range(12))
def test_models_of_cpmpy_have_the_solutions_that_cpmpy_finds(seed: int) -> None:
    cp = pytest.importorskip("cpmpy")
    model, x, b = random_model(cp, Random(seed))
    seen: set[tuple[int, ...]] = set()
    variables = [v for v in (*x, *b) if v.name in {u.name for u in used(model)}]
    model.solveAll(solver="ortools", display=lambda: seen.add(tuple(int(v.value()) for v in variables)))
    found = harness.solve(model, "native:python", count=1000)
    assert found.complete
    ours = {tuple(int(s[str(v.name)]) for v in variables) for s in found.solutions}
    assert ours == seen


def used(model: Any) -> list[Any]:
    from cpmpy.transformations.get_variables import get_variables_model

    return list(get_variables_model(model))


@pytest.mark.parametrize("sense", ["minimize", "maximize"])
def test_an_objective_of_cpmpy_has_its_sense_and_names(sense: str) -> None:
    cp = pytest.importorskip("cpmpy")
    x = cp.intvar(0, 4, shape=(2, 2), name="cell")
    model = cp.Model(cp.AllDifferent(x), **{sense: 2 * cp.sum(x) - x[0, 0]})
    solved = harness.solve(model, "cpsat")
    assert solved.value == (12 - 3 if sense == "minimize" else 20 - 1)
    assert set(solved.values) == {"cell[0,0]", "cell[0,1]", "cell[1,0]", "cell[1,1]"}


def test_what_a_model_of_cpmpy_has_no_form_for_is_named() -> None:
    cp = pytest.importorskip("cpmpy")
    x = cp.intvar(0, 4, name="x")
    with pytest.raises(harness.BadUsage, match="a Operator of CPMpy is not taken"):
        written(x + 1 + x)
    with pytest.raises(harness.BadUsage, match="without variables"):
        written(cp.Model())


@pytest.mark.parametrize("package", ["cpmpy", "ortools"])
def test_the_examples_of_the_documentation_run(package: str) -> None:
    pytest.importorskip(package)
    section = (ROOT / "docs/reference/python.md").read_text().partition("## Models of other packages")[2]
    (example,) = [text for text in re.findall(r"```python\n(.*?)```", section, re.DOTALL) if package in text]
    *lines, last = example.strip().splitlines()
    held: dict[str, Any] = {"harness": harness}
    exec("\n".join(lines), held)
    shown = eval(last, held)
    if package == "ortools":
        assert shown == ({"start": 6, "late": 1, "third": 2}, 2)
    else:
        assert [contender["wrong"] for contender in shown.summary["contenders"]] == [0, 0]
