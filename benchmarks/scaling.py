"""Speed-ups of solvers with 1 and 2 cores, and what the intervals of `--matrix cores` cover, by simulation.

    python benchmarks/scaling.py run FOLDER           40 formulas x 5 seeds x 8 contenders, alone on the machine
    python benchmarks/scaling.py coverage [SERIES]    known speed-ups: heavy tails, luck, a limit

`run` needs glucose-syrup (pip install passagemath-glucose), clasp and cryptominisat5. In `coverage` times are
lognormal over instances, and each seed has a factor: normal, of Student's t with 2.5 degrees of freedom, Pareto, or
luck (one seed in seven takes twelve times as long). Speed-ups of instances differ (log, sd 0.2) around the known one.
Workers differ by 2.5 %. With a limit, instances with a timeout have no ratio.
"""

import subprocess
import sys
from itertools import product
from pathlib import Path
from random import Random

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent)]

from harness.reporting.statistics.estimates import BETWEEN_WORKER_SD, Floats  # noqa: E402
from harness.reporting.views.scaling import ratio_of_medians  # noqa: E402
from puzzles.generating import cnf_files  # noqa: E402

INSTANCES, SEEDS, SPREAD, VARIED = 40, 5, 1.5, 0.2
SPEED_UPS, LIMITS = (1.0, 1.5, 2.0), (np.inf, 12.0)
CONTENDERS = ("cpsat", "dimacs:clasp", "dimacs:glucose-syrup", "dimacs:cryptominisat5")
CLASP = "clasp=clasp --outf=1 --parallel-mode={cores} --seed={seed} --time-limit={seconds} {cnf}"


def factors(tail: str, shape: tuple[int, int], rng: np.random.Generator) -> Floats:
    """Return logarithms of the factors of seeds."""
    if tail == "normal":
        return 0.5 * rng.standard_normal(shape)
    if tail == "student":
        return 0.4 * rng.standard_t(2.5, shape)
    if tail == "pareto":
        return rng.exponential(0.7, shape)
    found: Floats = np.where(rng.random(shape) < 1 / 7, 2.5, 0.0) + 0.2 * rng.standard_normal(shape)
    return found


def covered(speed_up: float, tail: str, limit: float, rng: np.random.Generator) -> tuple[bool, float]:
    """Return True if the interval of a series has the speed-up; and its half-width."""
    shape, level = (SEEDS, INSTANCES), rng.normal(0, SPREAD, INSTANCES)
    workers = rng.normal(0, BETWEEN_WORKER_SD / 2**0.5, (2, SEEDS))
    one, two = (np.exp(level + factors(tail, shape, rng) + workers[i][:, None]) for i in (0, 1))
    two /= speed_up * np.exp(rng.normal(0, VARIED, INSTANCES))
    both = (np.maximum(one, two) < limit).all(axis=0)
    one, two = one[:, both], two[:, both]
    ratio = ratio_of_medians(two, one, np.arange(both.sum()))
    return ratio.low <= np.log(speed_up) <= ratio.high, (ratio.high - ratio.low) / 2


def coverage(series: int) -> None:
    print(f"{series} series of {INSTANCES} instances x {SEEDS} seeds")
    print("tail     limit  speed-up  covered %  half-width (log)")
    for tail, limit, speed_up in product(("normal", "student", "pareto", "luck"), LIMITS, SPEED_UPS):
        rng = np.random.default_rng(56)
        found = np.array([covered(speed_up, tail, limit, rng) for _ in range(series)])
        share, width = found.mean(axis=0)
        print(f"{tail:8} {limit:5.0f} {speed_up:9.1f} {100 * share:10.1f} {width:11.3f}", flush=True)


def formulas() -> dict[str, cnf_files.Formula]:
    """Return 40 formulas by name, in folders of three families."""
    found = {"structured/counter.cnf": cnf_files.counter(8, 100, 99)}
    for n in range(170, 250, 5):
        found[f"random/{n}.cnf"] = cnf_files.random_clauses(n, round(4.26 * n), 3, Random(n))
    for n in range(380, 580, 20):
        found[f"planted/{n}.cnf"] = cnf_files.planted_clauses(n, round(4.2 * n), 3, Random(n))
    for n in range(36, 60, 4):
        found[f"structured/tseitin-{n}.cnf"] = cnf_files.tseitin(n, 3, True, Random(n))
    for n in range(24, 32, 2):
        found[f"structured/parity-{n}.cnf"] = cnf_files.parity(n, Random(n))
    for n in range(6, 9):
        found[f"structured/pigeonhole-{n}.cnf"] = cnf_files.pigeonhole(n)
    return found


def run(folder: Path) -> None:
    """Write the formulas, run them, and print the report."""
    for name, formula in formulas().items():
        (folder / "cnf" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "cnf" / name).write_text(cnf_files.cnf_text(formula, []))
    journal = folder / "scaling.sqlite"
    contenders = ",".join(f"{name}[cores=1|2]" for name in CONTENDERS)
    words = [
        "run",
        str(folder / "cnf"),
        "-b",
        contenders,
        "--program",
        CLASP,
        "-r",
        str(SEEDS),
        "-t",
        "5",
        "-o",
        str(journal),
    ]
    harness = [sys.executable, "-m", "harness"]
    subprocess.run([*harness, *words, "--matrix", "cores"], check=False)
    for more in (["--families", "folder"], ["--format", "csv"]):
        subprocess.run([*harness, "report", str(journal), "--matrix", "cores", "--matrix-only", *more], check=False)


if __name__ == "__main__":
    if sys.argv[1:2] == ["run"] and len(sys.argv) == 3:
        run(Path(sys.argv[2]))
    elif sys.argv[1:2] == ["coverage"]:
        coverage(int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
    else:
        sys.exit(__doc__)
