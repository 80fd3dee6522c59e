"""Check pseudo-Boolean proofs by Exact, right ones and wrong ones, as the checking process of a run does.

    python benchmarks/pseudo_boolean_proofs.py [--count N] [--tampered N] [--altered N] [--shipped] [--growth SECONDS]
        [--seed N]

N random programmes of up to eight Booleans (1,000), a tenth with coefficients beyond 62 bits, a tenth without an
objective: Exact's proof must be certified with the value that trying all assignments gives. Then N proofs (10,000),
each changed in one to three ways, of a wrong claim: that a worse solution is the best, or that there is none. Their
own solutions are replaced by the worse one, so that these do not betray the claim. Then N programmes (100) with one
number or row changed: Exact's proof of the changed one is checked for the original, whose best value is another. The
script fails if a wrong claim is certified. With --shipped also the shipped OPB and WCNF instances that Exact decides
within five seconds, as they are read from their files. With --growth also the CPU time to check the first quarter, the
half and the whole of what Exact writes in so many seconds about 110 rows of four variables over 70.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from figures import Figure, add_option, report

from backends.contract import registry
from backends.contract.answer import Ask
from encoders.formula import Constraints
from encoders.registry import spec
from harness.judging.checkers.pseudo_boolean.check import check
from harness.judging.formulas.programmes import ReceivedAs, received
from harness.model.outcome import CERTIFIED
from puzzles.corpora import find
from puzzles.formats import read

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # before a package `tests` of another

from tests.judging.sums import Drawn, Solution, changed, drawn, tampered, with_solution

WORDS = ("refused", "certified", "unchecked")
SHIPPED = ("opb", "opb-opt", "wcnf")
SECONDS = 5.0
Claim = tuple[Drawn, dict[Solution, int], bytes]


def proof_of(made: Drawn, seconds: float = 0.0) -> bytes:
    """Return Exact's proof that its last solution is the best, or that there is none; empty if one was wanted alone.

    With `seconds` Exact may be stopped before its proof is complete.
    """
    from exact import Exact

    with tempfile.TemporaryDirectory() as folder:
        prefix = str(Path(folder, "p"))
        solver = Exact([("proof-log", prefix), ("proof-assumptions", "0"), ("verbosity", "0")])
        names = [f"x{x}" for x in range(1, made.variables + 1)]
        for name in names:
            solver.addVariable(name)
        if made.goal is not None:
            solver.setObjective([(a, names[x - 1]) for a, x in made.goal])
        for terms, bound in made.rows:
            solver.addConstraint([(a, names[x - 1]) for a, x in terms], True, bound)
        end = time.monotonic() + seconds if seconds else float("inf")
        while (state := solver.runOnce(SECONDS)) not in ("UNSAT", "INCONSISTENT") and time.monotonic() < end:
            if state == "SAT" and made.goal is None:
                return b""
            if state == "SAT":
                solver.boundObjByLastSol()
        del solver  # which ends the file
        return Path(f"{prefix}.proof").read_bytes()


def best(values: dict[Solution, int]) -> int | None:
    return min(values.values(), default=None)


def right(random: Random, seen: Counter[str]) -> Claim | None:
    """Check a proof of a random programme, which must be certified; return it."""
    made = drawn(random)
    values, text = made.values(), proof_of(made)
    if not text:
        return None
    outcome, why = check(made.programme(best(values)), text)
    assert outcome == CERTIFIED, (made, why)
    seen["certified"] += 1
    return made, values, text


def wrong(claim: Claim, random: Random, seen: Counter[str]) -> None:
    """Check a tampered proof of a claim that is wrong."""
    made, values, text = claim
    worse = [solution for solution in values if values[solution] > min(values.values())]
    value = None
    if worse and made.goal is not None:
        solution = random.choice(worse)
        value, text = values[solution], with_solution(text, solution)
    seen[outcome_of(made, value, tampered(text, made.variables, random))] += 1


def outcome_of(made: Drawn, value: int | None, proof: bytes) -> str:
    """Return the outcome of a check of a claim that is wrong."""
    outcome, _ = check(made.programme(value), proof)
    assert outcome != CERTIFIED, (made, value, proof)
    return WORDS[outcome]


def altered(made: Drawn, values: dict[Solution, int], random: Random, seen: Counter[str]) -> bool:
    """Check the proof of a changed programme for the original; return False if both have the same best value."""
    other = changed(made, random)
    others = other.values()
    value, text = best(others), proof_of(other)
    if not text or value == best(values) or (value is not None and value not in values.values()):
        return False
    seen[outcome_of(made, value, text)] += 1
    return True


def shipped(seen: Counter[str], notify: Callable[[str], object]) -> None:
    """Check proofs of the shipped instances, with the programme that the judge makes of each."""
    backend = registry.find("exact")
    for corpus in SHIPPED:
        for instance in read(find(corpus)):
            problem, domains = instance.problem, instance.domains
            formula = spec("alldifferent").formula(problem, domains)
            assert isinstance(formula, Constraints)
            answer = backend.open(formula).ask(Ask(domains, seconds=SECONDS, proof=True))
            if answer.proof is None:
                seen["not decided"] += 1
                continue
            found = received(problem, domains, formula, answer.solutions, ReceivedAs.ROWS)
            outcome, why = check(found.programme, answer.proof)
            seen[f"{WORDS[outcome]}{'' if found.derived else ', of the formula'}"] += 1
            if outcome != CERTIFIED:
                notify(f"{instance.name}: {why}")


def covering(random: Random) -> Drawn:
    """Return rows of four of 70 variables, of which coefficients about half must be true, and a sum to minimise."""
    rows = []
    for _ in range(110):
        terms = [(random.randint(1, 3), x) for x in random.sample(range(1, 71), 4)]
        rows.append((terms, sum(a for a, _ in terms) // 2))
    return Drawn(70, rows, [(random.randint(1, 30), x) for x in range(1, 71)])


def growth(seconds: float, random: Random) -> Iterator[Figure]:
    """Yield the CPU time to check parts of a long proof, from its first line on."""
    made = covering(random)
    lines = proof_of(made, seconds).split(b"\n")
    best = min(cost(made, line) for line in lines if line.startswith(b"soli"))
    programme = made.programme(best)
    check(programme, b"\n".join(lines[:50]))  # compile the loops
    for part in (4, 2, 1):
        kept = lines[: len(lines) // part]
        begin = time.process_time()
        check(programme, b"\n".join(kept) + b"\n")
        yield Figure(f"{len(kept):,} steps", "CPU", "time", time.process_time() - begin, "s")


def cost(made: Drawn, line: bytes) -> int:
    """Return the value of a solution that a proof states."""
    assert made.goal is not None
    true = set(line.split()[1:])
    return sum(a for a, x in made.goal if f"x{x}".encode() in true)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000, metavar="N")
    parser.add_argument("--tampered", type=int, default=10_000, metavar="N")
    parser.add_argument("--altered", type=int, default=100, metavar="N")
    parser.add_argument("--shipped", action="store_true")
    parser.add_argument("--growth", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    args = parser.parse_args()
    random, seen = Random(args.seed), {name: Counter[str]() for name in ("right", "tampered", "altered", "shipped")}
    claims: list[Claim] = []
    begin = time.process_time()
    while seen["right"].total() < args.count:
        claim = right(random, seen["right"])
        if claim is not None and claim[1]:  # with a solution, so that a wrong claim can be made
            claims.append(claim)
    while seen["tampered"].total() < args.tampered:
        wrong(random.choice(claims), random, seen["tampered"])
    while seen["altered"].total() < args.altered:
        made, values, _ = random.choice(claims)
        altered(made, values, random, seen["altered"])
    if args.shipped:
        shipped(seen["shipped"], lambda text: print(text, file=sys.stderr))
    figures = [Figure(case, kind, "proofs", n) for case, found in seen.items() for kind, n in found.most_common()]
    figures += growth(args.growth, random) if args.growth else ()
    report([*figures, Figure("all", "CPU", "time", time.process_time() - begin, "s")], args.json)


if __name__ == "__main__":
    main()
