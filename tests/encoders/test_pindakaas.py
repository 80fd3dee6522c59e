"""Sums encoded by pindakaas have the models of the constraint, by brute force; without the package, names say so."""

import operator
import random
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from itertools import product
from pathlib import Path

import pytest
from pysat.solvers import Solver

from backends.contract.registry import find
from encoders.at_most_one import AT_MOST_ONE
from encoders.axes import Axes
from encoders.formula import Cnf, Unsupported
from encoders.integers import Variables
from encoders.kinds.tables import TABLES
from encoders.linear import pindakaas
from encoders.linear.groups import LiteralGroup
from encoders.linear.pindakaas import ENCODERS, HIGHEST, PINDAKAAS, missing
from encoders.linear.rows import compare
from encoders.registry import spec
from encoders.variables import VARIABLES
from harness.model.contender import Contender, resolve
from harness.model.errors import BadUsage
from harness.model.host import versions
from harness.model.lineage import lineage
from harness.running.workers.inside.opening import load_code
from tests.conftest import Harness
from tests.effort import slow_after
from tests.encoders.test_combinations import disagreement

needed = pytest.mark.skipif(missing() != "", reason=missing() or "it is installed")
HOLDS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
SIZES = (1, 3, 12, 10**6, 2**53)  # of coefficients
SUMS = 25
REFUSED = f"linear=pindakaas-adder: pindakaas is not installed: {pindakaas.INSTALL}"


def fault(number: int, name: str, variables: str) -> str:
    """Return where the models of a random sum, of some under a condition, are not its solutions, or ''."""
    rnd = random.Random(number)
    domains = [tuple(sorted(rnd.sample(range(-4, 9), rnd.randint(1, 4)))) for _ in range(rnd.randint(2, 4))]
    size, comparison, conditional = rnd.choice(SIZES), rnd.choice(list(HOLDS)), rnd.random() < 0.5
    row = [rnd.choice((-1, 1)) * rnd.randint(1, size) for _ in domains]
    bound = sum(a * rnd.choice(d) for a, d in zip(row, domains, strict=True)) + rnd.choice((0, 0, 1, -1, 3))
    last = len(domains)
    v = VARIABLES[variables]([*domains, (0, 1)], Axes(variables, linear=name))
    try:
        compare(v, zip(row, range(last), strict=True), comparison, bound, v.ge(last, 1) if conditional else 0)
    except Unsupported:
        return "" if name.endswith("counter") and size > 12 else f"{number}: refused"
    literal = [[v.equals(x, i) for i in range(len(d))] for x, d in enumerate([*domains, (0, 1)])]
    with Solver("minisat22", bootstrap_with=Cnf(v.clauses(), v.count, ()).clause_lists()) as solver:
        for *taken, condition in product(*(range(len(d)) for d in domains), (0, 1)):
            held = HOLDS[comparison](sum(a * d[i] for a, d, i in zip(row, domains, taken, strict=True)), bound)
            places = [literal[x][i] for x, i in enumerate((*taken, condition))]
            if solver.solve(places) != (held or (conditional and not condition)):
                return f"{number}: {row} {comparison} {bound} over {domains} at {taken}, {condition}"
    return ""


@needed
@pytest.mark.parametrize("variables", VARIABLES)
@pytest.mark.parametrize("name", PINDAKAAS)
def test_random_sums_have_their_models(name: str, variables: str) -> None:
    assert [found for number in range(SUMS) if (found := fault(number, name, variables))] == []


@needed
@pytest.mark.parametrize("name", slow_after(2, PINDAKAAS))
def test_small_problems_of_sums_have_one_model_for_each_solution(name: str) -> None:
    choices = [Axes(variables, one, name, table) for variables, one, table in product(VARIABLES, AT_MOST_ONE, TABLES)]
    assert disagreement(choices, {"linear", "count", "nvalues", "cardinality"}) == ""


