"""Many improvements in one ask: what each costs the solver and the parent, and how much memory the parent takes.

    python benchmarks/improvements.py [--bits 17] [--json FILE]

An instance of so many Booleans, whose value is their bits as a number: a plug-in reports every value from the greatest
to the least, each with its solution, as fast as it can. Beside it runs the same plug-in on three Booleans.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from figures import Figure, add_option, report

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = """
import json, resource, sys
import harness
results = harness.run(sys.argv[1], ["better:flood"], timeout=300.0, output=sys.argv[2], warmup=0)
goal = results.summary["contenders"][0]["objective"]
wall = results.summary["contenders"][0]["seconds"]["total"]
own = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps(goal | {"wall": wall, "cpu": own.ru_utime + own.ru_stime, "peak": own.ru_maxrss * 1024}))
"""


def measured(folder: Path, bits: int) -> dict[str, Any]:
    """Run the plug-in on an instance; return what it reached, its wall time, and CPU time and peak of the parent."""
    file = folder / f"{bits}.wcnf"
    clause = " ".join(map(str, range(1, bits + 1)))
    weights = "".join(f"{1 << bits - 1 - i} -{i + 1} 0\n" for i in range(bits))
    file.write_text(f"h {clause} 0\n{weights}")
    plugins = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "plugins")])
    command = [sys.executable, "-c", SCRIPT, str(file), str(folder / f"{bits}.sqlite")]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": plugins}, capture_output=True, text=True, timeout=900
    )
    if done.returncode:
        sys.exit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bits", type=int, default=17)
    add_option(parser)
    args = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as name:
        few, many = measured(Path(name), 3), measured(Path(name), args.bits)
    reports = (1 << args.bits) - 1
    case = f"{reports:,} improvements"
    figures = [
        Figure(case, "solver", "wall time a report", many["wall"] / reports, "s"),
        Figure(case, "parent", "CPU time in all", many["cpu"] - few["cpu"], "s"),
        Figure(
            case,
            "parent",
            "CPU time an improvement that is stored",
            (many["cpu"] - few["cpu"]) / many["improvements"],
            "s",
        ),
        Figure(case, "parent", "stored", many["improvements"]),
        Figure(case, "parent", "overwritten unread", many["dropped"]),
        Figure(case, "parent", "memory beyond that for a few", (many["peak"] - few["peak"]) / (1 << 20), "MiB"),
    ]
    report(figures, args.json)


if __name__ == "__main__":
    main()
