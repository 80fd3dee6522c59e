"""Integer programs as files: those of HiGHS' and SCIP's check folders against their published optima, and random ones.

    python benchmarks/integer_programs.py FOLDER [SECONDS]    every MPS and LP file below 400 kB of a folder
    python benchmarks/integer_programs.py random COUNT        random LP files against brute force

A file is refused with a reason, or solved by every contender; its optimum is that of two lineages or more. Published
values are those of SCIP's check/testset/short.solu and check/CMakeLists.txt and of HiGHS' check/TestMipSolver.cpp.
"""

import sys
import tempfile
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

import harness
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.problem import Instance
from puzzles.readers.options import ReaderOptions
from tests.puzzles.test_integer_programs import COMPARED, random_program

CONTENDERS = (
    "cpsat",
    "cpsat[linearization_level=2]",
    "scip",
    "highs",
    "exact",
    "lp:cbc",
    "lp:glpsol",
    "lp:highs",
    "native:python",
)
HIGHS = f"{sys.executable} {Path(__file__).parent}/highs_program.py {{lp}} {{out}} {{seconds}}"
LARGEST = 400_000  # bytes of a file
PUBLISHED = {
    "lseu": "1120", "p0548": "8691", "enigma": "0", "gt2": "21166", "MANN_a9.clq": "16", "Side": "2",
    "stein27_inf": "unsatisfiable", "issue-2402": "unsatisfiable",
    "3499": "11460", "3613": "993.4375", "issue-2204": "6",
}  # fmt: skip


def files(folder: Path, seconds: float) -> None:
    refused, right = Counter[str](), 0
    for path in sorted(folder.iterdir()):
        if path.suffix not in (".mps", ".lp") or path.stat().st_size > LARGEST:
            continue
        notes = list[str]()
        try:
            instance = next(iter(read(path, ReaderOptions(notify=notes.append))))
        except BadInput as e:
            print(f"{path.name}: refused: {str(e).partition(path.name)[2].strip(': ')}")
            refused["with its line"] += 1
            continue
        if any(c.kind == "unsupported" for c in instance.problem.constraints):
            print(f"{path.name}: {notes[-1].partition(': ')[2]}")
            refused["as not supported"] += 1
        else:
            right += solved(path, seconds, factor_of(notes))
    print(
        f"{right} with an optimum of two lineages that is the published one, or without one; refused: {dict(refused)}"
    )


def factor_of(notes: list[str]) -> int:
    """Return the number by which a reader's note says that values of the objective are multiplied."""
    words = next((note for note in notes if "are multiplied by" in note), "by 1,").split("by ")[-1]
    return int(words.split(", ")[0].rstrip(",").replace(",", ""))


def solved(path: Path, seconds: float, factor: int) -> bool:
    """Print the answers to a file. Return True if one that two lineages confirm is the published one, if any is."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "a.sqlite")
        limit, names = 10 * seconds, list(CONTENDERS)
        made = harness.run(path, names, timeout=limit, cpu=seconds, output=output, seed=1, program={"highs": HIGHS})
        rows = made.frame().to_dict("records")
    answers, others, two = dict[str, list[str]](), list[str](), False
    for row in rows:
        shown = row["verdict"] == "correct" and row["objective"] is None and not row["complete"]
        if shown or (row["complete"] and row["verdict"] in ("correct", "uncertified")):
            value = row["status"] if row["objective"] is None else str(Fraction(int(row["objective"]), factor))
            answers.setdefault(value, []).append(row["contender"])
            two |= shown or row["confirmed"] == "agreement"  # a checked solution needs no second lineage
        else:
            others.append(f"{row['contender']} {row['verdict']}: {row['reason']} {row['detail'] or ''}".strip())
    known = PUBLISHED.get(path.stem)
    value = next(iter(answers), "")
    agree = len(answers) == 1 and two and known in (None, value, decimal(value))
    print(
        f"{path.name}: {'right' if agree else 'OPEN'}, published {known}, answers {answers}; {'; '.join(others)}",
        flush=True,
    )
    return agree


def decimal(value: str) -> str:
    """Return a fraction as a decimal number, a word as it is."""
    return value if value.isalpha() else repr(float(Fraction(value)))


def random_programs(count: int) -> None:
    """Compare feasible points and values of random LP files, as they are read, with those of their own text."""
    begin, different = process_time(), list[int]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.lp")
        for seed in range(count):
            text, bounds, rows, goal, maximise = random_program(Random(f"program {seed}"))
            path.write_text(text)
            notes = list[str]()
            (instance,) = read(path, ReaderOptions(notify=notes.append))
            if not same(instance, factor_of(notes), bounds, rows, goal, maximise):
                different.append(seed)
    print(f"{count:,} programs, {len(different)} different {different}, {process_time() - begin:.0f} s CPU")


def same(instance: Instance[Any], factor: int, bounds: Any, rows: Any, goal: Any, maximise: bool) -> bool:
    problem, points = instance.problem, list(product(*bounds))
    numbers = problem.values.numbers
    columns = np.array([[numbers.index(n) for n in point] for point in points], np.uint64)
    found = np.ones(len(points), bool)
    for part in problem.constraints:
        found &= np.asarray(part.satisfied(columns, problem))
    for at, point in enumerate(points):
        sums = [(sum((a * n for a, n in zip(own, point, strict=True)), Fraction(0)), s, b) for own, s, b in rows]
        if found[at] != all(COMPARED[sign](total, bound) for total, sign, bound in sums):
            return False
    if problem.objective is None:  # all its numbers are 0
        return not any(goal)
    values = problem.objective.values(columns, problem)
    sign = -1 if maximise else 1
    own = [sum((a * n for a, n in zip(goal, point, strict=True)), Fraction(0)) for point in points]
    return all(Fraction(sign * int(v), factor) == w for v, w in zip(values.tolist(), own, strict=True))


def main() -> None:
    where, *rest = sys.argv[1:]
    with suppress(BrokenPipeError):
        if where == "random":
            random_programs(int(rest[0]))
        else:
            files(Path(where), float(rest[0]) if rest else 30)


if __name__ == "__main__":
    main()
