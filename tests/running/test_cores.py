"""Cores of contenders and places: one node, one thread of a core before its siblings; the solver is told."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from backends.contract import registry
from backends.contract.cores import cores_of
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.host import PLACE_CORES, cores
from harness.running import cores as running_cores
from harness.running.cores import Cpus, PhysicalCore, allot, claim, fastest, kinds_of, topology
from harness.storing.journal import open_journal
from tests.attacks.planting import plant_python
from tests.conftest import Harness

TWO_NODES = [PhysicalCore(0, (0, 4)), PhysicalCore(0, (1, 5)), PhysicalCore(1, (2, 6)), PhysicalCore(1, (3, 7))]
several = pytest.mark.skipif(len(cores()) < 2, reason="needs two cores")


@pytest.mark.parametrize(
    ("jobs", "width", "expected"),
    [
        (1, 1, [(3,)]),
        (2, 1, [(3,), (1,)]),  # of different nodes
        (4, 1, [(3,), (1,), (2,), (0,)]),
        (5, 1, [(3,), (1,), (2,), (0,), (7,)]),  # siblings only when all cores are taken
        (2, 2, [(3, 2), (1, 0)]),
        (4, 2, [(3, 7), (1, 5), (2, 6), (0, 4)]),  # whole cores: none is shared by two places
        (1, 4, [(3, 7, 2, 6)]),  # siblings before another node
        (1, 6, [(3, 7, 2, 6, 1, 5)]),
        (1, 9, [()]),
    ],
)
def test_a_place_has_cores_of_one_node_and_shares_none(jobs: int, width: int, expected: list[Cpus]) -> None:
    assert allot(TWO_NODES, jobs, width) == expected


def test_the_topology_is_read_from_the_system(tmp_path: Path) -> None:
    for cpu, siblings in enumerate(("0,2", "1,3", "0,2", "1,3")):
        folder = tmp_path / f"cpu/cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(f"{siblings}\n")
    for node, cpus in enumerate(("0,2", "1,3")):
        (tmp_path / f"node/node{node}").mkdir(parents=True)
        (tmp_path / f"node/node{node}/cpulist").write_text(f"{cpus}\n")
    assert topology([0, 1, 2], tmp_path) == [PhysicalCore(0, (0, 2)), PhysicalCore(1, (1,))]
    assert topology([5, 7], tmp_path / "missing") == [PhysicalCore(0, (5,)), PhysicalCore(0, (7,))]


def machine(folder: Path, cores: Sequence[tuple[int, str]], files: Mapping[str, str]) -> Path:
    """Write what /sys says of a machine: node and threads of each core, and other files; return its system folder."""
    nodes: dict[int, list[str]] = {}
    written = dict(files)
    for node, threads in cores:
        nodes.setdefault(node, []).append(threads)
        for cpu in threads.split(","):
            written[f"system/cpu/cpu{cpu}/topology/thread_siblings_list"] = threads
    written |= {f"system/node/node{node}/cpulist": ",".join(threads) for node, threads in nodes.items()}
    for name, text in written.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{text}\n")
    return folder / "system"


# Layouts as Linux reports them, compared with trees that hwloc and util-linux have recorded.
XEONS = [(i // 8, f"{i},{i + 16}") for i in range(16)]  # two sockets of eight cores; threads of a core are 16 apart
OPTERONS = [(i // 4, f"{i}") for i in range(32)]  # four sockets of two memory nodes each, one thread a core
EPYC = [(0, f"{i},{i + 48}") for i in range(48)]
INTEL = [*((0, f"{2 * i},{2 * i + 1}") for i in range(6)), *((0, f"{cpu}") for cpu in range(12, 20))]  # 6 P, 8 E
NAMED = {"cpu_core/cpus": "0-11", "cpu_atom/cpus": "12-19"}
TURBO = {cpu: 3900000 if cpu >= 12 else 5200000 if cpu in (4, 5, 8, 9) else 5000000 for cpu in range(20)}
ARM = dict(enumerate([280] * 3 + [855] * 4 + [1024]))


def speeds(name: str, each: Mapping[int, int]) -> dict[str, str]:
    """Return the files of speeds of processors."""
    return {f"system/cpu/cpu{cpu}/{name}": str(speed) for cpu, speed in each.items()}


FREQUENCIES, CAPACITIES = speeds("cpufreq/cpuinfo_max_freq", TURBO), speeds("cpu_capacity", ARM)
PHONE = [(0, f"{cpu}") for cpu in range(8)]
P, E = "performance cores", "efficiency cores"
TOP = [(15,), (7,), (14,), (6,), (13,), (5,), (12,), (4,), (11,), (3,), (10,), (2,), (9,), (1,), (8,), (0,)]
FAST = [(10,), (8,), (6,), (4,), (2,), (0,)]


@pytest.mark.parametrize(
    ("cores", "files", "usable", "width", "pinned", "kind"),
    [
        (XEONS, {}, range(32), 1, TOP, ""),  # a thread of each core
        (
            XEONS,
            {},
            range(32),
            3,
            [(15, 14, 13), (7, 6, 5), (12, 11, 10), (4, 3, 2), (9, 8, 1)],
            "",
        ),  # last: of both
        (XEONS, {}, range(32), 8, [tuple(range(15, 7, -1)), tuple(range(7, -1, -1))], ""),  # of one socket each
        (XEONS, {}, range(16, 32), 8, [tuple(range(31, 23, -1)), tuple(range(23, 15, -1))], ""),  # the other threads
        (XEONS, {}, range(8), 16, [], ""),
        (OPTERONS, {}, range(32), 4, [tuple(range(n + 3, n - 1, -1)) for n in range(28, -1, -4)], ""),  # of a node each
        (EPYC, {}, range(96), 16, [tuple(range(n + 15, n - 1, -1)) for n in (32, 16, 0)], ""),  # nodes are not reported
        (INTEL, NAMED, range(20), 1, FAST, P),  # never the efficient ones, unless they are all that it has
        (INTEL, NAMED, range(20), 4, [(10, 8, 6, 4)], P),
        (INTEL, NAMED, range(12, 20), 4, [(19, 18, 17, 16), (15, 14, 13, 12)], E),
        (INTEL, NAMED, range(20), 8, [(19, 18, 17, 16, 15, 14, 13, 12)], E),  # of the others there are six
        (INTEL, NAMED, range(10, 20), 9, [], P),  # of no kind there are nine
        (INTEL, FREQUENCIES, range(20), 1, FAST, "cores of up to 5.2 GHz"),  # where the kernel names no kinds
        (PHONE, CAPACITIES, range(8), 1, [(7,)], "cores of capacity 1024"),
        (PHONE, CAPACITIES, range(8), 2, [(6, 5), (4, 3)], "cores of capacity 855"),
    ],
)
def test_places_of_machines_that_are_not_here_have_whole_cores_of_one_kind_and_node(
    cores: Sequence[tuple[int, str]],
    files: Mapping[str, str],
    usable: Sequence[int],
    width: int,
    pinned: list[Cpus],
    kind: str,
    tmp_path: Path,
) -> None:
    system, held = machine(tmp_path, cores, files), set[int]()

    def lock(core: int) -> bool:
        new = core not in held
        held.add(core)
        return new

    monkey = pytest.MonkeyPatch()
    monkey.setattr(running_cores, "release", held.difference_update)
    monkey.setattr(running_cores, "LOCKS", tmp_path)
    found = fastest(topology(usable, system), kinds_of(system), width)
    try:
        claimed = [claim(width, found, lock) for _ in range(len(pinned) + 1)]
    finally:
        monkey.undo()
    assert claimed == [*pinned, ()]
    assert {core.kind for core in found} == {kind}


def test_cores_are_an_option_of_every_backend_and_become_its_threads() -> None:
    found, _ = resolve(["cpsat[cores=2]", "native:python[cores=2]", "pysat:minisat22[cores=3]", "cpsat"])
    assert [(c.name, cores_of(c.backend)) for c in found] == [
        ("cpsat[cores=2]", 2),
        ("native:python[cores=2]", 2),
        ("pysat:minisat22[cores=3]/extended", 3),
        ("cpsat", 1),
    ]
    assert registry.find("cpsat[cores=2]").chosen == {"num_workers": 2}  # type: ignore[attr-defined]
    assert registry.find("cpsat[cores=4,num_workers=2]").chosen == {"num_workers": 2}  # type: ignore[attr-defined]
    mine = registry.find("dimacs:mine[cores=3]", {"mine": "cat -n={cores} {cnf}"})
    assert mine.command.words == ("cat", "-n=3", "{cnf}")  # type: ignore[attr-defined]
    assert registry.find("dimacs:mine", {"mine": "cat {cores}"}).command.words[1] == "1"  # type: ignore[attr-defined]


def test_cores_for_all_leave_those_that_are_stated() -> None:
    found, _ = resolve(["native:python", "cpsat[cores=2]", "cpsat[num_workers=2]/booleans"], cores=4)
    assert [c.name for c in found] == [
        "native:python[cores=4]",
        "cpsat[cores=2]",
        "cpsat[cores=4,num_workers=2]/booleans",
    ]
    with pytest.raises(BadUsage, match="option 'cores' can't be '0'"):
        resolve(["cpsat[cores=0]"])


def test_a_solver_of_several_threads_finds_no_second_solution() -> None:
    with pytest.raises(BadUsage, match="finds one solution only"):
        resolve(["cpsat"], count=2, cores=2)


REPORTS = """
import json
sys.stdin.read()
with open("seen", "w") as file:
    json.dump([sorted(os.sched_getaffinity(0)), os.environ["OMP_NUM_THREADS"], sys.argv[1:]], file)
