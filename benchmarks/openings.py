"""First openings of the compiled backends, on an idle and on a busy machine.

    python benchmarks/openings.py [--load N] [--corpus NAME] [BACKEND ...]
    python benchmarks/openings.py --first [--rounds N] [BACKEND ...]

Starts N processes that only compute (default 8), and runs the corpus with an empty cache. Prints the run's exit code,
the puzzles that were solved, and its seconds of wall time and CPU time; exits with 1 if a puzzle was lost.

With --first: CPU seconds in new processes until the first puzzle is answered, compiled into an empty cache, then loaded
from it, with what it takes to import the solver's package apart. Backends that compile nothing are there to compare.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from figures import Figure, add_option, children_cpu, report

BUSY = "while True: pass"
BOARDS = {"native:kernel": "sudoku 3x3", "native:batch": "sudoku 3x3"}  # others: OTHER
OTHER = "latin 9"
FIRST = ("native:kernel", "native:batch", "native:engine", "native:cdcl", "native:lazy", "native:dlx")
PEERS = {"cpsat": "ortools.sat.python.cp_model", "pysat:cadical195": "pysat.solvers"}
ANSWER = """
import importlib, sys
from time import process_time
import numpy
from backends.contract import registry
from backends.contract.answer import Ask
from encoders.registry import default
from puzzles.boards.families import layout
name, board, package = sys.argv[1:]
backend, problem = registry.find(name), layout(board)
formula = default(backend.accepts).formula(problem)
began = process_time()
importlib.import_module(package)
imported = process_time()
backend.open(formula).ask(Ask(problem.open))
print(imported - began, process_time() - imported)
"""


def first(backends: list[str], rounds: int) -> Iterator[Figure]:
    """Yield medians of CPU seconds of the first use of each backend, in turn."""
    spent: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for name in backends:
            with tempfile.TemporaryDirectory() as cache:
                words = [name, BOARDS.get(name, OTHER), PEERS.get(name, "numba")]
                for state in ("compiled", "from the cache") if name not in PEERS else ("nothing to compile",):
                    done = subprocess.run(
                        [sys.executable, "-c", ANSWER, *words],
                        env=os.environ | {"NUMBA_CACHE_DIR": cache},
                        stdout=subprocess.PIPE,
                        check=True,
                    )
                    imports, use = map(float, done.stdout.split())
                    spent.setdefault((name, "imports"), []).append(imports)
                    spent.setdefault((name, state), []).append(use)
    for (name, state), seconds in spent.items():
        yield Figure("first use", name, state, median(seconds), "s")


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
    parser.add_argument("backends", nargs="*", metavar="BACKEND")
    parser.add_argument("--first", action="store_true", help="CPU seconds of the first use")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="with --first (default 3)")
    parser.add_argument("--load", type=int, default=8, metavar="N", help="processes that only compute (default 8)")
    parser.add_argument("--corpus", default="several", help="corpus (default several)")
    add_option(parser)
    args = parser.parse_args()
    if args.first:
        report([*first(args.backends or [*FIRST, *PEERS], args.rounds)], args.json)
        return 0
    load = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(args.load)]
    try:
        with tempfile.TemporaryDirectory() as cache:
            began, before = time.monotonic(), children_cpu()
            code, solved = run(args.corpus, args.backends or ["native:kernel", "native:engine"], cache)
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
