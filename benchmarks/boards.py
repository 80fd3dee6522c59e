"""Boards larger than 9x9: the native engine compared with CP-SAT and a SAT solver.

    python benchmarks/boards.py [-n PUZZLES] [-t SECONDS] [--seed N]

Three seeded classes: minimal 16x16 Sudoku; 25x25 Sudoku with 56 % holes; Latin squares of order 30 with 42 % holes.
Each class is one run of the harness: cold, first solution, every solution verified.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import Figure, add_option, report

from backends.answer import Ask
from backends.registry import find
from encoders.formula import AllDifferent
from puzzles.families import layout
from puzzles.generating.generate import Oracle, nth
from puzzles.layout import Domains, Layout

CONTENDERS = ("native:engine", "cpsat", "pysat:cadical195/extended")
NO_LIMIT = 1e5  # seconds: counts during generation must be exact
CLASSES = {
    "16x16, minimal": ("sudoku 4x4", "minimal", {}),
    "25x25, 56 % holes": ("sudoku 5x5", "holes", {"percent": 56}),
    "Latin 30, 42 % holes": ("latin 30", "holes", {"percent": 42}),
}


def corpus(folder: Path, name: str, kind: str, options: dict[str, int], seed: int, puzzles: int) -> Path:
    """Write a file of `puzzles` boards of a kind, values as numbers from 1, 0 for an open square."""
    board = layout(name)
    session = find(CONTENDERS[0]).open(AllDifferent(len(board.squares), len(board.values), board.units))

    def count(layout: Layout, domains: Domains, limit: int) -> int:
        return len(session.ask(Ask(domains, limit, NO_LIMIT)).solutions)

    def effort(layout: Layout, domains: Domains, limit: int) -> int:
        raise NotImplementedError("the kinds used here need no effort")

    path = folder / f"{name.replace(' ', '-')}.txt"
    with path.open("w") as file:
        print(f"#: {name}", file=file)
        for n in range(puzzles):
            domains = nth(board, kind, seed, n, Oracle(count, effort), **options).domains
            print(*(0 if d & (d - 1) else d.bit_length() for d in domains), file=file)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--puzzles", type=int, default=100)
    parser.add_argument("-t", "--timeout", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    args = parser.parse_args()
    figures = []
    contenders = [word for name in CONTENDERS for word in ("-b", name)]
    with tempfile.TemporaryDirectory() as folder:
        for title, (name, kind, options) in CLASSES.items():
            path = corpus(Path(folder), name, kind, options, args.seed, args.puzzles)
            command = [sys.executable, "-m", "harness", "run", str(path), *contenders, "-t", str(args.timeout)]
            journal = str(Path(folder) / f"{path.stem}.sqlite")
            done = subprocess.run([*command, "-o", journal, "--json", "-"], stdout=subprocess.PIPE, text=True)
            if done.returncode not in (0, 4):
                sys.exit(done.returncode)
            for c in json.loads(done.stdout)["contenders"]:
                figures += [
                    Figure(title, c["name"], "puzzles", args.puzzles),
                    Figure(title, c["name"], "solved", c["solved"]),
                ]
                times = {"PAR-2": c["par2"]} | {name: c["seconds"][name] for name in ("median", "p95", "max")}
                figures += [
                    Figure(title, c["name"], name, 1e3 * time, "ms") for name, time in times.items() if time is not None
                ]
    report(figures, args.json)


if __name__ == "__main__":
    main()
