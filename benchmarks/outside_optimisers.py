"""Cost of an optimiser through the harness, beside plain use of its package on the same WCNF files.

    python benchmarks/outside_optimisers.py [--rounds 3] [--least 0.1] [--limit 20] [FILE ...]

Plain use is a script of a few lines for each package (plain_optimisers.py): it reads the file, builds the package's own
objects and calls its solver once, without callbacks. Both sides take turns on every file. Compared are CPU seconds: of
the plain script from the first line of the file to the last of its answer, and of an ask of the harness, which encodes,
loads, solves, reports improvements and decodes; files that plain use solves faster than `--least` are left out. Reading
a file is not in an ask, so `reading` has it, once for each file. Without files, CLASSES are drawn, or those of OWN for
a package that decides few of them in seconds or takes equal weights only.

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
from typing import Any

from figures import Figure, add_option, pair_ratio, ratio, report
from plain_optimisers import PLAIN, Cost
from suite import SKIPPED

from puzzles.generating import wcnf_files as wcnf

Class = tuple[Callable[..., wcnf.Weighted], tuple[int, ...]]

CLASSES: tuple[Class, ...] = (  # small ones that search, large ones that load
    (wcnf.random_soft, (30, 250, 3, 20)),
    (wcnf.vertex_cover, (60, 400, 50)),
    (wcnf.max_cut, (26, 90, 50)),
    (wcnf.partial, (100, 400, 80, 100)),
    (wcnf.partial, (10_000, 30_000, 100, 20)),
    (wcnf.set_cover, (100, 60, 4, 50)),
    (wcnf.random_soft, (32, 230, 3, 1)),  # of equal weights
    (wcnf.vertex_cover, (40, 160, 1)),
    (wcnf.vertex_cover, (44, 190, 1)),
    (wcnf.partial, (20_000, 60_000, 200, 1)),
    (wcnf.set_cover, (60, 40, 4, 1)),
)
OWN: dict[str, tuple[Class, ...]] = {  # plain use takes 0.4 to 2.5 s for the first file of each
    "lsu": (
        (wcnf.vertex_cover, (76, 380, 1)),
        (wcnf.max_cut, (29, 102, 1)),
        (wcnf.set_cover, (75, 48, 4, 1)),
        (wcnf.random_soft, (30, 250, 3, 1)),
    ),
    "fm": (
        (wcnf.max_cut, (22, 70, 1)),
        (wcnf.vertex_cover, (40, 160, 1)),
        (wcnf.set_cover, (66, 44, 4, 1)),
        (wcnf.vertex_cover, (40, 155, 1)),
    ),
    "choco": (
        (wcnf.partial, (60, 240, 40, 20)),
        (wcnf.partial, (58, 232, 39, 20)),
        (wcnf.set_cover, (60, 40, 4, 50)),
        (wcnf.set_cover, (70, 42, 4, 50)),
    ),
    "exact": (
        (wcnf.random_soft, (32, 250, 3, 20)),
        (wcnf.max_cut, (22, 66, 50)),
        (wcnf.vertex_cover, (60, 400, 50)),
        (wcnf.vertex_cover, (60, 420, 50)),
    ),
    "clingo": (
        (wcnf.vertex_cover, (80, 500, 50)),
        (wcnf.max_cut, (27, 95, 50)),
        (wcnf.set_cover, (104, 62, 4, 50)),
        (wcnf.random_soft, (40, 300, 3, 20)),
    ),
    "scip": (
        (wcnf.vertex_cover, (90, 620, 50)),
        (wcnf.partial, (120, 480, 95, 100)),
        (wcnf.random_soft, (32, 260, 3, 20)),
        (wcnf.set_cover, (200, 110, 4, 50)),
    ),
    "pumpkin": (
        (wcnf.set_cover, (80, 50, 4, 50)),
        (wcnf.max_cut, (22, 70, 50)),
        (wcnf.vertex_cover, (60, 400, 50)),
    ),
    "toulbar2": (
        (wcnf.random_soft, (50, 400, 3, 20)),
        (wcnf.random_soft, (47, 380, 3, 20)),
        (wcnf.set_cover, (165, 92, 4, 50)),
        (wcnf.partial, (135, 540, 108, 100)),
    ),
}


def drawn(folder: Path, package: str, number: int) -> Iterator[str]:
    """Write some files of each class of a package; yield their paths."""
    for (make, numbers), seed in product(OWN.get(package, CLASSES), range(1, number + 1)):
        path = folder / f"{make.__name__}-{'-'.join(map(str, numbers))}-{seed}.wcnf"
        path.write_text(wcnf.wcnf_text(make(*numbers, Random(seed)), []))
        yield str(path)


def by_package(package: str, path: str, limit: float) -> Cost | None:
    """Return the cost of plain use, or nothing where it takes more than the limit, or the package is not there."""
    command = [sys.executable, str(Path(__file__).with_name("plain_optimisers.py")), package, path]
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
    share = int(row["cpu_ns"]) / int(row["wall_ns"])  # phases are of wall time
    outside = share * sum(int(row[f"{phase}_ns"]) for phase in ("encode", "load", "decode"))
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
    parser.add_argument("--least", type=float, default=0.1, help="CPU seconds of plain use")
    parser.add_argument("--files-of-class", type=int, default=2)
    parser.add_argument("--limit", type=float, default=20, help="seconds of one use")
    parser.add_argument("--package", choices=PLAIN, nargs="*", default=list(PLAIN))
    add_option(parser)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(args, {p: args.files or list(drawn(Path(folder), p, args.files_of_class)) for p in args.package})


def compare(args: argparse.Namespace, files: Mapping[str, list[str]]) -> None:
    """Solve the files of each package, both ways in turn, and print the figures."""
    found: dict[str, dict[str, list[tuple[Cost, Cost]]]] = {}
    for package, path in ((package, path) for package, paths in files.items() for path in paths):
        first = by_package(package, path, args.limit)
        if first is None or first.total < args.least:
            continue
        for _ in range(args.rounds):
            ours, theirs = by_harness(PLAIN[package].contender, path, args.limit), by_package(package, path, args.limit)
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
