"""Instances of all kinds converted to all targets of `encode` and read back: solutions, their number and best value.

    python benchmarks/conversion.py [--to FORMAT ...] [--part I/N] [--seed 1] [--json FILE]

205 instances of at most MOST solutions each: random CNF, WCNF, OPB with and without an objective, WBO; forms of XCSP3
constraints and small problems with an objective of each kind of constraint; FlatZinc, MiniZinc models, graphs, Latin
squares and boards of each family. `tests/read_back.py` says how files are read and by whom; --part takes each N-th
instance. Prints for each target how many came back equal, how many were refused, with the reasons, and what differs.
Needs highspy, z3-solver, pycsp3 and MiniZinc.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from figures import Figure, add_option, report

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # other packages have a `tests` too

from backends.contract.objective_cases import each_kind
from encoders.formula import Unsupported
from harness.reporting.formats.instance_files import FORMATS, instance_file, instance_text
from puzzles.errors import BadInput
from puzzles.formats import ReaderOptions, read
from puzzles.problem import Instance
from tests.read_back import Found, read_back, tried, write
from tests.xcsp3_forms import FORMS, document

MOST = 120  # solutions, each of which every target is asked for
FLATZINC = Path(__file__).resolve().parent.parent / "tests" / "fixtures" / "flatzinc"
COUNTS = {
    "cnf": 18,
    "wcnf": 20,
    "opb": 12,
    "opb-opt": 20,
    "wbo": 8,
    "xcsp3": 46,
    "xcsp3-opt": 28,
    "flatzinc": 8,
    "minizinc": 8,
    "graph": 10,
    "latin": 6,
    "board": 21,
}
VARIABLES = (
    '<array id="x" size="[3]"> -1..1 3 </array> <array id="y" size="[2][2]"> <domain for="y[0][0]"> 0 1 </domain>'
    ' <domain for="y[0][1]"> 0 </domain> <domain for="others"> 0 1 </domain> </array>'
)  # of forms: fewer values than tests/xcsp3_forms.py has, for fewer solutions
COLOURS = ReaderOptions("colouring 3")
BOARDS = """\
killer 2x2 aabbaabbc.ddceed a=10 b=9 c=4 d=7 e=5
kakuro 3x3 # 4\\ 13\\ \\14 . . \\3 . .
kakuro 2x3 # 4\\ 6\\ \\3 . .
kenken 2 aabc a=3+ b=2 c=1
kenken 3 aabacbdcc a=6+ b=3+ c=6* d=3
kenken 3 aabbcdccd a=1- b=5+ c=6+ d=2/
futoshiki 2 .... A1<A2 A2>B2
futoshiki 3 ......... A1<A2 B1>C1
futoshiki 3 1........ B2<B3
queens 4 Q...............
queens 4 ................
queens 5 Q........................
magic 3 2 7 6 . . . . . .
magic 3 . . . . 5 . 4 . .
jigsaw aaababbbcccdcddd 1..............4
jigsaw aaababbbcccdcddd 1234............
"""
PLAIN = {
    "2x2.txt": "1.....3.....2..4\n12......4.....1.\n",
    "latin.txt": "#: latin 3\n...\n1..\n.2.\n1........\n...3.....\n",
}
MODELS = (
    "var 1..3: a; var 1..3: b; constraint a < b; solve maximize 2*a - b;",
    'include "alldifferent.mzn"; array [1..3] of var 1..4: x; constraint alldifferent(x); solve minimize x[1];',
    "array [0..1, 1..2] of var bool: p; constraint sum(p) = 2; constraint p[0,1] -> p[1,2]; solve satisfy;",
    "enum C = {red, green, blue}; var C: c; var C: d; constraint c != d; solve satisfy;",
    'include "cumulative.mzn"; array [1..3] of var 0..3: s; constraint cumulative(s, [2,1,2], [1,2,1], 2); '
    "solve minimize max(s);",
    'include "circuit.mzn"; array [1..4] of var 1..4: s; constraint circuit(s); solve satisfy;',
    'include "table.mzn"; var 0..3: a; var 0..3: b; constraint table([a,b], [|0,3|1,1|2,0|]); solve maximize a*b;',
    "var 1..9: a; var 1..9: b; constraint a * b = 12; constraint a mod 2 = 0 \\/ b div 2 = 1; solve satisfy;",
)


def clause(random: Random, variables: int) -> list[int]:
    """Return a random clause."""
    picked = random.sample(range(1, variables + 1), random.randint(1, 3))
    return [k * random.choice((-1, 1)) for k in picked]


def cnf(random: Random) -> str:
    rows = [clause(random, 6) for _ in range(random.randint(3, 12))]
    return f"p cnf 6 {len(rows)}\n" + "".join(f"{' '.join(map(str, row))} 0\n" for row in rows)


def wcnf(random: Random) -> str:
    hard = [f"h {' '.join(map(str, clause(random, 6)))} 0\n" for _ in range(random.randint(1, 5))]
    soft = [f"{random.randint(1, 9)} {' '.join(map(str, clause(random, 6)))} 0\n" for _ in range(random.randint(1, 6))]
    return "".join([*hard, *soft])


def total(random: Random) -> str:
    """Return a random sum of OPB."""
    picked = random.sample(range(1, 7), random.randint(1, 4))
    return " ".join(f"{random.choice((-3, -2, -1, 1, 2, 5)):+d} {random.choice(('', '~'))}x{k}" for k in picked)


def opb(random: Random) -> str:
    rows = [f"{total(random)} {random.choice(('>=', '>=', '='))} {random.randint(-3, 1)} ;\n" for _ in range(3)]
    return "* #variable= 6 #constraint= 3\n" + "".join(rows)


def opb_opt(random: Random) -> str:
    head, _, rows = opb(random).partition("\n")
    return f"{head}\n{random.choice(('min', 'max'))}: {total(random)} ;\n{rows}"


def wbo(random: Random) -> str:
    rows = [f"[{random.randint(1, 6)}] {total(random)} >= {random.randint(0, 3)} ;\n" for _ in range(3)]
    return f"* #variable= 6 #constraint= 4\nsoft: 12 ;\n{total(random)} >= 0 ;\n{''.join(rows)}"


def graph(random: Random) -> str:
    edges = [(a, b) for a in range(1, 6) for b in range(1, a) if random.random() < 0.6]
    return f"p edge 5 {len(edges)}\n" + "".join(f"e {a} {b}\n" for a, b in edges)


def latin(random: Random) -> str:
    first = random.sample(range(3), 3)
    holes = [n if random.random() < 0.5 else -1 for n in first]
    return f"order 3\n{' '.join(map(str, holes))}\n-1 -1 -1\n-1 -1 -1\n"


RANDOM = {"cnf": (cnf, ".cnf"), "wcnf": (wcnf, ".wcnf"), "opb": (opb, ".opb"), "opb-opt": (opb_opt, ".opb")} | {
    "wbo": (wbo, ".wbo"),
    "graph": (graph, ".col"),
    "latin": (latin, ".pls"),
}


def files(kind: str, folder: Path, random: Random) -> Iterator[Path]:
    """Yield files of a kind, as many as there are."""
    if kind in RANDOM:
        make, ending = RANDOM[kind]
        texts: Iterator[tuple[str, str]] = ((ending, make(random)) for _ in range(1000))
    elif kind == "xcsp3":
        texts = ((".xml", document(form, VARIABLES)) for form, _ in random.sample(list(FORMS.values()), len(FORMS)))
    elif kind == "xcsp3-opt":
        cases = (Instance(case.name, case.problem, case.domains) for case in each_kind())
        texts = ((".xml", instance_text(case, "xcsp3")[0].decode()) for case in cases)
    elif kind == "minizinc":
        texts = ((".mzn", model) for model in MODELS)
    elif kind == "board":
        texts = ((".txt", text) for text in (*(f"{line}\n" for line in BOARDS.splitlines()), *PLAIN.values()))
    else:
        yield from sorted(FLATZINC.glob("*.fzn"))
        return
    for i, (ending, text) in enumerate(texts):
        path = folder / f"{kind}-{i}{ending}"
        path.write_text(text)
        yield path


def instances(kind: str, folder: Path, random: Random) -> Iterator[tuple[Instance[Any], Found]]:
    """Yield instances of a kind that are small enough, with what trying every assignment finds."""
    for path in files(kind, folder, random):
        try:
            for instance in read(path, COLOURS if kind == "graph" else ReaderOptions()):
                found = tried(instance, MOST)
                if found is not None:
                    yield instance, found
        except (BadInput, Unsupported) as e:
            print(f"not a source: {e}", file=sys.stderr)


def outcome(instance: Instance[Any], found: Found, to: str, folder: Path) -> str:
    """Return 'equal', or 'refused: ...', or what differs."""
    try:
        made = instance_file(instance, to)
    except Unsupported as e:
        return f"refused: {str(e).removeprefix(f'{instance.name}: ')}"
    again = read_back(write(made, to, folder), instance)
    if again == found:
        return "equal"
    fewer, more = len(found.solutions - again.solutions), len(again.solutions - found.solutions)
    return f"{fewer} solutions lost, {more} added, best {again.best} instead of {found.best}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", default="0/1", help="I/N: each N-th instance, from the I-th (default 0/1)")
    parser.add_argument("--to", choices=FORMATS, nargs="+", default=list(FORMATS), help="targets (default all)")
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    args = parser.parse_args()
    part, parts = map(int, args.part.split("/"))
    table: Counter[tuple[str, str]] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()
    number = wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for kind, count in COUNTS.items():
            for instance, found in islice(instances(kind, Path(name), Random(args.seed)), count):
                number += 1
                if number % parts != part:
                    continue
                for to in args.to:
                    seen = outcome(instance, found, to, Path(name))
                    word = (
                        seen.partition(":")[0] if seen.startswith("refused") else seen if seen == "equal" else "other"
                    )
                    table[to, word] += 1
                    if word == "refused":
                        reasons[to, seen.partition(": ")[2]] += 1
                    elif word == "other":
                        wrong += 1
                        print(f"{instance.name} --to {to}: {seen}", flush=True)
    print(f"{number} instances")
    for (to, why), count in sorted(reasons.items()):
        print(f"{to} refused {count}: {why}")
    report(
        [Figure(to, "conversion", word, table[to, word]) for to in args.to for word in ("equal", "refused", "other")],
        args.json,
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
