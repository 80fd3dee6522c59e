"""Check that `fuzz` finds, `shrink` minimises and `replay` reproduces fourteen planted faults.

`python benchmarks/fuzzing.py [--seconds 120] [--seed 1]` runs each command in a new process, as users do, and prints
the figures.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from harness.fuzzing.clausal import clauses_of_problem  # noqa: E402
from harness.fuzzing.findings.finding import read  # noqa: E402

FAULTS = (
    *("clauses", "decoding", "early", "empty_unit", "hang", "hidden", "hoard", "lanes", "marks", "one_value", "rare"),
    *("second", "unfinished", "unit"),
)


def harness(*arguments: str) -> tuple[int, str, float]:
    """Run one command; return exit code, output and seconds."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "plugins")])}
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "harness", *arguments], env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr, time.monotonic() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", default="120")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = ("fuzz", "--seconds", args.seconds, "--seed", args.seed, "-b", "planted:*", "-o", folder)
        code, text, took = harness(*command)
        print(text.splitlines()[-2], f"| {took:.0f} s, exit {code}\n")
        print(f"{'fault':<12} {'signature':<34} {'asks':>4} {'givens':>6} {'clauses':>7} {'shrink s':>8} replay")
        for fault in FAULTS:
            paths = sorted(Path(folder).glob(f"planted-{fault.replace('_', '-')}-*.finding"))
            if not paths:
                print(f"{fault:<12} not found")
            for path in paths:
                report(fault, path)


def report(fault: str, path: Path) -> None:
    """Shrink one finding, replay it, and print its size."""
    small = path.with_suffix(".min.finding")
    _, text, took = harness("shrink", str(path), "-o", str(small))
    if not small.exists():
        print(f"{fault:<12} {path.name}: {text.strip()}")
        return
    finding = read(small)
    case = finding.case
    rows = clauses_of_problem(case.problem)
    clauses = "-" if rows is None else len(rows)
    code, _, _ = harness("replay", str(small))
    print(
        f"{fault:<12} {finding.signature[:34]:<34} {len(case.asks):>4} {case.givens:>6} {clauses:>7} {took:>8.1f}"
        f" {'fails again' if code == 1 else 'does not fail'}",
        flush=True,
    )


if __name__ == "__main__":
    main()
