"""Random problems over ranges far from 0, each answered by every backend that takes it, against brute force.

    python benchmarks/ranges.py [--more N] PROBLEMS [SEED] [BACKEND ...]

With `--more`, domains have N numbers more at both ends, which a row excludes.

It prints, for each backend, how many problems it decided, refused, and gave up, and every wrong answer with its seed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.far_ranges import answered, drawn, right, widened

BACKENDS = ("cpsat", "z3:int", "z3:bv", "cvc5:int", "cvc5:bv", "choco", "pumpkin", "toulbar2", "cpmpy:ortools")


def outcomes(first: int, problems: int, backends: tuple[str, ...], more: int) -> Iterator[tuple[str, str, int]]:
    """Yield backend, word and seed of each answer."""
    for seed in range(first, first + problems):
        drawn_one = drawn(seed)
        known, instance = right(drawn_one, more), widened(drawn_one, more)
        for backend in backends:
            try:
                word = answered(backend, instance, known)
            except Exception as e:  # a fault of the backend is what is sought
                word = f"WRONG: {type(e).__name__}: {e}"
            yield backend, word, seed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--more", type=int, default=0)
    parser.add_argument("problems", type=int)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("backends", nargs="*")
    given = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for backend, word, seed in outcomes(given.first, given.problems, tuple(given.backends) or BACKENDS, given.more):
        counts.setdefault(backend, Counter())[word.partition(":")[0]] += 1
        if word.startswith("WRONG"):
            print(f"{backend}, seed {seed}: {word[:300]}", flush=True)
    for backend, found in counts.items():
        print(backend, dict(found))


if __name__ == "__main__":
    main()
