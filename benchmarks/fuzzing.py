"""Check that `fuzz` finds, `shrink` minimises and `replay` reproduces planted faults.

    python benchmarks/fuzzing.py [--faults planted] [--seconds 120] [--seed 1]

The fourteen of `planted` are on boards and clauses; `partial` has one for each kind of constraint and for each encoding
on each axis. Each command runs in a new process, as users do.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from encoders.at_most_one import AT_MOST_ONE  # noqa: E402
from encoders.kinds.tables import TABLES  # noqa: E402
from encoders.linear import LINEAR  # noqa: E402
from encoders.variables import VARIABLES  # noqa: E402
from harness.fuzzing.clausal import clauses_of_problem  # noqa: E402
from harness.fuzzing.findings.finding import read  # noqa: E402
from puzzles.generating.problems import KINDS  # noqa: E402

PLANTED = (
    *("clauses", "decoding", "early", "empty_unit", "hang", "hidden", "hoard", "lanes", "marks", "one_value", "rare"),
    *("second", "unfinished", "unit"),
)
AXES: dict[str, Iterable[str]] = {"variables": VARIABLES, "at-most-one": AT_MOST_ONE, "linear": LINEAR, "table": TABLES}
PARTIAL = (*KINDS, *(f"{axis}={name}" for axis, names in AXES.items() for name in names))


def harness(*arguments: str) -> tuple[int, str, float]:
    """Run one command; return exit code, output and seconds."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "plugins")])}
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "harness", *arguments], env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr, time.monotonic() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", choices=("planted", "partial"), default="planted")
    parser.add_argument("--seconds", default="120")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        problems = ("--as", "csp") if args.faults == "partial" else ()
        command = ("fuzz", *problems, "--seconds", args.seconds, "--seed", args.seed, "-b", f"{args.faults}:*")
        code, text, took = harness(*command, "-o", folder)
        print(text.splitlines()[-2], f"| {took:.0f} s, exit {code}\n")
        print(f"{'fault':<23} {'signature':<34} {'asks':>4} {'givens':>6} {'clauses':>7} {'shrink s':>8} replay")
        found = {path: read(path).case.contender for path in sorted(Path(folder).iterdir())}
        for fault in PARTIAL if args.faults == "partial" else PLANTED:
            paths = [path for path, contender in found.items() if contender == f"{args.faults}:{fault}"]
            if not paths:
                print(f"{fault:<23} not found")
            for path in paths:
                report(fault, path)


def report(fault: str, path: Path) -> None:
    """Shrink one finding, replay it, and print its size."""
    small = path.with_suffix(".min.finding")
    _, text, took = harness("shrink", str(path), "-o", str(small))
    if not small.exists():
        print(f"{fault:<23} {path.name}: {text.strip()}")
        return
    finding = read(small)
    case = finding.case
    rows = clauses_of_problem(case.problem)
    clauses = "-" if rows is None else len(rows)
    code, _, _ = harness("replay", str(small))
    print(
        f"{fault:<23} {finding.signature[:34]:<34} {len(case.asks):>4} {case.givens:>6} {clauses:>7} {took:>8.1f}"
        f" {'fails again' if code == 1 else 'does not fail'}: {', '.join(c.kind for c in case.problem.constraints)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
