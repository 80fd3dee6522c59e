"""PAR-2 by class of instances: native compared with CP-SAT and the best of four SAT solvers of python-sat.

    python benchmarks/boards.py [-n INSTANCES] [-t SECONDS] [--seed N] [--class NAME ...] [--keep FOLDER]
    python benchmarks/boards.py --corpus SQUARES MODELS -b native cpsat pysat:cadical195    what others made

Each class (instances.py) is one run of the harness with all contenders, one job: cold, first solution, every answer
checked. The seed determines the instances; those of a folder that --keep names are used again.

A corpus is a class, too, by the name of its folder. Gomes' quasigroups with holes are in the repository
github.com/HelgeS/lsencode under PLS (the hard ones are of the orders 33, 35 and 40), and small models of many kinds, as
XCSP3, in github.com/xcsp3team/ACE under src/main/resources/csp until commit 430978b.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from figures import Figure, add_option, report
from instances import CLASSES

NATIVE, CPSAT, MINISAT = "native", "cpsat", "pysat:minisat22"
CONTENDERS = (NATIVE, CPSAT, MINISAT, "pysat:glucose4", "pysat:cadical153", "pysat:kissat404")
BEST = "best of PySAT"
Summary = dict[str, Any]  # of a contender, in the report's JSON


def made(name: str, seed: int, instances: int, kept: Path) -> Path:
    """Return the folder with the instances of a class, which are made unless `kept` has them."""
    folder = kept / f"{name}-{seed}-{instances}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=kept) as unfinished:
            path = Path(unfinished, "made")
            path.mkdir()
            CLASSES[name](path, seed, instances)
            path.rename(folder)
    return folder


def run(corpus: Path, instances: int, timeout: float, contenders: Sequence[str]) -> dict[str, Summary]:
    """Return the summary of each backend on the first instances of a corpus."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "harness", "run", str(corpus), "-b", ",".join(contenders), "-t", str(timeout)]
        command += ["-n", str(instances), "-j", "1", "-o", f"{folder}/journal.sqlite", "--json", "-"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 4):
        sys.exit(done.returncode)
    return {c["backend"]: c for c in json.loads(done.stdout)["contenders"]}


def figures(title: str, found: dict[str, Summary], cpu: bool) -> Iterator[Figure]:
    """Yield what each contender decided and took, and its PAR-2 beside native's."""
    of_pysat = sorted((name for name in found if name.startswith("pysat:")), key=lambda name: par2(found[name], cpu))
    for way, name in [*zip(found, found, strict=True), *((BEST, name) for name in of_pysat[:1])]:
        contender = found[name]
        seconds = (contender["cpu"] if cpu else contender)["seconds"]
        yield Figure(title, way, "decided", contender["solved"])
        yield Figure(title, way, "PAR-2", 1e3 * par2(contender, cpu), "ms")
        yield Figure(title, way, "vs native", par2(contender, cpu) / par2(found[NATIVE], cpu))
        known = {name: seconds[name] for name in ("median", "max") if seconds[name] is not None}
        yield from (Figure(title, way, name, 1e3 * value, "ms") for name, value in known.items())


def par2(contender: Summary, cpu: bool) -> float:
    """Return the mean seconds of a contender, those of an undecided instance twice the limit."""
    return float((contender["cpu"] if cpu else contender)["par2"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--instances", type=int, default=100, help="of each class (default 100)")
    parser.add_argument("-t", "--timeout", type=float, default=20.0, help="seconds (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--class", dest="classes", nargs="+", choices=CLASSES, metavar="NAME", help=", ".join(CLASSES))
    parser.add_argument("--corpus", type=Path, nargs="+", default=[], help="folders of instances, each a class")
    parser.add_argument("-b", "--backend", nargs="+", default=CONTENDERS, help="native, cpsat and some of python-sat")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where instances are kept for the next run")
    parser.add_argument("--cpu", action="store_true", help="CPU times, for a busy machine")
    add_option(parser)
    args = parser.parse_args()
    every: list[Figure] = []
    with tempfile.TemporaryDirectory() as temporary:
        kept = args.keep or Path(temporary)
        kept.mkdir(parents=True, exist_ok=True)
        names = args.classes or ([] if args.corpus else CLASSES)
        classes = {name: made(name, args.seed, args.instances, kept) for name in names}
        for name, folder in {**classes, **{folder.name: folder for folder in args.corpus}}.items():
            found = run(folder, args.instances, args.timeout, args.backend)
            every += figures(name, found, args.cpu)
    report(every, args.json)


if __name__ == "__main__":
    main()
