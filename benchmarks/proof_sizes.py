"""Compare our checkers with others on proofs of 1 MB to 1 GB: CPU time and memory.

    python benchmarks/proof_sizes.py --drat-trim PATH [--lrat-trim PATH] [--veripb PATH] [--most MB] [--only FORMAT ...]

The programs are built from their public sources; VeriPB is that of 2022. A proof of 3-SAT by cadical, with hints of
drat-trim, is repeated: copy k has variables and a selector of its own, which is in each of its clauses, and a last
clause contradicts all selectors. So each step of a proof is needed, and its work grows with its size. Figures are of
one process for each check, which reads the formula too; our loops are compiled before. `times`: our CPU time by that of
the other checker. Our memory has the pages of the proof's file, which the kernel may take back, and each process that
of the one that starts it. --most ends the sizes, of 1, 10, 100 and 1,000 MB (100).
"""

import argparse
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from figures import Figure, add_option, report
from proof_speed import Clauses, random_3sat, solved

from harness.judging.checkers.compiling import compile_if_possible
from harness.judging.checkers.formats import read_proof
from harness.judging.checkers.proof_text import text_of
from harness.judging.checkers.pseudo_boolean.check import check
from harness.judging.checkers.pseudo_boolean.programme import SumProgramme, clause_row
from harness.judging.proof import refutation_fault
from harness.model.outcome import CERTIFIED
from puzzles.constraints.clauses import clauses_of, split_clauses
from puzzles.formats import read

VARIABLES, SEED, MB = 200, 2, 1_000_000
LITERAL, NUMBER, TERM, ZERO, END, DELETE, RUP, ROW, DELETE_ROW = range(9)
WORDS = ("", "", "", "0 ", "0\n", "d ", "rup ", ">= 1 ;\n", "del id ")
Words = npt.NDArray[np.int64]  # [., 2]: value and kind


class Base(NamedTuple):
    """Formula with its numbers of variables and clauses, and its proof in each format, as words."""

    clauses: Clauses
    drat: Words
    lrat: Words
    rows: Words
    steps: int


@compile_if_possible
def digits(text: npt.NDArray[np.uint8], at: int, value: int) -> int:
    """Write a number and a blank; return the position after them."""
    size, rest = 1, value
    while rest >= 10:
        rest //= 10
        size += 1
    for i in range(size - 1, -1, -1):
        text[at + i] = 48 + value % 10
        value //= 10
    text[at + size] = 32
    return at + size + 1


@compile_if_possible
def emit(words: Words, kinds: npt.NDArray[np.uint8], k: int, shape: Words, text: npt.NDArray[np.uint8]) -> int:
    """Write the words of copy k; return their size. `shape`: variables, clauses and steps of a copy, and copies."""
    variables, clauses, steps, copies = shape
    at = 0
    for value, kind in words:
        if kind in (LITERAL, TERM):
            if kind == TERM:
                text[at], text[at + 1] = 49, 32
                at += 2
            if value < 0:
                text[at] = 126 if kind == TERM else 45
                at += 1
            if kind == TERM:
                text[at] = 120
                at += 1
            at = digits(text, at, abs(value) + k * (variables + 1))
        elif kind == NUMBER:
            after = value > clauses
            at = digits(text, at, value + (clauses * copies + 1 - clauses + k * steps if after else k * clauses))
        else:
            for i in range(kinds[kind, 0]):
                text[at] = kinds[kind, i + 1]
                at += 1
    return at


def words_of(pairs: list[tuple[int, int]]) -> Words:
    return np.array(pairs, np.int64).reshape(-1, 2)


def base(drat_trim: str, folder: Path) -> Base:
    """Return a formula with a selector and its proofs."""
    clauses, selector = random_3sat(VARIABLES, SEED), VARIABLES + 1
    proof = solved(clauses, "cadical195")
    cnf, drat, lrat = (folder / name for name in ("base.cnf", "base.drat", "base.lrat"))
    write_cnf(cnf, clauses, VARIABLES)
    drat.write_bytes(proof + b"\n")
    subprocess.run([drat_trim, cnf, drat, "-L", lrat], stdout=subprocess.DEVNULL, check=True)
    own, hinted, rows = list[tuple[int, int]](), list[tuple[int, int]](), list[tuple[int, int]]()
    for line in proof.decode().splitlines():
        words = line.split()
        deletes = words[0] == "d"
        literals = [*map(int, words[deletes:-1]), selector]
        own += [(0, DELETE)] * deletes + [(x, LITERAL) for x in literals] + [(0, END)]
    names = dict[int, int]()
    for line in lrat.read_text().splitlines():
        name, *words = line.split()
        if words[0] == "d":
            numbers = [(names.get(int(x), int(x)), NUMBER) for x in words[1:-1]]
            if names:  # before the first step lrat-trim wants the number of another copy's
                hinted += [(len(names) + len(clauses), NUMBER), (0, DELETE), *numbers, (0, END)]
            rows += [(0, DELETE_ROW), *numbers, (0, END)]
        else:
            end = words.index("0")
            literals = [*map(int, words[:end]), selector]
            names[int(name)] = len(clauses) + len(names) + 1
            numbers = [(names.get(int(x), int(x)), NUMBER) for x in words[end + 1 : -1]]
            hinted += [(names[int(name)], NUMBER), *((x, LITERAL) for x in literals), (0, ZERO), *numbers, (0, END)]
            rows += [(0, RUP), *((x, TERM) for x in literals), (0, ROW)]
    guarded = [[*clause, selector] for clause in clauses]
    return Base(guarded, words_of(own), words_of(hinted), words_of(rows), len(names))


