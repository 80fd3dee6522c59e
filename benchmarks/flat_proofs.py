"""Check Pumpkin's proofs in DRCP, right ones and wrong ones, as the checking process of a run does.

    python benchmarks/flat_proofs.py [--count N] [--false N] [--shipped] [--seed N]

N random problems of all kinds of constraint (300): a proof must be certified, of the instance or of the formula. Then N
proofs (2,000) of false claims, each changed in up to three ways: that a solution is not there, that a worse one is the
best, or that the proof holds without the last constraint. The script fails if one is certified. With --shipped also the
shipped instances of `csp` and `cop` that Pumpkin decides within five seconds.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from figures import Figure, add_option, report

from backends.flat.kinds import TO_POSTS
from encoders.formula import Unsupported
from harness.judging.checkers.flat.drcp import check
from harness.model.outcome import CERTIFIED
from puzzles.corpora import find
from puzzles.formats import read
from puzzles.generating.problems import OBJECTIVES, random_problem
from puzzles.problem import Instance, Problem
from puzzles.problem.values import Solution

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # before a package `tests` of another

from tests.judging.drcp import changed, claimed, every, proved

WORDS = ("refused", "certified", "unchecked")
ALL = 10_000  # solutions
SECONDS = 5.0


def right(instance: Instance[Problem], seen: Counter[str], seconds: float) -> bytes | None:
    """Check the proof of an instance; return it."""
    count = ALL if instance.problem.objective is None else 1
    try:
        answer = proved(instance, count, seconds)
        if answer.proof is None:
            seen["no proof"] += 1
            return None
        claim, derived = claimed(instance, answer.solutions)
    except Unsupported:
        seen["unsupported"] += 1
        return None
    outcome, why = check(claim, answer.proof)
    seen[f"{WORDS[outcome]} of the {'instance' if derived else 'formula'}"] += 1
    if outcome != CERTIFIED:
        print(f"{instance.name}: {why}", file=sys.stderr)
    return answer.proof


def wrong(instance: Instance[Problem], proof: bytes, random: Random, seen: Counter[str]) -> None:
    """Check a changed proof for a claim about an instance that is false."""
    problem, solutions = instance.problem, every(instance)
    best = problem.objective is not None
    if random.random() < 0.5 or not solutions:  # without the last constraint
        less = Instance("less", replace(problem, constraints=problem.constraints[:-1]), instance.domains)
        others = every(less)
        if len(others) == len(solutions) or (best and solutions and others[0] == solutions[0]):
            return
        instance, claim = less, solutions[:1] if best else solutions
        if best and solutions and same_value(problem, others[0], solutions[0]):
            return
    elif best:
        claim = random.choice([[], [random.choice(solutions)]])
        if claim and same_value(problem, claim[0], solutions[0]):
            return
    else:
        claim = random.sample(solutions, len(solutions) - 1)
    try:
        found, _ = claimed(instance, claim)
    except Unsupported:
        return
    text = changed(proof, random)
    outcome, _ = check(found, text)
    assert outcome != CERTIFIED, (instance, claim, text)
    seen[WORDS[outcome]] += 1


def same_value(problem: Problem, one: Solution, other: Solution) -> bool:
    import numpy as np

    assert problem.objective is not None
    values = problem.objective.values(np.array([one, other], np.uint32), problem)
    return bool(values[0] == values[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, metavar="N")
    parser.add_argument("--false", type=int, default=2000, metavar="N")
    parser.add_argument("--shipped", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    args = parser.parse_args()
    random, seen = Random(args.seed), {name: Counter[str]() for name in ("right", "false", "csp", "cop")}
    proofs = list[tuple[Instance[Problem], bytes]]()
    begin = time.process_time()
    for _ in range(args.count):
        kinds = random.sample(sorted(TO_POSTS), random.randint(1, 3))
        instance = random_problem(kinds, random, random.choice(["", "", *OBJECTIVES]))
        if (proof := right(instance, seen["right"], 4 * SECONDS)) is not None:
            proofs.append((instance, proof))
    while seen["false"].total() < args.false:
        wrong(*random.choice(proofs), random, seen["false"])
    for corpus in ("csp", "cop") if args.shipped else ():
        for instance in read(find(corpus)):
            right(instance, seen[corpus], SECONDS)
    figures = [Figure(case, kind, "proofs", n) for case, found in seen.items() for kind, n in found.most_common()]
    report([*figures, Figure("all", "CPU", "time", time.process_time() - begin, "s")], args.json)


if __name__ == "__main__":
    main()
