"""First openings of the compiled backends, on an idle and on a busy machine.

    python benchmarks/openings.py [--load N] [--corpus NAME] [BACKEND ...]

Starts N processes that only compute (default 8), and runs the corpus with an empty cache. Prints the run's exit code,
the puzzles that were solved, and its seconds of wall time and CPU time; exits with 1 if a puzzle was lost.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from figures import Figure, add_option, children_cpu, report

BUSY = "while True: pass"


def run(corpus: str, backends: list[str], cache: str) -> tuple[int, dict[str, int]]:
    """Run a corpus with a cache directory. Returns the exit code, and the puzzles that each contender solved."""
    words = [sys.executable, "-m", "harness", "run", corpus, "--json", "-", "-o", os.path.join(cache, "j.sqlite")]
    for backend in backends:
        words += ["-b", backend]
    environment = os.environ | {"XDG_CACHE_HOME": cache, "HOME": cache}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, {c["name"]: c["solved"] for c in json.loads(done.stdout)["contenders"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("backends", nargs="*", default=["native:kernel", "native:engine"], metavar="BACKEND")
    parser.add_argument("--load", type=int, default=8, metavar="N", help="processes that only compute (default 8)")
    parser.add_argument("--corpus", default="several", help="corpus (default several)")
    add_option(parser)
    args = parser.parse_args()
    load = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(args.load)]
    try:
        with tempfile.TemporaryDirectory() as cache:
            began, before = time.monotonic(), children_cpu()
            code, solved = run(args.corpus, args.backends, cache)
            compiled = sum(1 for _ in Path(cache).rglob("*.nbc"))
            cpu, wall = children_cpu() - before, time.monotonic() - began
    finally:
        for process in load:
            process.kill()
            process.wait()
    made = partial(Figure, f"{args.corpus}, load {args.load}")
    figures = [made("run", "exit code", code), made("run", "wall time", wall, "s"), made("run", "CPU time", cpu, "s")]
    figures.append(made("run", "functions compiled", compiled))
    report([*figures, *(made(name, "solved", n) for name, n in solved.items())], args.json)
    return int(code != 0)


if __name__ == "__main__":
    sys.exit(main())
