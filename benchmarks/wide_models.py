"""Models with wide variables through every contender that may take them: their answers, or the reason of a refusal.

    python benchmarks/wide_models.py [--timeout SECONDS] [FILE ...]

A FILE is MiniZinc, or a script that solves a CpModel of OR-Tools, such as those of its examples: the script runs
unchanged, and each model that it hands to `CpSolver.solve` is taken instead. Default: benchmarks/wide/*.mzn.
"""

import argparse
import runpy
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness

CONTENDERS = (
    "cpsat", "z3:int", "choco", "pumpkin", "native:python", "native:lazy", "toulbar2", "highs", "scip", "exact",
    "fzn:gecode", "cpmpy:ortools", "clingo",
)  # fmt: skip
SAT = {True: "pysat:rc2", False: "pysat:cadical195"}  # with an objective, without one


class Taken(BaseException):
    """The model of a script, in place of its solution."""


def models_of(script: Path) -> Iterator[Any]:
    """Yield each model that a script of OR-Tools solves; the script goes on with the status UNKNOWN."""
    from ortools.sat.python import cp_model

    taken: list[Any] = []

    def solve(self: Any, model: Any, *others: Any) -> int:
        taken.append(model)
        return int(cp_model.UNKNOWN)

    cp_model.CpSolver.solve = cp_model.CpSolver.Solve = solve
    sys.argv = [str(script)]
    try:
        runpy.run_path(str(script), run_name="__main__")
    except (SystemExit, Exception) as e:  # scripts print what they have no solution of
        print(f"  {script.name} ends after its models: {type(e).__name__}: {e}")
    yield from taken


def answers(name: str, source: Any, timeout: float) -> None:
    """Print the answer of each contender, and how many decided differently."""
    with tempfile.TemporaryDirectory() as folder:
        sat = SAT[not hasattr(source, "has_objective") or source.has_objective()]
        output = Path(folder, "wide.sqlite")
        results = harness.run(source, [*CONTENDERS, sat], timeout=timeout, output=output, seed=1)
        frame = results.frame()
    decided = set()
    for row in frame.to_dict("records"):
        print(f"  {row['contender']:18} {row['verdict']} {row['objective']} {row['reason']} {row['detail']}")
        if row["complete"]:
            decided.add(row["objective"] if row["found"] else row["status"])
    print(f"{name}: {len(decided)} different optima, {sorted(map(str, decided))}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    for file in given.files or sorted(Path(__file__).parent.glob("wide/*.mzn")):
        print(file.name)
        if file.suffix != ".py":
            answers(file.name, file, given.timeout)
            continue
        for i, model in enumerate(models_of(file), 1):
            answers(f"{file.name} {i}", model, given.timeout)


if __name__ == "__main__":
    main()
