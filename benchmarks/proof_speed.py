"""Compare our proof checker with drat-trim: CPU time and verdicts, on the same formulas and proofs.

    python benchmarks/proof_speed.py --drat-trim PATH [--boards N]

PATH is a drat-trim program, built from its public source. Proofs: N boards (200), half without a solution, half with
one that is excluded; 20 larger formulas; N/4 boards by maplesat, whose proofs name variables that the formula lacks.
Ours is timed from the proof's text to the verdict, in a process in which the loops are compiled, as in a run; the link
of the formula to the rules, which is checked once per problem, is not counted. drat-trim reads the formula too.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from time import process_time

import numpy as np
import numpy.typing as npt
from figures import Figure, add_option, children_cpu, pair_ratio, ratio, report
from proofs import unique, unsolvable
from pysat.solvers import Solver

from backends.contract import registry
from backends.contract.answer import Ask
from encoders.formula import Cnf
from encoders.registry import spec
from harness.judging.checkers.formats import read_proof
from harness.judging.formulas.link import flatten, proof_axioms
from harness.judging.proof import refutation_fault
from puzzles.corpora import find
from puzzles.formats import read

Clauses = list[list[int]]
Flat = npt.NDArray[np.int64]  # clauses, each ended by 0
LIMIT_S = 1000


def pigeonhole(holes: int) -> Clauses:
    """Return that holes + 1 pigeons have a hole each."""
    pigeons = range(holes + 1)
    at = [[1 + p * holes + h for h in range(holes)] for p in pigeons]
    return at + [[-at[p][h], -at[q][h]] for h in range(holes) for p in pigeons for q in range(p)]


def random_3sat(variables: int, seed: int) -> Clauses:
    """Return 4.7 random clauses per variable, nearly always unsatisfiable."""
    random = Random(seed)
    names = range(1, variables + 1)
    return [[random.choice((1, -1)) * x for x in random.sample(names, 3)] for _ in range(47 * variables // 10)]


def symmetric_latin(order: int) -> Clauses:
    """Return an idempotent symmetric Latin square, which has no even order."""
    n = range(order)
    at = [[[1 + (max(i, j) * order + min(i, j)) * order + v for v in n] for j in n] for i in n]
    cells = [at[i][j] for i in n for j in range(i + 1)]
    rows = [[-at[i][j][v], -at[i][k][v]] for i in n for v in n for j in n for k in range(j)]
    places = [[at[i][j][v] for j in n] for i in n for v in n]
    single = [[-cell[v], -cell[w]] for cell in cells for v in n for w in range(v)]
    return cells + single + rows + places + [[at[i][i][i]] for i in n]


def colouring(corpus: str) -> Clauses:
    """Return a shipped graph with too few colours."""
    instance = next(iter(read(find(corpus))))
    formula = spec("extended").formula(instance.problem)
    assert isinstance(formula, Cnf)
    flat = proof_axioms(instance.problem, instance.domains, formula, ())
    return [part[:-1].tolist() for part in np.split(flat, np.flatnonzero(flat == 0) + 1)[:-1]]


def larger() -> Iterator[tuple[str, Clauses, str]]:
    """Yield 20 unsatisfiable formulas with a solver for each."""
    both = ("cadical195", "glucose3")
    for solver in both:
        yield from ((f"pigeonhole {n}", pigeonhole(n), solver) for n in (7, 8))
        yield from (
            (f"colouring {name}", colouring(name), solver) for name in ("myciel4-short.col", "queen5_5-short.col")
        )
        yield from ((f"latin {n}", symmetric_latin(n), solver) for n in (12, 14))
        yield from (
            (f"3-SAT {n}, seed {seed}", random_3sat(n, seed), solver) for n, seed in ((150, 1), (200, 2), (200, 3))
        )
    yield "3-SAT 240, seed 4", random_3sat(240, 4), "cadical195"
    yield "colouring myciel5", colouring("phase-myciel5.col"), "cadical195"


class Peer:
    """drat-trim, with a folder for its input."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program, self.cnf, self.proof = program, folder / "cnf", folder / "proof"

    def verdict(self, axioms: Flat, proof: bytes) -> tuple[bool, float]:
        """Return whether it verifies the proof, and its CPU time."""
        head = f"p cnf {np.abs(axioms).max()} {(axioms == 0).sum()}\n"
        self.cnf.write_text(head + " ".join(map(str, axioms)).replace(" 0", " 0\n") + "\n")
        self.proof.write_bytes(proof + b"\n")
        before = children_cpu()
        command = [self.program, str(self.cnf), str(self.proof), "-t", str(LIMIT_S)]
        text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        return "s VERIFIED" in text, children_cpu() - before


