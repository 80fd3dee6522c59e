"""Write instances with an objective, and let `run --certify` prove what CP-SAT claims of them.

    python benchmarks/certify.py FOLDER [--count 100] [-- WORDS of run]

A third each of WCNF and OPB, whose certificates are of the instance, and of XCSP3, where only the formula is certified.
"""

import argparse
import json
import sys
from pathlib import Path
from random import Random

from harness.cli import main

COP = """<instance format="XCSP3" type="COP"><variables>{variables}</variables><constraints>{constraints}</constraints>
<objectives><minimize type="sum"><list> {names} </list><coeffs> {weights} </coeffs></minimize></objectives></instance>
"""


def wcnf(random: Random, n: int = 30) -> str:
    """Return clauses of three literals, and soft ones of one or two."""
    hard = [[random.choice((1, -1)) * x for x in random.sample(range(1, n + 1), 3)] for _ in range(3 * n)]
    soft = [
        [random.choice((1, -1)) * x for x in random.sample(range(1, n + 1), random.choice((1, 1, 2)))] for _ in range(n)
    ]
    lines = [f"h {' '.join(map(str, row))} 0" for row in hard]
    return "\n".join([*lines, *(f"{random.randint(1, 40)} {' '.join(map(str, row))} 0" for row in soft), ""])


def opb(random: Random, n: int = 25) -> str:
    """Return a covering problem with costs."""
    rows = [(random.sample(range(1, n + 1), 5), random.randint(3, 7)) for _ in range(n)]
    terms = [" ".join(f"+{random.randint(1, 4)} x{x}" for x in xs) + f" >= {bound} ;" for xs, bound in rows]
    goal = " ".join(f"+{random.randint(1, 50)} x{x}" for x in range(1, n + 1))
    return "\n".join([f"* #variable= {n} #constraint= {len(rows)}", f"min: {goal} ;", *terms, ""])


def cop(random: Random, n: int = 5) -> str:
    """Return different numbers with sums that are large enough."""
    names = [f"x{i}" for i in range(n)]
    variables = "".join(f'<var id="{name}"> 1..{n + 2} </var>' for name in names)
    sums = "".join(
        f"<intension> gt(add({a},{b}),{random.randint(3, n + 2)}) </intension>"
        for a, b in [random.sample(names, 2) for _ in names]
    )
    different = f"<allDifferent> {' '.join(names)} </allDifferent>"
    weights = " ".join(str(random.randint(1, 9)) for _ in names)
    return COP.format(variables=variables, constraints=different + sums, names=" ".join(names), weights=weights)


def written(folder: Path, count: int, seed: int) -> None:
    """Write the instances to files of a folder."""
    makers = ((".wcnf", wcnf), (".opb", opb), (".xml", cop))
    for i in range(count):
        ending, make = makers[i % len(makers)]
        (folder / f"{i:03}{ending}").write_text(make(Random(f"{seed}/{i}")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("words", nargs="*", help="further words of run")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    written(args.folder, args.count, args.seed)
    report = args.folder.parent / f"{args.folder.name}.json"
    code = main(["run", str(args.folder), "-b", "cpsat", "--certify", "--json", str(report), *args.words])
    print(json.dumps(json.loads(report.read_text())["certify"], indent=1))
    sys.exit(code)
