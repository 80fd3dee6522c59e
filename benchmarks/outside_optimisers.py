"""Cost of an optimiser through the harness, beside plain use of its package on the same WCNF files.

    python benchmarks/outside_optimisers.py [--rounds 3] [--least 0.3] [--limit 20] [FILE ...]

Plain use is a script of a few lines for each package in PLAIN: it reads the file, builds the package's own objects and
calls its solver once, without callbacks. Both sides take turns on every file. Compared are CPU seconds: of the plain
script from the first line of the file to the last of its answer, and of an ask of the harness, which encodes, loads,
solves, reports improvements and decodes; files that plain use solves faster than `--least` are left out. Reading a
file is not in an ask, so `reading` has it, once for each file. Without files, CLASSES are drawn.

`outside` is what an ask spends beside the search; `for 1 s` is (1 s + outside) / (1 s + building) of plain use.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from figures import Figure, add_option, pair_ratio, ratio, report
from suite import SKIPPED

from puzzles.generating import wcnf_files as wcnf

Row = list[int]
Softs = list[tuple[int, Row]]
PLAIN = {
    "rc2": "pysat:rc2",
    "rc2-stratified": "pysat:rc2-stratified",
    "cpsat": "cpsat",
    "exact": "exact",
    "highs": "highs",
    "z3": "z3",
}
CLASSES: tuple[
    tuple[Callable[..., wcnf.Weighted], tuple[int, ...]], ...
] = (  # small ones that search, large ones that load
    (wcnf.random_soft, (30, 250, 3, 20)),
    (wcnf.vertex_cover, (60, 400, 50)),
    (wcnf.max_cut, (26, 90, 50)),
    (wcnf.partial, (100, 400, 80, 100)),
    (wcnf.partial, (10_000, 30_000, 100, 20)),
    (wcnf.set_cover, (100, 60, 4, 50)),
)


class Cost(NamedTuple):
    """seconds outside the search, and CPU seconds in all, and the value that was reached."""

    outside: float
    total: float
    value: int


def read(path: str) -> tuple[int, list[Row], Softs]:
    """Return the number of variables, hard clauses and soft ones of a WCNF file whose hard clauses begin by `h`."""
    hard, soft, last = [], [], 0
    for line in Path(path).read_text().splitlines():
        words = line.split()
        if not words or words[0] == "c":
            continue
        row = [int(word) for word in words[1:-1]]
        last = max(last, *(abs(k) for k in row), 0)
        if words[0] == "h":
            hard.append(row)
        else:
            soft.append((int(words[0]), row))
    return last, hard, soft


def drawn(folder: Path) -> Iterator[str]:
    """Write two files of each class; yield their paths."""
    for (make, numbers), seed in product(CLASSES, (1, 2)):
        path = folder / f"{make.__name__}-{'-'.join(map(str, numbers))}-{seed}.wcnf"
        path.write_text(wcnf.wcnf_text(make(*numbers, Random(seed)), []))
        yield str(path)


def plain_rc2(path: str, stratified: bool = False) -> tuple[float, int]:
    """Solve by RC2 of python-sat; return when the search began, and the cost."""
    from pysat.examples.rc2 import RC2, RC2Stratified
    from pysat.formula import WCNF

    with (RC2Stratified if stratified else RC2)(WCNF(from_file=path)) as solver:
        began = time.process_time()
        solver.compute()
        return began, solver.cost


def plain_cpsat(path: str) -> tuple[float, int]:
    """Solve by CP-SAT with one worker."""
    from ortools.sat.python import cp_model

    last, hard, soft = read(path)
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in range(last + 1)]
    literals = {k: x[k] if k > 0 else x[-k].negated() for k in range(-last, last + 1) if k}
    for row in hard:
        model.add_bool_or([literals[k] for k in row])
    broken = [model.new_bool_var("") for _ in soft]
    for b, (_, row) in zip(broken, soft, strict=True):
        model.add_bool_or([*(literals[k] for k in row), b])
    model.minimize(sum(weight * b for (weight, _), b in zip(soft, broken, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    began = time.process_time()
    solver.solve(model)
    return began, round(solver.objective_value)


def plain_exact(path: str) -> tuple[float, int]:
    """Solve by Exact."""
    from exact import Exact

    last, hard, soft = read(path)
    solver = Exact([("verbosity", "0"), ("seed", "1")])
    names = [f"x{k}" for k in range(last + 1)]
    broken = [f"y{i}" for i in range(len(soft))]
    for name in (*names[1:], *broken):
        solver.addVariable(name)
    solver.setObjective([(weight, b) for (weight, _), b in zip(soft, broken, strict=True)])
    softened = [(row, [b]) for (_, row), b in zip(soft, broken, strict=True)]
    for row, extra in (*((row, list[str]()) for row in hard), *softened):
        terms = [(1 if k > 0 else -1, names[abs(k)]) for k in row] + [(1, b) for b in extra]
        solver.addConstraint(terms, True, 1 - sum(k < 0 for k in row), False, 0)
    began = time.process_time()
    solver.runFull(True, 0)
    return began, int(solver.getBestSoFar())


def plain_highs(path: str) -> tuple[float, int]:
    """Solve by HiGHS with one thread and without a gap."""
    import highspy
    import numpy as np

    last, hard, soft = read(path)
    solver = highspy.Highs()
    solver.silent()
    for option, value in (("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.0)):
        solver.setOptionValue(option, value)
    for k in range(last + len(soft)):
        solver.addVar(0, 1)
        solver.changeColIntegrality(k, highspy.HighsVarType.kInteger)
    for i, (weight, _) in enumerate(soft):
        solver.changeColCost(last + i, float(weight))
    rows: list[tuple[Row, Row]] = [(row, []) for row in hard] + [(row, [last + i]) for i, (_, row) in enumerate(soft)]
    for row, extra in rows:
        columns = np.array([abs(k) - 1 for k in row] + extra, np.int32)
        values = np.array([1.0 if k > 0 else -1.0 for k in row] + [1.0 for _ in extra])
        solver.addRow(1.0 - sum(k < 0 for k in row), highspy.kHighsInf, len(columns), columns, values)
    began = time.process_time()
    solver.run()
    return began, round(solver.getInfo().objective_function_value)


def plain_z3(path: str) -> tuple[float, int]:
    """Solve by the optimiser of Z3."""
    import z3

    last, hard, soft = read(path)
    x = z3.Bools(" ".join(f"x{k}" for k in range(last + 1)))
    solver = z3.Optimize()
    for row in hard:
        solver.add(z3.Or([x[k] if k > 0 else z3.Not(x[-k]) for k in row]))
    for weight, row in soft:
        cost = solver.add_soft(z3.Or([x[k] if k > 0 else z3.Not(x[-k]) for k in row]), str(weight))
    began = time.process_time()
    solver.check()
    return began, solver.lower(cost).as_long()


def solve_plainly(package: str, path: str) -> None:
    """Print the cost of plain use as JSON; the import of the package is not in it."""
    modules = {"cpsat": "ortools.sat.python.cp_model", "exact": "exact", "highs": "highspy", "z3": "z3"}
    __import__(modules.get(package, "pysat.examples.rc2"))
    first = time.process_time()
    if package.startswith("rc2"):
        began, value = plain_rc2(path, package == "rc2-stratified")
    else:
        began, value = {"cpsat": plain_cpsat, "exact": plain_exact, "highs": plain_highs, "z3": plain_z3}[package](path)
    ended = time.process_time()
    print(json.dumps(Cost(began - first, ended - first, value)))


def by_package(package: str, path: str, limit: float) -> Cost | None:
    """Return the cost of plain use, or nothing where it takes more than the limit, or the package is not there."""
    command = [sys.executable, __file__, "--plain", package, path]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    return Cost(*json.loads(done.stdout.splitlines()[-1])) if done.returncode == 0 else None


def by_harness(contender: str, path: str, limit: float) -> Cost | None:
    """Return the cost of an ask of the harness, or nothing where it proves no optimum."""
    import harness

    with tempfile.TemporaryDirectory() as folder:
        results = harness.run(path, [contender], timeout=limit, output=f"{folder}/run.sqlite", warmup=1)
        row: Mapping[str, Any] = results.frame("outcomes").iloc[0]
    if not row["optimal"]:
        return None
    outside = sum(int(row[f"{phase}_ns"]) for phase in ("encode", "load", "decode"))
    return Cost(outside / 1e9, int(row["cpu_ns"]) / 1e9, int(row["objective"]))


def reading(path: str) -> float:
    """Return the CPU seconds of reading a file."""
    from puzzles.formats import read

    first = time.process_time()
    list(read(path))
    return time.process_time() - first


def figures(package: str, pairs: Mapping[str, list[tuple[Cost, Cost]]]) -> Iterator[Figure]:
    """Yield the figures of a package: pairs of costs, of the harness and of plain use, by file."""
    ours, theirs = zip(*(pair for group in pairs.values() for pair in group), strict=True)
    outside, building = (statistics.fmean(cost.outside for cost in side) for side in (ours, theirs))
    yield Figure(package, "", "files", len(pairs))
    yield Figure(package, "", "plain", statistics.fmean(cost.total for cost in theirs), "s")
    yield Figure(package, "", "building", building * 1e3, "ms")
    yield Figure(package, "", "outside", outside * 1e3, "ms")
    yield Figure(package, "", "for 1 s", (1 + outside) / (1 + building))
    groups = [[(o.total, t.total) for o, t in group] for group in pairs.values()]
    yield ratio(package, "", "harness / plain", pair_ratio(groups))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="of WCNF, in the form since 2022")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--least", type=float, default=0.3, help="CPU seconds of plain use")
    parser.add_argument("--limit", type=float, default=20, help="seconds of one use")
    parser.add_argument("--package", choices=PLAIN, nargs="*", default=list(PLAIN))
    parser.add_argument("--plain", nargs=2, metavar=("PACKAGE", "FILE"), help=argparse.SUPPRESS)
    add_option(parser)
    args = parser.parse_args()
    if args.plain:
        solve_plainly(*args.plain)
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(args, args.files or list(drawn(Path(folder))))


def compare(args: argparse.Namespace, files: list[str]) -> None:
    """Solve files with each package, both ways in turn, and print the figures."""
    found: dict[str, dict[str, list[tuple[Cost, Cost]]]] = {}
    for package, path in product(args.package, files):
        first = by_package(package, path, args.limit)
        if first is None or first.total < args.least:
            continue
        for _ in range(args.rounds):
            ours, theirs = by_harness(PLAIN[package], path, args.limit), by_package(package, path, args.limit)
            if ours is not None and theirs is not None:
                assert ours.value == theirs.value, (package, path, ours, theirs)
                found.setdefault(package, {}).setdefault(path, []).append((ours, theirs))
    if not found:
        print("no package solves a file in the time between --least and --limit")
        sys.exit(SKIPPED)
    used = {path for pairs in found.values() for path in pairs}
    print(f"reading {len(used)} files: {statistics.fmean(map(reading, used)) * 1e3:.1f} ms each, for all contenders")
    report([figure for package, pairs in found.items() for figure in figures(package, pairs)], args.json)


if __name__ == "__main__":
    main()
