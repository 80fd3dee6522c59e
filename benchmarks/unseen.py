"""Draw instances that no figure of the project names, in two halves, and compare on them; every answer is checked.

    python benchmarks/unseen.py draw FOLDER --cnfgen PROGRAM --clones FOLDER      writes FOLDER/tuned and FOLDER/unseen
    python benchmarks/unseen.py compare FOLDER --timeout 3 [--names NAME ...]
    python benchmarks/unseen.py models FOLDER --clones FOLDER                     writes FOLDER/cop/tuned, wcnf, ...
    python benchmarks/unseen.py optimise FOLDER --timeout 4                       the limit is one of CPU time

PROGRAM is the generator cnfgen (PyPI; Lauria, Elffers, Nordstroem & Vinyals 2017). CLONES holds clones of the
repositories of FILES and MODELS as folders OWNER+NAME. The files have licences of their own, so only this recipe is
kept. A seed halves each family: what changes the solver is chosen on `tuned` alone, and both halves are reported.

`models` takes a model of each folder of MiniZinc/minizinc-benchmarks that has an objective, and one of its data files,
in an order drawn by the seed, until COP of them give FlatZinc of SIZES bytes; the others are drawn by our generators.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import optimisers
from constraints import Row, figures, read
from figures import Figure, part_parser, run_part
from others import measure

from harness.reporting.frame.reading import open_judged
from harness.reporting.frame.searches import searches
from puzzles.problem import Problem
from puzzles.readers.minizinc.compiling import compiled
from puzzles.readers.refusal import Refusal

SEED = 59
NAMES = ["pysat:cadical195", "pysat:minisat22", "native:cdcl"]
GENERATED = {  # commands of cnfgen by family
    "op": ["op 25", "op 35", "op 45", "op 40 --total", "op 40 --smart", "op 40 --knuth2", "op 20 --knuth3", "op 60"],
    "pebbling": [
        *("peb pyramid 25 -T maj 3", "peb pyramid 30 -T lift 3", "peb pyramid 45 -T lift 3", "peb tree 9 -T xor 3"),
        *("peb pyramid 30 -T xor 3", "peb pyramid 60 -T xor 2", "stone 12 pyramid 6 --sparse 4", "stone 8 tree 4"),
    ],
    "kclique": [
        *("kclique 5 gnp 40 .3", "kclique 6 gnp 40 .35", "kclique 7 gnp 30 .5", "kclique 8 gnp 30 .55"),
        *("kclique 6 gnp 35 .4", "kclique 9 gnp 30 .65", "kclique 5 gnp 60 .25", "kclique 7 gnp 40 .4"),
    ],
    "php": [f"php {n + 1} {n} --{kind}" for n in (8, 9) for kind in ("functional", "onto")],
    "others": [
        *("cliquecoloring 12 4 3", "cliquecoloring 10 5 4", "cpls 8 4 8", "cpls 16 16 8", "count 11 3", "parity 11"),
        *("kcolor 5 gnp 60 .22", "kcolor 4 gnp 100 .09", "ram 3 6 17", "vdw 46 3 7", "tseitin 30 3", "subsetcard 10"),
        *("rphp 6 8 5", "ptn 3000", "mchess 8 8", "randkxor 3 60 54", "randkcnf 5 80 1650", "domset 5 grid 5 6"),
    ],
}
FILES = {  # paths in repositories by family
    "circuits": [
        *(f"arminbiere+cadical:test/cnf/{name}.cnf" for name in ("add128", "prime65537", "prime4294967297")),
        *("arminbiere+cadical:test/cnf/factor2708413neg.cnf", "marijnheule+CnC:tests/eq.atree.braun.8.unsat.cnf"),
        *("chrjabs+rustsat:data/AProVE11-12.cnf", "chrjabs+rustsat:kissat/vendor/test/cnf/miter1.cnf"),
        "chrjabs+rustsat:data/smtlib-qfbv-aigs-ext_con_032_008_0256-tseitin.cnf",
        *(f"shnarazk+SAT-bench:SC21/{name}.cnf" for name in ("dist4.c", "assoc_mult_err_3.c", "quad_res_r21_m22")),
        "shnarazk+SAT-bench:SC21/toughsat_factoring_895s.cnf",
    ],
    "crypto, combinatorics": [
        *(f"shnarazk+SAT-bench:SatRace2015/{name}.dimacs.cnf" for name in ("38bits_10", "44bits_11")),
        *(f"marijnheule+CnC:tests/{name}.cnf" for name in ("EDP2_1160", "EDP2_1161", "ptn-easy", "schur-medium")),
        *(f"marijnheule+sat-examples:cnf/{name}.cnf" for name in ("510-4", "bce7824", "random-easy", "random-hard")),
    ],
}

MODELS = "MiniZinc+minizinc-benchmarks"
COP = 40
GOAL = re.compile(r"solve\b[^;]*\b(minimize|maximize)\b")
OWN = {  # arguments of `generate` by part
    "wcnf": [["wcnf", "-n", "20"]],
    "opb": [["opb-opt", "-n", "20"]],
    "boards": [[name, "-n", "10"] for name in ("killer.txt", "kakuro.txt", "sudoku-16.txt", "latin.txt")],
}
CONTENDERS = optimisers.CONTENDERS | {"boards": ("native", "cpsat", "pysat:cadical195")}


def halves(family: str, names: list[str]) -> dict[str, str]:
    """Return the half of each instance of a family."""
    shuffled = Random(f"{SEED} {family}").sample(names, len(names))
    return {name: ("tuned", "unseen")[i % 2] for i, name in enumerate(shuffled)}


def draw(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Write the formulas."""
    (folder,) = arguments.folders
    for family, names in (GENERATED | FILES).items():
        for name, half in halves(family, names).items():
            path = folder / half / family / (name.rpartition("/")[2].removesuffix(".cnf").replace(" ", "_") + ".cnf")
            path.parent.mkdir(parents=True, exist_ok=True)
            if family in GENERATED:
                command = [arguments.cnfgen, "-q", "--seed", str(SEED), *name.split()]
            else:
                clone, _, inside = name.partition(":")
                command = ["git", "-C", arguments.clones / clone, "show", f"HEAD:{inside}"]
            path.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
        yield Figure(family, "all", "formulas", len(names))


