"""Check random proofs over all rules of VeriPB 3.0, most about false claims, of which none may be certified.

    python benchmarks/pseudo_boolean_rules.py [--count N] [--mutated N] [--first SEED] [--variables N]

N proofs (10,000) about programmes of at most 6 variables (--variables), whose truth all assignments tell. A checker
leaves out the statements that it refuses, so what is left runs to its end, and then the other one checks that. Then
both check N mutants (3) of it, each with one to three changes. Prints how often each outcome was seen, each proof on
which the two disagree, of mutants where one certifies, and fails if a false claim is certified.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from harness.judging.checkers.pseudo_boolean.check import check, check_exactly
from harness.model.outcome import CERTIFIED, REFUSED, UNCHECKED
from tests.judging.rules import Writer, made, surviving, text

NAMES = {CERTIFIED: "certified", REFUSED: "refused", UNCHECKED: "unchecked"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--mutated", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--variables", type=int, default=6)
    options = parser.parse_args()
    seen, rules, wrong = Counter[tuple[str, str, str]](), Counter[str](), 0
    for seed in range(options.first, options.first + options.count):
        random = Random(seed)
        claim = made(random, options.variables)
        writer = Writer(claim.programme, random)
        first, second = (check, check_exactly) if seed % 2 else (check_exactly, check)
        *_, left = surviving(first, claim.programme, writer.proof(random.randint(5, 40)))
        rules.update(words[words[0].startswith("@")] for words in map(str.split, left[:-3]))
        for lines in (left, *(writer.mutated(left) for _ in range(options.mutated))):
            outcome, why = first(claim.programme, text(lines))
            other, reason = second(claim.programme, text(lines))
            drawn = ("true" if claim.right else "false") + (" claim" if lines is left else " claim, mutated")
            seen[drawn, NAMES[outcome], NAMES[other]] += 1
            if outcome != other and (lines is left or CERTIFIED in (outcome, other)):
                print(f"seed {seed}: {NAMES[outcome]} {why}, but {NAMES[other]} {reason}\n{text(lines).decode()}")
            if not claim.right and CERTIFIED in (outcome, other):
                print(f"seed {seed}: WRONG\n{claim.programme}\n{text(lines).decode()}")
                wrong += 1
    for kind, count in sorted(seen.items()):
        print(f"{count:8,}  {', '.join(kind)}")
    print(", ".join(f"{rule} {count:,}" for rule, count in rules.most_common()))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
