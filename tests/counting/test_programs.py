"""`mcc:` programs: what they print is read as the Model Counting Competition states it, and judged as any number."""

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from backends.counters.counted import Estimate
from backends.programs.mcc import check_status, printed_count
from backends.programs.process import ProgramFailed
from tests.conftest import Harness
from tests.counting.formulas import Formula
from tests.counting.test_run import numbers
from tests.effort import slow_after

READ: dict[str, Fraction | Estimate | None] = {
    "s SATISFIABLE\nc s type mc\nc s log10-estimate 1.623249\nc s exact arb int 42": Fraction(42),
    "c s exact arb frac 3/10": Fraction(3, 10),
    "c s exact arb frac -7": Fraction(-7),
    "c s exact double prec-sci 64": Fraction(64),
    "c s exact double prec-sci 3e20": Estimate(Fraction(3 * 10**20), 1e-9),
    "c s exact quadruple float 2.5e-1": Estimate(Fraction(1, 4), 1e-9),
    "c s exact arb int 7\nc s pac guarantees epsilon: 0 delta: 1e-9": Fraction(7),
    "c s approx arb int 7\nc s pac guarantees epsilon: 0.8 delta: 0.2": Estimate(Fraction(7), 0.8, 0.2),
    "c s approx arb int 7": Estimate(Fraction(7)),
    "s mc 30": Fraction(30),
    "s UNKNOWN\nc o exact 3": None,
}
FAULTS = (
    ("c s exact arb int 7\nc s exact arb int 8", "two different numbers"),
    ("c s exact arb int 7000\nc s log10-estimate 1.5", "which is another"),
    ("c s exact arb frac 1/0", "without a denominator"),
    ("c s exact arb int many", "a number that is not read"),
)


@pytest.mark.parametrize("output", READ, ids=lambda text: text.splitlines()[-1])
def test_lines_of_the_competition_are_read(output: str) -> None:
    assert printed_count(output.encode()).result() == READ[output]


@pytest.mark.parametrize(("output", "why"), FAULTS)
def test_contradictions_of_a_program_are_errors(output: str, why: str) -> None:
    with pytest.raises(ProgramFailed, match=why):
        printed_count(output.encode()).result()


def test_a_logarithm_alone_is_an_estimate_that_claims_no_error() -> None:
    found = printed_count(b"s SATISFIABLE\nc s log10-estimate 3").result()
    assert isinstance(found, Estimate)
    assert (int(found.number), found.epsilon) == (1000, None)


def test_a_status_that_contradicts_the_number_is_an_error() -> None:
    check_status(10, Fraction(0), True)  # weights may cancel
    for status, number in ((20, Fraction(3)), (10, Fraction(0))):
        with pytest.raises(ProgramFailed, match="states"):
            check_status(status, number, False)


COUNTER = """import random, sys
from itertools import product
lines = open(sys.argv[1]).read().split("\\n")
n = next(int(line.split()[2]) for line in lines if line.startswith("p cnf"))
if n > 20:
    sys.exit(print("s UNKNOWN"))
rows = [[int(w) for w in line.split()[:-1]] for line in lines if line and line[0] in "-123456789"]
stated = [line.split()[3:-1] for line in lines if line.startswith("c p show")]
shown = [int(w) for w in stated[0]] if stated else list(range(1, n + 1))
found = {tuple(v[x - 1] for x in shown) for v in product((0, 1), repeat=n)
         if all(any((p > 0) == v[abs(p) - 1] for p in row) for row in rows)}
number = len(found)
"""
HONEST = 'print("s SATISFIABLE" if number else "s UNSATISFIABLE", f"c s exact arb int {number}", sep="\\n")'
WRONG = 'print(f"c s exact arb int {number + 1}")'
SEEDED = """random.seed(int(sys.argv[2]))
number = number if random.random() < CHANCE else 4 * number
print(f"c s approx arb int {number}", "c s pac guarantees epsilon: 0.8 delta: 0.2", sep="\\n")"""


def program(folder: Path, ending: str) -> str:
    """Return the option that names a counter with this ending."""
    path = folder / "counter.py"
    path.write_text(COUNTER + ending)
    return f"mine={sys.executable} {path} {{cnf}}{' {seed}' if 'seed' in ending else ''}"


@pytest.mark.parametrize(("ending", "code"), slow_after(1, [(WRONG, 1), (HONEST, 0)]), ids=["wrong", "right"])
def test_a_program_counts_through_run(tmp_path: Path, harness: Harness, ending: str, code: int) -> None:
    Formula(4, [[1, 2], [-1, 3]]).write(tmp_path / "a.cnf")
    (tmp_path / "b.opb").write_text("* #variable= 3 #constraint= 1\n+1 x1 +1 x2 +1 x3 >= 2 ;\n")  # a written file
    words = "--count", "all", "--certify", "-b", "mcc:mine", "--program", program(tmp_path, ending)
    done = harness("run", tmp_path / "a.cnf", tmp_path / "b.opb", *words, "-o", tmp_path / "j.sqlite")
    assert done.code == code, done.out + done.err
    found = numbers(tmp_path / "j.sqlite")
    assert [found["mcc:mine", key] - code for key in ("a.cnf", "b.opb")] == [8, 4]  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize(("chance", "code"), [("0.02", 1), ("0.8", 4)])
def test_estimates_are_rejected_beyond_what_chance_allows(
    tmp_path: Path, harness: Harness, chance: str, code: int
) -> None:
    path = Formula(4, [[1, 2], [-1, 3]]).write(tmp_path / "a.cnf")
    option = program(tmp_path, SEEDED.replace("CHANCE", chance))
    seed = next(str(i) for i in range(1, 99) if __import__("random").Random(i).random() >= 0.8)  # an estimate beyond
    words = "--count", "all", "--certify", "-b", f"mcc:mine[seed={seed}]", "--program", option, "--json", "-"
    done = harness("run", path, *words, "-o", tmp_path / "j.sqlite")
    found = json.loads(done.out)["agreement"]["disagreements"]
    assert (done.code, bool(found)) == (code, code == 1), done.out
    said = [d["why"] for d in found if d["alarm"] == "inconsistent"]
    assert all("of 25 are beyond a factor of 1.8 of 8: the chance of that is" in why for why in said)
    assert len(said) == (code == 1)
