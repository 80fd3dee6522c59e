"""Check the proofs of every proof-writing solver, on puzzles without a solution and with one.

    python benchmarks/proofs.py [--count N] [--encoding ENCODING]

For N puzzles of each kind (200), two solutions are asked for, with a proof that there are no others. The proof is
checked as it is and with one line altered, the altered one also by dratify if it is installed. Puzzles without a
solution are unique ones with a changed given.
"""

import argparse
from collections import Counter
from functools import partial
from random import Random
from statistics import mean
from time import perf_counter

from figures import Figure, add_option, report

from backends.contract import registry
from backends.contract.answer import Ask, Backend
from encoders.formula import Cnf
from encoders.registry import spec
from harness.judging.formulas.link import proof_axioms
from harness.judging.proof import link_fault, solver_fault
from puzzles.boards.layout import Layout
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.problem.values import Domains, Solution

try:
    import dratify
except ModuleNotFoundError:
    dratify = None


def unique() -> list[Domains]:
    return [p.domains for name in ("easy", "minimal", "hardest") for p in read(find(name))]


def unsolvable(random: Random, count: int, solver: Backend, formula: Cnf) -> list[Domains]:
    """Return unique puzzles with a given changed so that no solution is left."""
    found: list[Domains] = []
    session = solver.open(formula)
    while len(found) < count:
        domains = list(random.choice(unique()))
        s = random.choice([s for s, mask in enumerate(domains) if mask.bit_count() == 1])
        domains[s] = 1 << random.randrange(9)
        if session.ask(Ask(tuple(domains))).complete:
            found.append(tuple(domains))
    return found


def altered(proof: bytes, random: Random) -> bytes:
    """Return the proof with one literal of one line negated."""
    lines = proof.splitlines()
    places = [n for n, line in enumerate(lines) if line[:1] not in b"d0" and line.strip()]
    if not places:
        return proof
    n = random.choice(places)
    clause = [int(x) for x in lines[n].split()[:-1]]
    clause[random.randrange(len(clause))] *= -1
    lines[n] = b" ".join(b"%d" % x for x in [*clause, 0])
    return b"\n".join(lines)


def accepted_by_dratify(
    layout: Layout, domains: Domains, formula: Cnf, solutions: tuple[Solution, ...], proof: bytes
) -> bool:
    """Return True if dratify, which shares no code with our checker, accepts the proof.

    The axioms are the same. It needs an explicit empty clause, which ergo and maplecm may leave to propagation, so one
    is appended.
    """
    axioms = proof_axioms(layout, domains, formula, solutions)
    text = f"p cnf {formula.variables} {(axioms == 0).sum()}\n" + " ".join(map(str, axioms)).replace(" 0", " 0\n")
    cnf = dratify.parse_dimacs(text)
    return bool(dratify.check_proof(cnf, proof.decode() + "\n0\n", check_rat=False, apply_deletions=False).ok)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--encoding", default="extended")
    add_option(parser)
    args = parser.parse_args()
    layout, random = next(iter(read(find("hardest")))).problem, Random(5)
    chosen = spec(args.encoding)
    plain = spec("extended").formula(layout)
    solvers = registry.variants("pysat")
    assert isinstance(plain, Cnf)
    assert not isinstance(solvers, registry.Missing)
    kinds = {"unsatisfiable": unsolvable(random, args.count, solvers[0], plain), "unique": unique()[-args.count :]}
    template = chosen.formula(layout)
    figures, why = list[Figure](), Counter[str]()
    for backend in solvers:
        if "proof" not in backend.can:
            continue
        made = partial(Figure, "", backend.name)
        times, tried, refused, both = [], 0, 0, 0
        for title, boards in kinds.items():
            certified = 0
            for domains in boards:
                formula = chosen.formula(layout, domains) if chosen.encoding.per_puzzle else template
                assert isinstance(formula, Cnf)
                session = backend.open(formula)
                answer = session.ask(Ask(domains, 2, seconds=60, proof=True))
                session.close()
                start = perf_counter()
                proof = answer.proof or b""
                fault = link_fault(layout, domains, formula)
                fault = fault or solver_fault(layout, domains, formula, answer.solutions, proof)
                times.append(1e3 * (perf_counter() - start))
                certified += fault == "" and answer.complete
                if fault:
                    why[f"{backend.name}: {fault.split(' (')[0].rstrip('0123456789 ')}"] += 1
                    continue
                changed = altered(proof, random)
                if changed != proof:
                    tried += 1
                    bad = solver_fault(layout, domains, formula, answer.solutions, changed) != ""
                    refused += bad
                    if dratify and args.encoding == "extended":
                        accepted = accepted_by_dratify(layout, domains, formula, answer.solutions, changed)
                        both += not (bad and accepted)
            figures += [made(f"{title}: boards", len(boards)), made(f"{title}: certified", certified)]
        figures += [made("altered", tried), made("altered refused", refused), made("check, mean", mean(times), "ms")]
        figures += [made("no refused one that dratify accepts", both)] if dratify else []
    report(figures, args.json)
    print("Altered proofs pass where the altered line still follows, is not needed, or comes after the contradiction.")
    for fault, times_seen in why.most_common(8):
        print(f"{times_seen} x {fault}")


if __name__ == "__main__":
    main()