def ours(axioms: Flat, proof: bytes) -> tuple[bool, float]:
    """Return whether we accept the proof, and our CPU time."""
    begin = process_time()
    result = refutation_fault(axioms, int(np.abs(axioms).max()), read_proof(proof))
    return result == "", process_time() - begin


def boards(count: int, names: Sequence[str]) -> Iterator[tuple[Flat, bytes]]:
    """Yield axioms and proofs of 9x9 boards, by solvers in turn."""
    random, layout = Random(5), next(iter(read(find("hardest")))).problem
    formula = spec("extended").formula(layout)
    assert isinstance(formula, Cnf)
    none = unsolvable(random, count // 2, registry.find("pysat:cadical195"), formula)
    for i, domains in enumerate([*none, *unique()[-(count - count // 2) :]]):
        answer = registry.find(f"pysat:{names[i % len(names)]}").open(formula).ask(Ask(domains, 2, 60.0, proof=True))
        yield proof_axioms(layout, domains, formula, answer.solutions), answer.proof or b""


def solved(clauses: Clauses, solver: str) -> bytes:
    """Return the proof of a solver."""
    with Solver(solver, bootstrap_with=clauses, with_proof=True) as s:
        assert s.solve() is False
        return "\n".join(s.get_proof()).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drat-trim", required=True, metavar="PATH")
    parser.add_argument("--boards", type=int, default=200, metavar="N")
    parser.add_argument("--small", action="store_true", help="the first three of the larger formulas")
    add_option(parser)
    args = parser.parse_args()
    ours(flatten([[1], [-1]]), b"d 1 2 0\n0\n")  # compiles
    report(figures(args.drat_trim, args.boards, args.small), args.json)


def compare(name: str, cases: Iterable[tuple[Flat, bytes]], peer: Peer) -> Iterator[Figure]:
    """Yield the sums of both checkers over proofs."""
    found = [(len(proof) / 1e6, *ours(axioms, proof), *peer.verdict(axioms, proof)) for axioms, proof in cases]
    sizes, accepted, seconds, verified, theirs = zip(*found, strict=True)
    yield Figure(name, "", "proofs", len(found))
    yield Figure(name, "", "size", sum(sizes), "MB")
    yield Figure(name, "", "ours accepts", sum(accepted))
    yield Figure(name, "", "drat-trim verifies", sum(verified))
    yield Figure(name, "", "ours", sum(seconds), "s")
    yield Figure(name, "", "drat-trim", sum(theirs), "s")
    yield ratio(name, "", "ours / drat-trim", pair_ratio([list(zip(seconds, theirs, strict=True))]))


def figures(drat_trim: str, count: int, small: bool) -> Iterator[Figure]:
    """Yield the comparison on boards, and on larger formulas."""
    with tempfile.TemporaryDirectory() as folder:
        peer = Peer(drat_trim, Path(folder))
        yield from compare("9x9", boards(count, ("cadical195", "glucose3")), peer)
        yield from compare("9x9 by maplesat", boards(count // 4, ("maplesat",)), peer)
        for name, clauses, solver in islice(larger(), 3 if small else None):
            yield from compare(f"{name}, {solver}", [(flatten(clauses), solved(clauses, solver))], peer)


if __name__ == "__main__":
    main()
