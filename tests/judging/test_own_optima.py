"""Proofs that native writes of its optima: certified by both checkers, and not for a worse value."""

from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("numba")

from backends.contract import registry
from backends.contract.answer import Answer, Ask
from encoders.formula import Wcnf
from encoders.registry import spec
from harness.judging.checkers.pseudo_boolean.check import check, check_exactly
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme
from harness.judging.formulas.programmes import ReceivedAs, received
from harness.judging.formulas.weighted import received_weighted
from harness.model.contender import resolve
from harness.model.outcome import CERTIFIED, REFUSED
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.problem import Instance
from tests.effort import slow_after


def clause(random: Random, variables: int, most: int) -> str:
    return " ".join(str(random.choice((1, -1)) * random.randint(1, variables)) for _ in range(random.randint(1, most)))


def wcnf(random: Random, variables: int) -> str:
    """Draw clauses, and soft ones of which some are equal, repeat a literal, or always hold."""
    hard = [f"h {clause(random, variables, 3)} 0" for _ in range(random.randint(0, 2 * variables))]
    soft = [f"{random.choice((1, 1, 3, 30))} {clause(random, variables, 2)} 0" for _ in range(2 * variables)]
    return "\n".join([*hard, *soft, *random.sample(soft, 2), ""])


def opb(random: Random, variables: int) -> str:
    """Draw sums, and one to minimise or maximise."""
    xs = range(1, variables + 1)

    def terms(most: int) -> str:
        some = random.sample(xs, random.randint(1, most))
        return " ".join(f"{random.choice((-7, -2, 1, 3, 5)):+d} {random.choice(('', '~'))}x{x}" for x in some)

    rows = [f"{terms(5)} {random.choice(('>=', '>=', '='))} {random.randint(-4, 4)} ;" for _ in range(variables)]
    goal = [f"{random.choice(('min', 'max'))}: {terms(variables)} ;"] * (random.random() < 0.8)
    return "\n".join([f"* #variable= {variables} #constraint= {variables}", *goal, *rows, ""])


def xml(random: Random, variables: int) -> str:
    """Draw sums of integers, mostly with an objective."""
    low = random.randint(-3, 1)

    def total(most: int) -> str:
        some = random.sample(range(variables), random.randint(1, most))
        coefficients = " ".join(str(random.choice((-7, -2, 1, 3, 5))) for _ in some)
        return f"<list> {' '.join(f'x[{x}]' for x in some)} </list> <coeffs> {coefficients} </coeffs>"

    rows = [
        f"<sum> {total(4)} <condition> ({random.choice(('ge', 'eq'))},{random.randint(-20, 2)}) </condition> </sum>"
        for _ in range(variables)
    ]
    sense = random.choice(("minimize", "maximize"))
    goals = [f'<objectives> <{sense} type="sum"> {total(variables)} </{sense}> </objectives>'] * (random.random() < 0.9)
    return f"""<instance format="XCSP3" type="{"COP" if goals else "CSP"}">
<variables> <array id="x" size="[{variables}]"> {low}..{low + random.randint(1, 6)} </array> </variables>
<constraints> {" ".join(rows)} </constraints> {" ".join(goals)} </instance>"""


WRITE = {"wcnf": wcnf, "opb": opb, "xml": xml}


def instance_of(folder: Path, form: str, text: str) -> Instance[Any]:
    (folder / f"a.{form}").write_text(text)
    (instance,) = read(folder / f"a.{form}")
    return instance


def proved(instance: Instance[Any], name: str) -> tuple[Answer, SumProgramme]:
    """Return the answer of a native solver, and the programme that its proof is about."""
    formula = spec(resolve([name], 1, {}, True, {})[0][0].encoded).formula(instance.problem, instance.domains)
    answer = registry.find(name).open(formula).ask(Ask(instance.domains, seconds=20.0, proof=True))
    source = ReceivedAs.ORIGINAL
    found = received(instance.problem, instance.domains, formula, answer.solutions, source)
    assert found.derived
    return answer, found.programme