@needed
@pytest.mark.parametrize("name", PINDAKAAS)
def test_a_bound_that_is_off_by_one_changes_the_models(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = PINDAKAAS[name]
    monkeypatch.setitem(PINDAKAAS, name, lambda groups, bound, v: right(groups, bound + 1, v))
    assert any(fault(number, name, "direct") for number in range(SUMS))


def of_integers(variables: str, name: str) -> Variables:
    """Return `x + 2y + 3z <= 9` over integers from 0 to 3."""
    v = VARIABLES[variables]([range(4)] * 3, Axes(variables, linear=name))
    compare(v, [(1, 0), (2, 1), (3, 2)], "<=", 9)
    return v


@needed
@pytest.mark.parametrize("variables", ["direct", "order"])
@pytest.mark.parametrize("name", [f"pindakaas-{n}" for n in ("decision-diagram", "sequential-counter", "totalizer")])
def test_bounds_of_integers_propagate_through_their_groups(variables: str, name: str) -> None:
    v = of_integers(variables, name)
    equal = [[v.equals(x, i) for i in range(4)] for x in range(3)]
    with Solver("minisat22", bootstrap_with=Cnf(v.clauses(), v.count, ()).clause_lists()) as solver:
        for y, z in product(range(4), repeat=2):
            ok, found = solver.propagate([equal[1][y], equal[2][z]])
            rest = 9 - 2 * y - 3 * z
            assert ok == (rest >= 0)
            if ok:
                assert {-x for x in equal[0][rest + 1 :]} <= set(found)


@needed
def test_groups_take_fewer_clauses_than_their_literals_alone() -> None:
    row, axes = (7, 11, 13, 17, 19), Axes(linear="pindakaas-decision-diagram")
    grouped = VARIABLES["direct"]([range(6)] * 5, axes)
    before = (grouped.clauses() == 0).sum()
    compare(grouped, [(a, x) for x, a in enumerate(row)], "<=", 150)
    lone = VARIABLES["direct"]([range(2)] * 25, axes, binary=True)
    compare(lone, [(a * n, 5 * x + n - 1) for x, a in enumerate(row) for n in range(1, 6)], "<=", 150)
    assert (grouped.clauses() == 0).sum() - before < (lone.clauses() == 0).sum() / 2


@needed
def test_sums_that_would_overflow_or_grow_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def long(name: str, weight: int) -> Variables:
        v = VARIABLES["direct"]([range(2)] * 20, Axes(linear=name), binary=True)
        compare(v, [(weight + i, i) for i in range(20)], "<=", 10 * weight)
        return v

    assert (long("pindakaas-adder", HIGHEST // 32).clauses() == 0).sum() > 100
    with pytest.raises(Unsupported, match=r"sums up to [\d,]+, where pindakaas takes less than 2\^60"):
        long("pindakaas-adder", HIGHEST // 20)
    monkeypatch.setattr(pindakaas, "LARGEST", 100)
    for name, (encoder, most) in ENCODERS.items():
        if most:
            with pytest.raises(Unsupported, match=f"pindakaas' {encoder} of 20 literals up to 40"):
                long(name, 4)


@needed
@pytest.mark.parametrize("name", [name for name, (_, most) in ENCODERS.items() if most])
def test_no_sum_has_more_than_four_times_the_clauses_of_its_estimate(name: str) -> None:
    _, most = ENCODERS[name]
    rnd = random.Random(1)
    for length, size in ((3, 1), (8, 5), (12, 300), (16, 20)):
        weights = [rnd.randint(1, size) for _ in range(length)]
        v = VARIABLES["direct"]([range(2)] * length, Axes(linear=name), binary=True)
        groups = [LiteralGroup((w,), (i,), True) for i, w in enumerate(weights, 1)]
        PINDAKAAS[name](groups, sum(weights) // 2, v)
        assert most is not None
        assert (v.clauses() == 0).sum() <= 4 * most(groups, sum(weights) // 2)


@needed
def test_a_worker_imports_the_package_before_its_first_instance() -> None:
    pindakaas.package.cache_clear()
    load_code(find("pysat:minisat22"), spec("order+linear=pindakaas-adder"))
    assert pindakaas.package.cache_info().currsize == 1


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the package."""

    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", version)
    pindakaas.package.cache_clear()


@pytest.mark.usefixtures("absent")
def test_without_the_package_contenders_are_refused_with_what_to_install() -> None:
    with pytest.raises(BadUsage, match="is not supported: linear=pindakaas-adder") as raised:
        resolve(["pysat:glucose4/order+linear=pindakaas-adder"])
    assert str(raised.value).endswith(REFUSED)
    found, (note,) = resolve(["pysat:glucose4/order+linear=*adder"])
    assert [c.name for c in found] == ["pysat:glucose4/order+linear=adder"]
    assert note == f"pysat:glucose4/order+linear=*adder: 1 of 2 combinations skipped: {REFUSED}"


@pytest.mark.usefixtures("absent")
def test_without_the_package_names_are_listed_with_what_to_install(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "a.opb").write_text("* #variable= 4 #constraint= 1\n+5 x1 +4 x2 +3 x3 +2 x4 >= 8 ;\n")
    done = harness("list", "a.opb")
    assert (done.code, done.err) == (0, "")
    rows = {line.split()[0]: line for line in done.out.splitlines()}
    for name in PINDAKAAS:
        assert f"pindakaas is not installed: {pindakaas.INSTALL}" in rows[f"direct+linear={name}"]
    done = harness("encode", "a.opb", "--encoding", "direct+linear=pindakaas-adder")
    assert (done.code, done.err) == (2, f"harness: pindakaas is not installed: {pindakaas.INSTALL}\n")


def test_an_older_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    old = "pindakaas 0.3.0 is too old: pip install pindakaas --upgrade"
    for found, why in (("0.3.0", old), ("0.6.1", ""), ("0.10.0rc1", ""), ("1.0", "")):
        monkeypatch.setattr(metadata, "version", lambda _, found=found: found)
        assert missing() == why


def test_proofs_of_another_environment_are_refused() -> None:
    text = "pysat:glucose4/order+linear=pindakaas-adder@old"
    assert resolve([text], envs=["old"])[0][0].env == "old"
    with pytest.raises(BadUsage, match="may be another version @old than here, where proofs are checked"):
        resolve([text], envs=["old"], proof=True)


def test_nothing_imports_the_package_before_use() -> None:
    script = "import sys, encoders.lowering, harness.model.contender; sys.exit('pindakaas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_its_version_is_recorded_and_its_sums_are_no_lineage_of_their_own() -> None:
    assert "pindakaas" in versions()
    own, other = (
        lineage(Contender("", "pysat:glucose4", "order", "pairwise", False, "", "1", linear))
        for linear in ("mdd", "pindakaas-totalizer")
    )
    assert own == other