def write_cnf(path: Path, clauses: Clauses, variables: int) -> None:
    lines = "".join(" ".join(map(str, (*clause, 0))) + "\n" for clause in clauses)
    path.write_text(f"p cnf {variables} {len(clauses)}\n{lines}")


def repeated(made: Base, form: str, size: int, folder: Path) -> tuple[Path, Path]:
    """Write a formula of copies, and its proof of about a size; return the files."""
    words = {"LRAT": made.lrat, "DRAT": made.drat, "rows": made.rows}[form]
    kinds = np.array([[len(word), *word.encode().ljust(8)] for word in WORDS], np.uint8)
    text = np.zeros(24 * len(words) + 64, np.uint8)
    shape = np.array([VARIABLES, len(made.clauses), made.steps, 1], np.int64)
    middle = size // emit(words, kinds, 0, shape, text) // 2  # whose numbers are as long as most
    copies = max(1, size // emit(words, kinds, middle, shape, text))
    shape[3] = copies
    step, selectors = VARIABLES + 1, [(k + 1) * (VARIABLES + 1) for k in range(copies)]
    copied = ([x + k * step * (1 if x > 0 else -1) for x in c] for k in range(copies) for c in made.clauses)
    cnf, proof = folder / "copies.cnf", folder / "copies.proof"
    write_cnf(cnf, [*copied, [-x for x in selectors]], copies * step)
    clauses = copies * len(made.clauses) + 1
    with proof.open("wb") as file:
        file.write(f"pseudo-Boolean proof version 1.2\nf {clauses}\n".encode() if form == "rows" else b"")
        for k in range(copies):
            file.write(text[: emit(words, kinds, k, shape, text)].tobytes())
        units = " ".join(str(clauses + (k + 1) * made.steps) for k in range(copies))
        last = {"LRAT": f"{clauses + copies * made.steps + 1} 0 {units} {clauses} 0\n", "DRAT": "0\n"}
        file.write(last.get(form, "rup >= 1 ;\nc -1\n").encode())
    return cnf, proof


def ours(form: str, cnf: Path, proof: Path) -> bool:
    """Return True if we accept a proof."""
    (instance,) = read(cnf)
    flat, variables = clauses_of(instance.problem), len(instance.problem.variables)
    assert flat is not None
    if form == "rows":
        rows = tuple(map(clause_row, split_clauses(flat)))
        return check(SumProgramme(variables, rows), text_of(proof))[0] == CERTIFIED
    return refutation_fault(flat.astype(np.int64), variables, read_proof(text_of(proof))) == ""


class Used(NamedTuple):
    """CPU seconds of a process, and the most memory that it took, in MB."""

    seconds: float
    memory: float

    @classmethod
    def by(cls, pid: int) -> "Used":
        """Wait for a process."""
        _, _, usage = os.wait4(pid, 0)
        return cls(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / MB)


def by_us(form: str, cnf: Path, proof: Path) -> Used:
    """Check a proof in a process of its own, which must accept it."""
    pid, accepted = os.fork(), cnf.with_suffix(".accepted")
    if pid == 0:
        if ours(form, cnf, proof):
            accepted.touch()
        os._exit(0)
    found = Used.by(pid)
    accepted.unlink()
    return found


def by_peer(words: list[str | Path], folder: Path) -> Used:
    """Let a program check a proof, which it must verify."""
    with (folder / "said").open("w") as said:
        found = Used.by(subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT).pid)
    text = (folder / "said").read_text()
    assert re.search(r"^(s VERIFIED|.*Verification succeeded)", text, re.MULTILINE), text[-2000:]
    return found


def figures(made: Base, args: argparse.Namespace, folder: Path) -> Iterator[Figure]:
    """Yield what each size takes."""
    peers = {
        "LRAT": [args.lrat_trim] if args.lrat_trim else [],
        "DRAT": [args.drat_trim, "-t", "20000"],
        "rows": [args.veripb, "--cnf"] if args.veripb else [],
    }
    for size in (size for size in (1, 10, 100, 1000) if size <= args.most):
        for form in args.only:
            cnf, proof = repeated(made, form, size * MB, folder)
            mine = by_us(form, cnf, proof)
            case, name = f"{form}, {size:,} MB", Path(str(peers[form][0])).name if peers[form] else ""
            yield Figure(case, "", "size", proof.stat().st_size / MB, "MB")
            yield Figure(case, "", "ours", mine.seconds, "s")
            yield Figure(case, "", "our memory", mine.memory, "MB")
            if name:
                program, *options = peers[form]
                words = [program, *options, cnf, proof] if form == "rows" else [program, cnf, proof, *options]
                theirs = by_peer(words, folder)
                yield Figure(case, "", name, theirs.seconds, "s")
                yield Figure(case, "", "its memory", theirs.memory, "MB")
                yield Figure(case, "", "times", mine.seconds / theirs.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--drat-trim", required=True, metavar="PATH")
    parser.add_argument("--lrat-trim", metavar="PATH")
    parser.add_argument("--veripb", metavar="PATH")
    parser.add_argument("--most", type=int, default=100, metavar="MB")
    parser.add_argument("--only", nargs="*", default=["LRAT", "DRAT", "rows"], metavar="FORMAT")
    add_option(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        made = base(args.drat_trim, Path(name))
        for form in args.only:
            assert ours(form, *repeated(made, form, 0, Path(name)))  # compiles
        report(figures(made, args, Path(name)), args.json)


if __name__ == "__main__":
    main()
