"""Check mutated proofs in the checking process of a run: none may end it, and the parent's memory stays flat.

    python benchmarks/proof_mutations.py [--count N] [--cadical PATH] [--binary]

N proofs (10,000) that 9x9 boards have no solution, by CaDiCaL and Glucose, each changed in one to three ways: bytes
flipped, deleted or put in, lines deleted, doubled or moved, the end cut off, other and huge numbers. With a cadical
program that has the option --lrat they are its LRAT proofs. With --binary they are in binary form before they are
changed, and a line is what is between two bytes of value 10. Every other one is checked as the proof of a board that
has a solution, which must never be certified. Prints how often each outcome was seen.
"""

import argparse
import resource
import select
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
from figures import Figure, add_option, report

from backends.contract import registry
from backends.contract.answer import Ask, Status
from encoders.formula import Cnf
from encoders.registry import spec
from harness.judging.formulas.link import received_text
from harness.judging.proof_checker import ProofChecker
from harness.model.contender import resolve
from harness.model.outcome import CERTIFIED, ROW, UNCHECKED, Batch, Outcomes
from harness.model.settings import RunSettings
from harness.running.environment import temporary_folder
from harness.running.reaper import Reaper
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.problem.columns import pack
from puzzles.problem.values import Domains

sys.path.append(str(Path(__file__).resolve().parent.parent))

from tests.judging.binary import binary

NUMBERS = (b"-9223372036854775808", b"9223372036854775807", b"2147483648", b"-2147483647", b"1" * 40, b"-0", b"0")


def mutated(proof: bytes, random: Random) -> bytes:
    """Return the proof with one to three changes."""
    for _ in range(random.randint(1, 3)):
        lines = proof.split(b"\n")
        i = random.randrange(len(lines))
        kind = random.randrange(8)
        if kind == 0:
            del lines[i]
        elif kind == 1:
            lines.insert(random.randrange(len(lines)), lines[i])
        elif kind == 2:
            lines.insert(random.randrange(len(lines)), lines.pop(i))
        elif kind == 3:
            words = lines[i].split() or [b"0"]
            words[random.randrange(len(words))] = random.choice((*NUMBERS, b"%d" % random.randint(-13000, 13000)))
            lines[i] = b" ".join(words)
        elif kind == 4:
            lines[i] = random.randbytes(random.randint(1, 40))
        proof = b"\n".join(lines)
        at = random.randrange(len(proof) + 1)
        if kind == 5:
            proof = proof[:at]
        elif kind == 6:
            proof = proof[:at] + bytes([random.randrange(256)]) + proof[at + 1 :]
        elif kind == 7:
            proof = proof[:at] + random.choice((b"-", b" ", b"d ", b"\n", b"0", b"\0")) + proof[at:]
    return proof


def lrat(program: str, formula: Cnf, domains: Domains) -> bytes:
    """Return the LRAT proof of a cadical program."""
    with tempfile.TemporaryDirectory() as folder:
        cnf, proof = Path(folder, "cnf"), Path(folder, "proof")
        cnf.write_bytes(received_text(domains, formula, ()))
        subprocess.run([program, "-q", "--no-binary", "--lrat", cnf, proof], stdout=subprocess.DEVNULL, check=False)
        return proof.read_bytes()


def drat(formula: Cnf, domains: Domains, solver: str) -> bytes:
    """Return the DRAT proof of a solver."""
    return registry.find(f"pysat:{solver}").open(formula).ask(Ask(domains, proof=True)).proof or b""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, metavar="N")
    parser.add_argument("--cadical", metavar="PATH")
    parser.add_argument("--binary", action="store_true")
    add_option(parser)
    args = parser.parse_args()
    count, instances = args.count, list(read(find("unsolvable")))[-8:]
    solvable = next(iter(read(find("hardest")))).domains
    problem, random = instances[0].problem, Random(1)
    formula = spec("extended").formula(problem)
    assert isinstance(formula, Cnf)
    proofs = [
        lrat(args.cadical, formula, i.domains)
        if args.cadical
        else drat(formula, i.domains, ("cadical195", "glucose3")[k])
        for i in instances
        for k in range(2)
    ]
    proofs = list(map(binary, proofs)) if args.binary else proofs
    contenders, _ = resolve(["pysat:cadical195/extended"], proof=True)
    reaper, seen = Reaper(temporary_folder()), Counter[str]()
    checker = ProofChecker(contenders, RunSettings(), None, reaper, None)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(0, count, len(proofs)):
            n = len(proofs)
            rows = np.zeros(n, ROW)
            rows["status"], rows["complete"] = Status.UNSATISFIABLE, 1
            domains = pack(problem, [d for i in instances for d in (i.domains, solvable)])
            batch = Batch(0, 0, problem, np.arange(1, n + 1), domains, n)
            files = {i: Path(folder, str(i)) for i in range(n)}
            for i, path in files.items():
                path.write_bytes(mutated(proofs[i], random))
            lease = [Outcomes(batch, rows, np.empty((0, len(problem.variables)), np.uint16), {}, files)]
            checker.begin(lease)
            while not checker.advance():
                poll = select.poll()
                poll.register(checker.open_fds()[0], select.POLLIN)
                poll.poll(100)
            proved = lease[0].proved
            assert proved is not None
            for i, outcome in enumerate(proved.tolist()):
                kind = ("refused", "certified", "unchecked")[outcome]
                assert i % 2 == 0 or outcome != CERTIFIED, "a wrong certificate"
                seen[kind if outcome != UNCHECKED else f"unchecked: {lease[0].details[i]}"] += 1
    checker.close()
    reaper.close()
    peak = Figure("", "parent", "peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MiB")
    report([*(Figure("", kind, "proofs", n) for kind, n in seen.most_common()), peak], args.json)


if __name__ == "__main__":
    main()