def compare(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Compare by half and family, as `others.py` does."""
    (folder,) = arguments.folders
    for half in ("tuned", "unseen"):
        problems, rows = list[Problem](), list[Row]()
        for path in sorted((folder / half).iterdir()):
            own = [read(file) for file in sorted(path.glob("*.cnf"))]
            costs = measure(own, arguments.names, arguments.timeout, arguments.repeats)
            yield from figures(f"{half}, {path.name}", own, costs, 1, arguments.timeout)
            problems, rows = problems + own, rows + costs
        yield from figures(f"{half}, all", problems, rows, 1, arguments.timeout)


def pairs(folder: Path) -> Iterator[tuple[Path, Path | None]]:
    """Yield a model with an objective for each folder, in an order drawn by the seed, and one of its data files."""
    random = Random(f"{SEED} cop")
    folders = sorted({path.parent for path in folder.rglob("*.mzn")})
    for inside in random.sample(folders, len(folders)):
        models = [path for path in sorted(inside.glob("*.mzn")) if GOAL.search(path.read_text(errors="replace"))]
        if models:
            model, data = random.choice(models), sorted(inside.rglob("*.dzn"))
            yield model, random.choice(data) if data else None


def models(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Write the instances with objectives, and the boards."""
    (folder,), found = arguments.folders, 0
    for pair in pairs(arguments.clones / MODELS):
        try:
            flat = compiled(pair[0].name, pair, iter(()), {}).flat
        except Refusal:
            continue
        if optimisers.SIZES[0] <= len(flat) <= optimisers.SIZES[1] and found < COP:
            name = f"{pair[0].parent.name}-{(pair[1] or pair[0]).stem}.fzn"
            path = folder / "cop" / ("tuned", "unseen")[found % 2] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(flat)
            found += 1
    yield Figure("cop", "all", "instances", found)
    for part, words in OWN.items():
        for half, seed in (("tuned", SEED), ("unseen", SEED + 1)):
            for name, *rest in words:
                path = folder / part / half / (name if part == "boards" else "")
                path.parent.mkdir(parents=True, exist_ok=True)
                generate = ["generate", name, *rest, "--seed", str(seed), "-o", str(path)]
                subprocess.run([sys.executable, "-m", "harness", *generate], check=True, stdout=subprocess.DEVNULL)


def optimise(arguments: argparse.Namespace) -> Iterator[Figure]:
    """Run each part and half in the harness, which judges and prints; yield the figures of those with objectives."""
    (folder,) = arguments.folders
    limits = ["--cpu", str(arguments.timeout), "-t", str(20 * arguments.timeout)]
    for part, contenders in CONTENDERS.items():
        for half in ("tuned", "unseen"):
            journal = folder / f"{part}-{half}.sqlite"
            words = ["run", str(folder / part / half), "-b", ",".join(contenders), *limits, "--time", "cpu"]
            if not journal.exists():
                subprocess.run([sys.executable, "-m", "harness", *words, "-o", str(journal)], check=False)
            if part == "boards":
                continue
            with open_judged(str(journal)) as this_run:
                results = this_run.results()
                known = [c.contender.name for c in results.contenders]
                shard = searches(results, known, "cpu"), results.contenders[0].asked[1:]
            names = [name.removesuffix("/extended") for name in known]
            yield from optimisers.figures(f"{part}, {half}", names, [shard])


PARTS = {"draw": draw, "compare": compare, "models": models, "optimise": optimise}


def main() -> None:
    parser = part_parser(__doc__, PARTS)
    parser.add_argument("folders", type=Path, nargs=1, metavar="FOLDER")
    parser.add_argument("--cnfgen", type=Path, default=Path("cnfgen"))
    parser.add_argument("--clones", type=Path, default=Path("."))
    parser.add_argument("-t", "--timeout", type=float, default=3.0, help="CPU seconds")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--names", nargs="+", default=NAMES)
    run_part(parser, PARTS)


if __name__ == "__main__":
    main()
