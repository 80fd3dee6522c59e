"""Run proofs against boards that have a solution, through an encoding whose table of literals is mutated.

    python benchmarks/literal_tables.py [--count N] [--seed N] [--layout LAYOUT]

N boards (1,000) of a layout (sudoku 2x2), made around a solution, are asked of `evil:cad/mutated`
(tests/plugins/encodings/evil.py): the encoding of a plug-in that changes the table, the clauses or the groups of the
formula in one to three ways that depend on the board, and a backend that proves that the result has no solution. Prints
how often each outcome was seen, and how many of the proofs refute what the judge concludes from such a formula and
board: there only the check of the formula stands before a certificate. None may be certified, and the corpus, which
claims a solution for each board, may not be called wrong.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from figures import Figure, add_option, report

from harness.judging.proof import solver_fault
from puzzles.boards.families import layout
from puzzles.boards.layout import Layout
from puzzles.problem.values import Domains

sys.path.append(str(Path(__file__).resolve().parent.parent))

from tests.plugins.encodings import evil

ROOT = Path(__file__).resolve().parent.parent
PLUGINS = ROOT / "tests" / "plugins" / "encodings"


def solution(board: Layout, random: Random) -> list[int]:
    """Return a random solution, by search."""
    values: list[int] = []
    orders = [random.sample(range(len(board.values)), len(board.values)) for _ in board.squares]
    tried = [0] * len(board.squares)
    while len(values) < len(board.squares):
        s = len(values)
        while tried[s] < len(orders[s]):
            v = orders[s][tried[s]]
            tried[s] += 1
            if all(values[p] != v for p in board.peers[s] if p < s):
                values.append(v)
                break
        else:
            tried[s] = 0
            values.pop()
    return values


def givens(board: Layout, random: Random) -> list[int]:
    """Return the values of a board around a solution, -1 for an open square."""
    share = random.uniform(0.1, 0.9)
    return [v if random.random() < share else -1 for v in solution(board, random)]


def effective(board: Layout, domains: Domains) -> bool:
    """Return True if the proof refutes what is concluded from the mutated formula and the board."""
    formula = evil.mutated(board, domains)
    try:
        if max(abs(x) for clause in evil.concluded(formula, domains) for x in clause) > formula.variables:
            return False
        return not solver_fault(board, domains, formula, (), evil.refutation(formula, domains))
    except (TypeError, ValueError, IndexError):
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--layout", default="sudoku 2x2")
    add_option(parser)
    args = parser.parse_args()
    board, random = layout(args.layout), Random(args.seed)
    puzzles = [givens(board, random) for _ in range(args.count)]
    text = ["".join("." if v < 0 else board.values[v] for v in puzzle) for puzzle in puzzles]
    full = (1 << len(board.values)) - 1
    proofs = sum(effective(board, tuple(full if v < 0 else 1 << v for v in puzzle)) for puzzle in puzzles)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "boards.txt")
        file.write_text("\n".join([f"#: {args.layout}, count 1+", *text, ""]))
        names = ["-b", "evil:cad/mutated", "-o", str(Path(folder, "run.sqlite")), "--json", "-"]
        command = [sys.executable, "-m", "harness", "run", str(file), "--count", "2", "--proof", *names]
        path = os.pathsep.join([str(ROOT), str(PLUGINS)])
        environment = os.environ | {"PYTHONPATH": path}
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=environment)
    summary = json.loads(done.stdout)
    (entry,), agreement = summary["contenders"], summary["agreement"]
    blamed = sum("corpus" in d for d in agreement["disagreements"])
    figures = [Figure("", kind, "proofs", entry[kind]) for kind in ("certified", "refused", "unchecked")]
    figures += [
        Figure("", "error", "boards", entry["error"]),
        Figure("", "refuting what is concluded", "proofs", proofs),
    ]
    report([*figures, Figure("", "corpus called wrong", "boards", blamed)], args.json)
    assert entry["certified"] == 0, "a false certificate"
    assert blamed == 0, "the corpus is blamed"


if __name__ == "__main__":
    main()
