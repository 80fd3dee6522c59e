"""Large cases with one planted fault: the sizes to which `shrink` reduces them, and its CPU time.

    python benchmarks/shrinking.py [--case reified sums flat] [--megabytes 50] [--seconds 2400] [--json FILE]

reified   a model of MiniZinc of 33 Booleans, with a reified sum; fault: a sum of four terms or more
sums      one of 304 sums on 120 variables; fault: two rows share a variable, which has a 4 and a 3 or -3 there
flat      a FlatZinc file; fault: an equation with four coefficients 5 beside a reified row with four

`planted_program.py` has the faults, and gives up elsewhere. The evidence against it is a solution of CP-SAT, or for
`flat` that by which the file was drawn. `fuzzing.py` shrinks the planted faults of all kinds, which are small.
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from figures import Figure, add_option, children_cpu, report

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from harness.fuzzing.findings.finding import read  # noqa: E402
from harness.fuzzing.reducing.shrinking import size  # noqa: E402

PROGRAM = ROOT / "benchmarks" / "planted_program.py"
NUMBERS = (-3, -2, -1, 1, 2, 3, 4)
LARGE = 100_000  # integer variables of the FlatZinc file, of which each has a number from 0 to 20
BOOLEANS = 2000


def reified(folder: Path) -> tuple[Path, int]:
    """Write the model of 33 variables; return its path and number of constraints."""
    rows = ["p <-> sum(i in 1..33)((i mod 5 + 1) * y[i]) >= 40", "p", "sum(y) <= 20"]
    rows += [f"y[{i}] + y[{i + 1}] <= 1" for i in range(3, 33, 3)]
    return written(folder / "reified.mzn", ["array[1..33] of var 0..1: y;", "var bool: p;"], rows), len(rows)


def sums(folder: Path) -> tuple[Path, int]:
    """Write the model of 304 sums, which a drawn point satisfies; return its path and number of constraints."""
    random = Random(52)
    point, rows = [random.randint(0, 9) for _ in range(120)], list[str]()
    for _ in range(304):
        scope = random.sample(range(120), random.randint(4, 8))
        numbers = [random.choice(NUMBERS) for _ in scope]
        total = sum(a * point[x] for a, x in zip(numbers, scope, strict=True))
        text = " + ".join(f"{a}*x[{x + 1}]" for a, x in zip(numbers, scope, strict=True))
        some = random.randint(8, 30)
        rows.append(f"{text} {random.choice((f'<= {total + some}', f'>= {total - some}', f'!= {total + 1}'))}")
    return written(folder / "sums.mzn", ["array[1..120] of var 0..9: x;"], rows), len(rows)


def written(path: Path, head: list[str], rows: list[str]) -> Path:
    """Write a model; return its path."""
    path.write_text("\n".join([*head, *(f"constraint {row};" for row in rows), "solve satisfy;", ""]))
    return path


def flat(folder: Path, size: int) -> tuple[Path, int]:
    """Write a FlatZinc file of so many bytes, and the point that satisfies it; return its path and constraints."""
    random, number = Random(53), 0
    point = [random.randint(0, 20) for _ in range(LARGE)]
    truth = [random.random() < 0.5 for _ in range(BOOLEANS)]
    path = folder / "flat.fzn"
    with path.open("w") as file:
        file.writelines(f"var 0..20: x{i};\n" for i in range(LARGE))
        file.writelines(f"var bool: b{i};\n" for i in range(BOOLEANS))
        while file.tell() < size:
            file.write(f"constraint {row(random, point, truth)};\n")
            number += 1
        file.write("solve satisfy;\n")
    (folder / "point").write_text(" ".join(map(str, [*point, *map(int, truth)])))
    return path, number


def row(random: Random, point: list[int], truth: list[bool]) -> str:
    """Draw a constraint that the point satisfies."""
    scope = random.sample(range(LARGE), random.randint(2, 6))
    numbers = [random.choice((-3, -2, -1, 1, 2, 3, 5)) for _ in scope]
    total, b = sum(a * point[x] for a, x in zip(numbers, scope, strict=True)), random.randrange(BOOLEANS)
    terms = f"[{','.join(map(str, numbers))}],[{','.join(f'x{x}' for x in scope)}]"
    some = sorted(random.sample(range(BOOLEANS), 3), key=lambda x: not truth[x])
    true = sum(truth[x] for x in some)
    literals = [f"b{x}" for x in some]
    kinds = {
        f"int_lin_le({terms},{total + random.randint(0, 5)})": 50,
        f"int_lin_eq({terms},{total})": 20,
        f"int_lin_ne({terms},{total + 1})": 15,
        f"int_lin_le_reif({terms},{total if truth[b] else total - 1},b{b})": 10,
        f"bool_clause([{','.join(literals[:true])}],[{','.join(literals[true:])}])": 5,
    }
    return random.choices(list(kinds), list(kinds.values()))[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", nargs="+", choices=("reified", "sums", "flat"), default=["reified", "sums", "flat"])
    parser.add_argument("--megabytes", type=float, default=50.0)
    parser.add_argument("--seconds", default="2400")
    add_option(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = [f for case in args.case for f in shrunk(case, Path(folder), args)]
    report(figures, args.json)


def shrunk(case: str, folder: Path, args: argparse.Namespace) -> Iterator[Figure]:
    """Shrink one case; yield its sizes and CPU seconds."""
    made = {"reified": reified, "sums": sums}
    path, number = made[case](folder) if case in made else flat(folder, int(args.megabytes * 1e6))
    programs = {"planted": [case, "{fzn}"], "known": ["known", "{fzn}", str(folder / "point")]}
    words = [
        w
        for name, own in programs.items()
        for w in ("--program", f"{name}={shlex.join([sys.executable, str(PROGRAM)])} {' '.join(own)}")
    ]
    other = "cpsat" if case in made else "fzn:known"
    small, began = folder / f"{case}.min.finding", children_cpu()
    command = ["shrink", str(path), "-b", f"fzn:planted,{other}", *words, "-j", "1", "-t", "900", "-o", str(small)]
    done = subprocess.run(
        [sys.executable, "-m", "harness", *command, "--seconds", args.seconds], cwd=ROOT, env=os.environ, check=False
    )
    assert done.returncode == 1, f"{case} does not fail"
    after = read(small).case
    rows = sum(len(getattr(c, "rows", (c,))) for c in after.problem.constraints)
    sizes = {"bytes": path.stat().st_size, "constraints": number, "left": len(after.problem.constraints), "rows": rows}
    for name, value in {**sizes, "variables": len(after.problem.variables), "size": size(after)}.items():
        yield Figure(case, "shrink", name, value)
    yield Figure(case, "shrink", "CPU", children_cpu() - began, "s")


if __name__ == "__main__":
    main()
