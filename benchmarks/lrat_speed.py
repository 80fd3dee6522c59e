"""Compare our checkers of LRAT and of DRAT on proofs of growing size, by CPU time.

    python benchmarks/lrat_speed.py --cadical PATH [--lrat-check PATH]

PATH is a cadical program that has the option --lrat (1.7 or newer), and lrat-check as built from drat-trim's public
source. The same search is run twice, for a proof of each kind. Times are from the proof's text to the verdict, with
compiled loops; those of lrat-check include the formula.
"""

import argparse
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from time import process_time

import numpy as np
from figures import Figure, add_option, children_cpu, report
from proof_speed import Clauses, Flat, pigeonhole, random_3sat, symmetric_latin

from harness.judging.checkers.formats import read_proof
from harness.judging.formulas.link import flatten
from harness.judging.proof import refutation_fault


def formulas() -> Iterator[tuple[str, Clauses]]:
    """Yield unsatisfiable formulas, each family in order of size."""
    yield from ((f"3-SAT {n}", random_3sat(n, 1)) for n in (100, 150, 200, 225, 250, 275))
    yield from ((f"pigeonhole {n}", pigeonhole(n)) for n in (6, 7, 8, 9))
    yield from ((f"latin {n}", symmetric_latin(n)) for n in (10, 12, 14))


def proof(program: str, cnf: Path, *options: str) -> bytes:
    """Return the proof of a cadical program."""
    path = cnf.parent / "proof"
    subprocess.run([program, "-q", "--no-binary", *options, cnf, path], stdout=subprocess.DEVNULL, check=False)
    return path.read_bytes()


def cpu(program: str, *files: Path) -> float:
    """Return the CPU time of a program."""
    before = children_cpu()
    subprocess.run([program, *files], stdout=subprocess.DEVNULL, check=True)
    return children_cpu() - before


def timed(axioms: Flat, text: bytes) -> float:
    """Return the CPU time in which we accept a proof."""
    begin = process_time()
    fault = refutation_fault(axioms, int(np.abs(axioms).max()), read_proof(text))
    assert fault == "", fault
    return process_time() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cadical", required=True, metavar="PATH")
    parser.add_argument("--lrat-check", metavar="PATH")
    parser.add_argument("--small", action="store_true", help="the three smallest formulas only")
    add_option(parser)
    args = parser.parse_args()
    trivial = flatten([[1], [-1]])
    timed(trivial, b"3 0 1 2 0\n")  # compiles
    timed(trivial, b"d 1 2 0\n0\n")
    report(figures(args.cadical, args.lrat_check, args.small), args.json)


def figures(cadical: str, lrat_check: str | None, small: bool) -> Iterator[Figure]:
    """Yield the times of all checkers on all formulas."""
    with tempfile.TemporaryDirectory() as folder:
        cnf = Path(folder, "cnf")
        for name, clauses in islice(formulas(), 3 if small else None):
            axioms = flatten(clauses)
            lines = "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
            cnf.write_text(f"p cnf {np.abs(axioms).max()} {len(clauses)}\n{lines}")
            drat, lrat = proof(cadical, cnf), proof(cadical, cnf, "--lrat")
            ours, backward = timed(axioms, lrat), timed(axioms, drat)
            count, size = lrat.count(b"\n"), len(lrat) / 1e6
            made = partial(Figure, name, "")
            yield from (made("LRAT lines", count), made("LRAT", size, "MB"), made("LRAT, CPU time", ours, "s"))
            yield from (made("per line", 1e6 * ours / count, "us"), made("LRAT speed", size / ours, "MB/s"))
            if lrat_check:
                yield made("lrat-check", cpu(lrat_check, cnf, cnf.parent / "proof"), "s")
            yield from (made("DRAT", len(drat) / 1e6, "MB"), made("DRAT, CPU time", backward, "s"))
            yield made("DRAT / LRAT", backward / ours)


if __name__ == "__main__":
    main()
