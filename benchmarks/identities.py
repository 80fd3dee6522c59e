"""Digests of instances: what renaming must not change, what brute force tells apart, a corpus with copies, the speed.

    python benchmarks/identities.py [renamings N] [pairs N] [corpus] [speed MEGABYTES]

Default: renamings 1000 (of each kind), pairs 1000, corpus, speed 106. Pairs are of one kind, size and table of values,
and no permutation of the variables makes one the other.
"""

import sys
import tempfile
from collections import Counter
from functools import partial
from itertools import permutations
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from puzzles.formats import read
from puzzles.generating.problems import KINDS, OBJECTIVES, random_problem, ranged_problem
from puzzles.identity.duplicates import Duplicate, Duplicates, distinct
from puzzles.identity.gbd import gbdhash
from puzzles.identity.refinement import renamed_digest
from puzzles.identity.renaming import is_renaming
from puzzles.problem import Instance, Problem
from tests.puzzles.identity.renamings import renamed

GOALS = [("linear", goal) for goal in sorted(OBJECTIVES)]
CASES = [*((kind, "") for kind in sorted(KINDS)), *GOALS, ("ranges", ""), ("ranges", "linear")]


def drawn(kind: str, goal: str, random: Random) -> Instance[Problem]:
    return ranged_problem(random, goal) if kind == "ranges" else random_problem((kind,), random, goal)


def renamings(count: int) -> None:
    for kind, goal in CASES:
        random, different = Random(f"renamings {kind} {goal}"), 0
        for _ in range(count):
            instance = drawn(kind, goal, random)
            different += renamed_digest(instance) != renamed_digest(renamed(instance, random))
        print(f"{kind} {goal}: {count:,} renamings, {different} with another digest", flush=True)


def pairs(count: int) -> None:
    random, told, equal = Random(6), Counter[str](), list[str]()
    while told.total() < count:
        kind, goal = CASES[told.total() % len(CASES)]
        seeds = random.randrange(10**6), random.randrange(10**6)
        one, other = (drawn(kind, goal, Random(seed)) for seed in seeds)
        at = range(len(one.domains))
        if len(at) != len(other.domains) or one.problem.values != other.problem.values:
            continue
        if not any(is_renaming(one, other, list(order)) for order in permutations(at)):
            told[f"{kind} {goal}".strip()] += 1
            equal += [f"{kind} {goal} {seeds}"] * (renamed_digest(one) == renamed_digest(other))
    print(f"{count:,} pairs told apart: {dict(told)}; {len(equal)} with equal digests {equal}", flush=True)


def clauses(random: Random) -> list[list[int]]:
    rows = [random.sample(range(1, 31), 3) for _ in range(90)]
    return [[x * random.choice((1, -1)) for x in row] for row in rows]


def cnf(rows: list[list[int]], comment: str = "") -> str:
    return f"{comment}p cnf 30 {len(rows)}\n" + "".join(f"{' '.join(map(str, row))} 0\n" for row in rows)


def corpus() -> None:
    """Name the copies among 200 files: 160 formulas, 20 as they are with a comment, 20 renamed and shuffled."""
    random = Random(1)
    with tempfile.TemporaryDirectory() as folder:
        formulas = [clauses(random) for _ in range(160)]
        texts = [(f"a{i:03}", cnf(rows)) for i, rows in enumerate(formulas)]
        texts += [(f"copy{i:03}", cnf(rows, "c a copy\n")) for i, rows in enumerate(formulas[:20])]
        for i, rows in enumerate(formulas[20:40]):
            names = [0, *random.sample(range(1, 31), 30)]
            moved = [[names[abs(x)] * (1 if x > 0 else -1) for x in row] for row in random.sample(rows, len(rows))]
            texts.append((f"renamed{i:03}", cnf(moved)))
        for name, text in texts:
            Path(folder, f"{name}.cnf").write_text(text)
        found = list[Duplicate]()
        kept = len(list(distinct(read(Path(folder)), Duplicates(), found.append)))
    named = Counter((d.name[:4], d.how) for d in found)
    print(f"{len(texts)} files: {dict(named)}, {kept} kept by --distinct", flush=True)


def speed(megabytes: int) -> None:
    """Time reading and each digest of a random formula, in CPU time; the least of three."""
    random, rows = Random(7), megabytes * 43_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.cnf")
        with path.open("w") as file:
            file.write(f"p cnf 1000000 {rows}\n")
            for _ in range(rows):
                file.write(" ".join(str(random.randint(1, 10**6) * random.choice((1, -1))) for _ in "abc") + " 0\n")
        times: dict[str, list[float]] = {name: [] for name in ("reading", "gbdhash", "content", "renamed")}
        for _ in range(3):
            begin = process_time()
            (instance,) = read(path)
            for name, work in (
                ("reading", int),
                ("gbdhash", partial(gbdhash, path, "cnf")),
                ("content", partial(getattr, instance.problem, "digest")),
                ("renamed", partial(renamed_digest, instance)),
            ):
                work()
                times[name].append(process_time() - begin)
                begin = process_time()
        size = path.stat().st_size / 1e6
    least = {name: min(own) for name, own in times.items()}
    ratio = (sum(least.values()) - least["reading"]) / least["reading"]
    print(
        f"{size:.0f} MB: " + ", ".join(f"{name} {s:.2f} s" for name, s in least.items()), f"; ids {ratio:.2f} x reading"
    )


def main() -> None:
    words = sys.argv[1:] or ["renamings", "1000", "pairs", "1000", "corpus", "speed", "106"]
    while words:
        name, *words = words
        if name == "corpus":
            corpus()
        else:
            {"renamings": renamings, "pairs": pairs, "speed": speed}[name](int(words.pop(0)))


if __name__ == "__main__":
    main()
