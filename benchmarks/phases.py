"""Time per puzzle and phase: encode, load, solve, decode; setup is paid once per layout.

    python benchmarks/phases.py [CORPUS] [-b CONTENDER]... [-r REPEATS]

One run of the harness, contenders interleaved; means over puzzles and repeats, and each phase's share.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate

from harness.model.outcome import PHASES
from harness.reporting.tables import format_seconds

CONTENDERS = ("native", "pysat:cadical195/extended", "pysat:minisat22/extended", "cpsat")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", default="hardest")
    parser.add_argument("-b", "--backend", action="append", default=[])
    parser.add_argument("-r", "--runs", type=int, default=5)
    args = parser.parse_args()
    contenders = [word for name in args.backend or CONTENDERS for word in ("-b", name)]
    with tempfile.TemporaryDirectory() as folder:
        journal = str(Path(folder) / "phases.sqlite")
        command = [sys.executable, "-m", "harness", "run", args.corpus, *contenders, "-r", str(args.runs)]
        done = subprocess.run([*command, "-o", journal, "--json", "-"], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 4):
        sys.exit(done.returncode)
    summary = json.loads(done.stdout)
    rows = []
    for c in summary["contenders"]:
        phases = c["phases"]
        total = sum(phases[p] or 0 for p in PHASES)
        split = [f"{format_seconds(phases[p])} ({(phases[p] or 0) / total:.0%})" if total else "-" for p in PHASES]
        rows.append([c["name"], format_seconds(phases["setup"]), format_seconds(total), *split])
    host = summary["host"]
    print(f"{args.corpus}, {args.runs} repeats, {host['cpu']}, {host['cores']} cores, {summary['versions']}")
    print(tabulate(rows, ["contender", "setup, once", "per puzzle", *PHASES], disable_numparse=True))


if __name__ == "__main__":
    main()
