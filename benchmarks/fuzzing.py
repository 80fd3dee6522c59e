"""Check that `fuzz` finds, `shrink` minimises and `replay` reproduces planted faults.

    python benchmarks/fuzzing.py [--faults planted partial astray] [--seconds 120] [--seed 1] [--alone]

The fourteen of `planted` are on boards and clauses; `partial` has one for each kind of constraint and for each encoding
on each axis; `astray` has optimisers. All of a kind are asked together, and those not found, or with --alone each, one
at a time. Each command runs in a new process, as users do. Sizes are those that `shrink` minimises; CPU time is that of
`shrink` with its workers.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from figures import children_cpu

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from encoders.at_most_one import AT_MOST_ONE  # noqa: E402
from encoders.kinds.tables import TABLES  # noqa: E402
from encoders.linear import LINEAR  # noqa: E402
from encoders.variables import VARIABLES  # noqa: E402
from harness.fuzzing.findings.finding import read  # noqa: E402
from harness.fuzzing.reducing.shrinking import size  # noqa: E402
from puzzles.generating.problems import KINDS  # noqa: E402
from tests.plugins.astray import FAULTS  # noqa: E402

PLANTED = (
    *("clauses", "decoding", "early", "empty_unit", "hang", "hidden", "hoard", "lanes", "marks", "one_value", "rare"),
    *("second", "unfinished", "unit"),
)
AXES: dict[str, Iterable[str]] = {"variables": VARIABLES, "at-most-one": AT_MOST_ONE, "linear": LINEAR, "table": TABLES}
PARTIAL = (*KINDS, *(f"{axis}={name}" for axis, names in AXES.items() for name in names))
ALL: dict[str, Iterable[str]] = {"planted": PLANTED, "partial": PARTIAL, "astray": sorted(FAULTS)}
CASES = (250, 1000, 4000)  # asked of a fault alone, until it is found


def harness(*arguments: str) -> tuple[int, str, float]:
    """Run one command; return exit code, output and CPU seconds."""
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests" / "plugins")])}
    start = children_cpu()
    done = subprocess.run(
        [sys.executable, "-m", "harness", *arguments], env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr, children_cpu() - start


def fuzzed(folder: str, contender: str, kind: str, seed: str, *limit: str) -> list[Path]:
    """Fuzz a contender, or several; return the files of the findings."""
    problems = ("--as", "csp") if kind == "partial" else ()
    code, text, took = harness("fuzz", *problems, *limit, "--seed", seed, "-b", contender, "-o", folder)
    lines = text.splitlines()[-2:]
    print(f"{contender}: {lines[0] if lines else ''} | {took:.0f} s of CPU, exit {code}", file=sys.stderr, flush=True)
    return sorted(Path(folder).glob("*.finding"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", nargs="+", choices=ALL, default=["planted"])
    parser.add_argument("--seconds", default="120")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--alone", action="store_true", help="ask each fault alone")
    args = parser.parse_args()
    print(f"{'fault':<31} {'signature':<34} {'before':>7} {'after':>6} {'CPU s':>6} replay")
    for kind in args.faults:
        with tempfile.TemporaryDirectory() as folder:
            paths = [] if args.alone else fuzzed(folder, f"{kind}:*", kind, args.seed, "--seconds", args.seconds)
            found = {path: read(path).case.contender for path in paths}
            for fault in ALL[kind]:
                name = f"{kind}:{fault}"
                paths = [path for path, contender in found.items() if contender == name]
                for cases in CASES if not paths else ():
                    if paths := fuzzed(f"{folder}/{fault}", name, kind, args.seed, "--cases", str(cases), "-t", "10"):
                        break
                for path in paths:
                    report(name, path)
                if not paths:
                    print(f"{name:<31} not found")


def report(fault: str, path: Path) -> None:
    """Shrink one finding, replay it, and print its size."""
    small = path.with_suffix(".min.finding")
    _, text, took = harness("shrink", str(path), "-j", "1", "--seconds", "600", "-o", str(small))
    if not small.exists():
        print(f"{fault:<31} {path.name}: {text.strip()}")
        return
    before, finding = read(path).case, read(small)
    code, _, _ = harness("replay", str(small))
    replayed, kinds = (
        "fails again" if code == 1 else "does not fail",
        (c.kind for c in finding.case.problem.constraints),
    )
    print(
        f"{fault:<31} {finding.signature[:34]:<34} {size(before):>7,} {size(finding.case):>6} {took:>6.1f}"
        f" {replayed}: {', '.join(kinds)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