print("1234341221434321")
"""


@several
def test_a_worker_is_pinned_to_its_cores_and_its_place_holds_them(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("#: sudoku 2x2\n1.34341221434321\n")
    words = plant_python(tmp_path, "mine", REPORTS)
    command = f"{words[1]} {{cores}}"
    words = ["--program", command, "-b", "lines:mine[cores=2]", "-b", "native:python"]
    done = harness("run", "boards.txt", *words, "-o", "j.sqlite", "--json", "-")
    affinity, threads, arguments = json.loads((tmp_path / "seen").read_text())
    assert (len(affinity), threads, arguments) == (2, "2", ["2"])
    entry = done.contender("lines:mine[cores=2]")
    assert (entry["cores"], entry["cores_used"] > 0) == (2, True)
    assert done.contender("native:python")["cores"] == 1
    with open_journal(tmp_path / "j.sqlite") as journal:
        (place,) = journal.places.all()
    assert sorted(map(int, str(place.host[PLACE_CORES]).split(","))) == affinity
    table = harness("report", "j.sqlite").out
    assert "cores  CPU/wall" in table


def test_more_cores_than_there_are_is_bad_usage(harness: Harness) -> None:
    if sys.platform != "linux":
        pytest.skip("only Linux pins workers")
    most = len(os.sched_getaffinity(0))
    done = harness("run", "hardest", "-n", 1, "-b", "native:python", "--cores", most + 1)
    said = f"native:python[cores={most + 1}]: this machine has {most} cores for it (--no-pin: threads share them)"
    assert (done.code, done.err) == (2, f"harness: {said}\n")


@pytest.mark.slow
@several
def test_a_contender_that_is_not_told_of_its_cores_is_noted(harness: Harness) -> None:
    done = harness("run", "hardest", "-n", 1, "-b", "native:python[cores=2]", "-b", "cpsat[cores=2]")
    assert "native:python[cores=2]: it has 2 cores, but not an option for threads" in done.err
    assert "cpsat[cores=2]: it has" not in done.err