@pytest.mark.parametrize(
    ("name", "form", "variables"),
    slow_after(
        3,
        [
            ("native", "opb", 6),
            ("native:cdcl", "wcnf", 8),
            ("native", "xml", 6),
            ("native", "wcnf", 8),
            ("native", "wcnf", 30),
            ("native", "xml", 9),
        ],
    ),
)
def test_both_checkers_certify_what_native_proves(tmp_path: Path, name: str, form: str, variables: int) -> None:
    counted = 0
    for seed in range(15):
        instance = instance_of(tmp_path, form, WRITE[form](Random(seed), variables))
        answer, programme = proved(instance, name)
        if answer.proof is None:  # of a decision with a solution
            assert instance.problem.objective is None
            continue
        assert check(programme, answer.proof) == check_exactly(programme, answer.proof) == (CERTIFIED, ""), seed
        counted += b"red " in answer.proof
        if programme.best is not None:  # better solutions than a worse value exist
            worse = programme._replace(best=programme.best + 1)
            assert check(worse, answer.proof)[0] == check_exactly(worse, answer.proof)[0] == REFUSED, seed
    assert counted or form != "wcnf"


def test_a_proof_of_native_needs_each_of_its_cores(tmp_path: Path) -> None:
    text = wcnf(Random(4), 12)
    answer, programme = proved(instance_of(tmp_path, "wcnf", text), "native:cdcl")
    assert answer.proof
    lines = answer.proof.splitlines(keepends=True)
    cores = [i for i, line in enumerate(lines) if b" rup " in line]
    assert cores
    for i in cores[:5]:
        assert check(programme, b"".join([*lines[:i], *lines[i + 1 :]]))[0] != CERTIFIED


def test_a_core_of_counters_of_other_cores_is_proved() -> None:
    (instance,) = read(find("opb-opt") / "knapsack-15-2-20.opb")
    answer, programme = proved(instance, "native")
    assert answer.proof
    assert check(programme, answer.proof) == (CERTIFIED, "")


def test_equal_soft_clauses_weigh_together(tmp_path: Path) -> None:
    """The solver has one literal for x1 or x2, of weight 4: it is true in any solution that costs less than 3."""
    text = "h 1 2 3 0\nh -1 -3 0\n2 1 2 0\n2 2 1 0\n1 3 3 0\n1 -3 -3 0\n1 -1 0\n2 -2 0\n"
    answer, programme = proved(instance_of(tmp_path, "wcnf", text), "native:cdcl")
    assert answer.proof
    assert b"pol @s" in answer.proof
    assert check(programme, answer.proof) == check_exactly(programme, answer.proof) == (CERTIFIED, "")


def test_clauses_of_a_problem_without_rows_are_proved_of_the_formula(tmp_path: Path) -> None:
    text = """<instance format="XCSP3" type="COP"> <variables> <array id="x" size="[4]"> 0 1 </array> </variables>
<constraints> <group> <intension> or(not(%0),not(%1)) </intension> <args> x[0] x[1] </args> <args> x[1] x[2] </args>
<args> x[0] x[3] </args> </group> </constraints>
<objectives> <maximize type="sum"> <list> x[] </list> <coeffs> 2 3 2 1 </coeffs> </maximize> </objectives>
</instance>"""
    instance = instance_of(tmp_path, "xml", text)
    formula = spec("extended").formula(instance.problem, instance.domains)
    assert isinstance(formula, Wcnf)
    answer = registry.find("native:cdcl").open(formula).ask(Ask(instance.domains, seconds=20.0, proof=True))
    assert answer.proof
    original = ReceivedAs.ORIGINAL
    programme, derived = received_weighted(instance.problem, instance.domains, formula, answer.solutions, original)
    assert not derived
    assert check(programme, answer.proof) == check_exactly(programme, answer.proof) == (CERTIFIED, "")


def test_rows_of_a_written_file_have_the_least_value_of_the_instance(tmp_path: Path) -> None:
    for seed in range(12):
        instance = instance_of(tmp_path, "wcnf", wcnf(Random(seed), 3))
        formula = spec("extended").formula(instance.problem, instance.domains)
        assert isinstance(formula, Wcnf)
        answer = (
            registry.find("native")
            .open(spec("alldifferent").formula(instance.problem, instance.domains))
            .ask(Ask(instance.domains, seconds=20.0))
        )
        found, derived = received_weighted(
            instance.problem, instance.domains, formula, answer.solutions, ReceivedAs.WRITTEN
        )
        assert derived
        assert found.goal is not None
        values = list[int]()
        for signs in product((1, -1), repeat=found.variables):
            true = {x * sign for x, sign in enumerate(signs, 1)}
            if all(sum(a for x, a in terms.items() if x in true) >= degree for terms, degree in found.rows):
                values.append(sum(a for x, a in found.goal.items() if x in true))
        assert min(values, default=None) == found.best
