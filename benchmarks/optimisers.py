"""Optimisers on instances that others wrote: PAR-2 of proofs, and gaps over time, native beside others.

    python benchmarks/optimisers.py choose FOLDER PART POOL...      copy 30 instances of pools to FOLDER/PART
    python benchmarks/optimisers.py run FOLDER PART [SHARD...]      60 s for each ask; a shard has 5 instances
    python benchmarks/optimisers.py report FOLDER

PART is wcnf, opb or cop. A POOL is a folder of files; these were used (GitHub, all without their trivial ones):

wcnf  tobipaxe/PacoseMaxSATSolver (MaxSATRegressionSuite/mseWCNFs), msakai/toysolver (samples/maxsat), chrjabs/rustsat
      (data), marekpiotrow/UWrMaxSat (Examples); 2024/MaxSATRegressionSuiteWCNFs.zip of
      maxsat-evaluations/maxsat-evaluations.github.io; ms_crafted and ms_random of the MaxSAT Evaluation 2016, of
      ccding-ustc/MaxSAT-Solver (data): .cnf files, each clause a soft one of weight 1
opb   bernborgess/roundingsat (test/instances/opb/opt), msakai/toysolver (samples/pbo), marekpiotrow/UWrMaxSat
      (Examples), xcsp3team/PyCSP3-models (PseudoBoolean), RomaLzhih/Pseudo-Boolean-Presolver (test/opt, .pre.opb)
cop   xcsp3team/PyCSP3-models, compiled by pycsp3 with default data; xcsp3team/XCSP3-Java-Tools

The choice does not look at native: files of 1 kB to 2 MB take turns, pool by pool, in an order drawn by a seed, and
the contenders PROBES have PROBE seconds for each. Taken are those that one of them decides and not all of them decide
within 0.1 s, and at most OPEN that none of them decides.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figure, add_option, pair_ratio, ratio, report

import harness
from harness.reporting.frame.objectives import Value, gap
from harness.reporting.frame.reading import open_judged
from harness.reporting.frame.searches import Search, Searches, searches
from harness.reporting.statistics.estimates import Floats
from puzzles.problem.arrays import BoolArray

NATIVE = "native"
PROBES = {
    "wcnf": ("pysat:rc2-stratified", "cpsat", "exact"),
    "opb": ("cpsat", "exact", "scip"),
    "cop": ("cpsat", "choco"),
}
CONTENDERS = {
    "wcnf": (NATIVE, "pysat:rc2-stratified", "cpsat", "exact"),
    "opb": (NATIVE, "cpsat", "exact"),
    "cop": (NATIVE, "cpsat", "choco"),
}
ENDS = {"wcnf": (".wcnf", ".cnf"), "opb": (".opb",), "cop": (".xml", ".lzma")}
NUMBER = 30
OPEN = {"wcnf": 2, "opb": 2, "cop": 8}  # instances that no probe decides
PROBE = 2  # seconds
TRIVIAL = 0.1  # seconds
SIZES = (1_000, 2_000_000)  # bytes
BATCH = 40  # candidates of a probe
LIMIT = 60
SHARDS = 6  # of a part, each run for itself, so that a stop loses little
AFTER = (1, 10, 60)  # seconds


def candidates(part: str, pools: Sequence[str]) -> Iterator[Path]:
    """Yield the files of pools in turn, those of each in an order drawn by a seed."""
    orders = []
    for pool in pools:
        names = sorted(p for p in Path(pool).rglob("*") if p.suffix in ENDS[part] and p.is_file())
        files = [p for p in names if SIZES[0] <= p.stat().st_size <= SIZES[1] or p.suffix == ".lzma"]
        Random(1).shuffle(files)
        orders.append(files)
    return (path for path in chain.from_iterable(zip_longest(*orders)) if path is not None)


def copied(path: Path, folder: Path) -> None:
    """Copy an instance to a folder; the clauses of a CNF file become soft."""
    if path.suffix != ".cnf":
        shutil.copy(path, folder / path.name)
        return
    words = [line for line in path.read_text().splitlines() if line.strip() and line[0] not in "cp%"]
    (folder / f"{path.stem}.wcnf").write_text("".join(f"1 {' '.join(line.split())}\n" for line in words))


def probed(part: str, folder: Path) -> dict[str, bool | None]:
    """Return by file: True if one probe decides it and it is not trivial, None if none does, False if it is trivial."""
    command = [sys.executable, "-m", "harness", "run", str(folder), "-b", ",".join(PROBES[part]), "-t", str(PROBE)]
    journal = folder.with_suffix(".sqlite")
    if not journal.exists():
        subprocess.run([*command, "-o", str(journal)], check=False, stdout=subprocess.DEVNULL)
    times: dict[str, list[float]] = {}
    rows: list[dict[str, Any]] = harness.open(str(journal)).frame(library="pandas").to_dict("records")
    for row in rows:
        if row["reason"] not in ("unsupported", "error"):
            decided = row["optimal"] is True or row["status"] == "unsat"
            times.setdefault(row["puzzle"], []).append(row["wall_ns"] / 1e9 if decided else float("inf"))
    return {
        name: None if min(found) == float("inf") else max(found) > TRIVIAL
        for name, found in times.items()
        if len(found) > 1
    }


def choose(folder: Path, part: str, pools: Sequence[str]) -> None:
    """Copy the first instances that are not trivial to a folder; probes that are there are not run again."""
    waiting, chosen, undecided, batch = candidates(part, pools), folder / part, 0, 0
    chosen.mkdir(parents=True)
    while len(list(chosen.iterdir())) < NUMBER:
        (probe := folder / f"probe-{part}-{batch}").mkdir(exist_ok=True)
        batch += 1
        for _, path in zip(range(BATCH), waiting, strict=False):
            copied(path, probe)
        if not any(probe.iterdir()):
            return
        found = probed(part, probe)
        for path in sorted(probe.iterdir(), key=lambda p: Random(p.name).random()):
            taken = found.get(path.name, False)
            if taken is None:
                undecided += 1
                taken = undecided <= OPEN[part]
            if taken and len(list(chosen.iterdir())) < NUMBER:
                shutil.copy(path, chosen)


def run(folder: Path, part: str, shard: int) -> int:
    """Run the contenders on a part of the chosen instances; return the exit code."""
    words = [str(folder / part), "-b", ",".join(CONTENDERS[part]), "-t", str(LIMIT), "--shard", f"{shard}/{SHARDS}"]
    command = [sys.executable, "-m", "harness", "run", *words, "-o", str(folder / f"{part}-{shard}.sqlite")]
    return subprocess.run(command, check=False).returncode


Shard = tuple[Searches, BoolArray]  # of all instances, and which of them were asked


def gap_at(search: Search, best: Value, seconds: float) -> float:
    """Return the primal gap after some seconds: 1 without a solution, 0 if it has shown that there is none."""
    if best is None:
        return float(not search.proved)
    values = [step.value for step in search.course if step.seconds <= seconds]
    return gap(values[-1] if values else None, best)


def times(shards: Sequence[Shard], i: int) -> Floats:
    """Return the seconds of a contender on each instance, twice the limit where it decided nothing."""
    return np.concatenate([np.where(of.rows[i].proved, of.rows[i].end, 2 * of.limit)[asked] for of, asked in shards])


def figures(part: str, names: Sequence[str], shards: Sequence[Shard]) -> Iterator[Figure]:
    """Yield the figures of a part, each contender beside native."""
    for i, name in enumerate(names):
        seconds = times(shards, i)
        yield Figure(part, name, "instances", len(seconds))
        yield Figure(part, name, "decided", sum(int(of.rows[i].proved.sum()) for of, _ in shards))
        yield Figure(part, name, "PAR-2", float(seconds.mean()), "s")
        if name != NATIVE:
            pairs = [[pair] for pair in zip(times(shards, names.index(NATIVE)), seconds, strict=True)]
            value, low, high = pair_ratio(pairs)
            yield ratio(part, name, "PAR-2 of native / its", (value, max(0.0, low), high))
        for after in AFTER:
            shares = [
                gap_at(of.rows[i][k], best, after)
                for of, asked in shards
                for k, best in enumerate(of.known)
                if asked[k]
            ]
            yield Figure(part, name, f"gap at {after} s", 100 * float(np.mean(shares)), "%")


def lost(instances: Sequence[str], names: Sequence[str], of: Searches, asked: BoolArray) -> Iterator[str]:
    """Yield a line for each instance on which native is not the best, by more than a second and a factor of two."""
    native, every = names.index(NATIVE), np.stack([times([(of, np.ones_like(asked))], i) for i in range(len(names))])
    for k, instance in enumerate(instances):
        own, best = every[native, k], every[:, k].min()
        value, known = of.rows[native][k].value, of.known[k]
        if asked[k] and (own > max(2 * best, best + 1) or (value != known and known is not None)):
            told = [f"{n} {'-' if s > of.limit else f'{s:.2f} s'}" for n, s in zip(names, every[:, k], strict=True)]
            yield f"{instance}: {', '.join(told)}; value {value} of {known}"


def tell(folder: Path, path: Path | None) -> None:
    """Print the figures of all shards that were run, and the instances that native loses."""
    found: list[Figure] = []
    for part in CONTENDERS:
        shards, names = list[Shard](), list[str]()
        for journal in sorted(folder.glob(f"{part}-?.sqlite")):
            with open_judged(str(journal)) as this_run:
                results = this_run.results()
                known = [c.contender.name for c in results.contenders]
                of = searches(results, known, "wall")
                asked = results.contenders[0].asked[1:]
                instances = [results.journal.instances.name(i + 1) for i in range(len(of.known))]
            names = [name.removesuffix("/extended") for name in known]
            shards.append((of, asked))
            print("\n".join([f"{journal.stem}: native is not first on", *lost(instances, names, of, asked), ""]))
        found += figures(part, names, shards) if shards else ()
    report(found, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("choose", "run", "report"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("part", nargs="?", choices=CONTENDERS)
    parser.add_argument("pools", nargs="*", help="of run: the number of a shard")
    add_option(parser)
    args = parser.parse_args()
    if args.verb == "report":
        tell(args.folder, args.json)
    elif args.part is None:
        parser.error(f"{args.verb} takes a part")
    elif args.verb == "run":
        sys.exit(max(run(args.folder, args.part, int(shard)) for shard in args.pools or range(1, SHARDS + 1)))
    else:
        choose(args.folder, args.part, args.pools)


if __name__ == "__main__":
    main()
