"""Time per puzzle and phase: encode, load, solve, decode; setup is paid once per layout.

    python benchmarks/phases.py [CORPUS] [-b CONTENDER]... [-r REPEATS]

One run of the harness, contenders interleaved; means over puzzles and repeats.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from figures import Figure, add_option, report

from harness.model.outcome import PHASES

CONTENDERS = ("native", "pysat:cadical195/extended", "pysat:minisat22/extended", "cpsat")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", default="hardest")
    parser.add_argument("-b", "--backend", action="append", default=[])
    parser.add_argument("-r", "--runs", type=int, default=5)
    add_option(parser)
    args = parser.parse_args()
    contenders = [word for name in args.backend or CONTENDERS for word in ("-b", name)]
    with tempfile.TemporaryDirectory() as folder:
        journal = str(Path(folder) / "phases.sqlite")
        command = [sys.executable, "-m", "harness", "run", args.corpus, *contenders, "-r", str(args.runs)]
        done = subprocess.run([*command, "-o", journal, "--json", "-"], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 4):
        sys.exit(done.returncode)
    summary = json.loads(done.stdout)
    figures = []
    for c in summary["contenders"]:
        phases = {phase: (c["phases"][phase] or 0) * 1e3 for phase in ("setup", *PHASES)}
        made = partial(Figure, args.corpus, c["name"], unit="ms")
        figures.append(made("setup, once", phases["setup"]))
        figures.append(made("per puzzle", sum(phases[p] for p in PHASES)))
        figures += [made(p, phases[p]) for p in PHASES]
    host = summary["host"]
    print(f"{args.corpus}, {args.runs} repeats, {host['cpu']}, {host['cores']} cores, {summary['versions']}")
    report(figures, args.json)


if __name__ == "__main__":
    main()
