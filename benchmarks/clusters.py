"""A Dask cluster for the benchmarks: scheduler, workers and a run in network namespaces of their own, and what remains.

All processes carry a mark in their environment, by which those are found that no running command answers for. Needs
root on Linux: `enter` starts the benchmark again in a namespace that has the scheduler and the run.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = "CROSSCHECK_BENCHMARK"
INSIDE = "--inside"  # the namespace
HERE = "10.77.0.1"
PLACE_CODE, WORKER_CODE = b"place_process", b"multiprocessing"  # in command lines: of a place's process, of a worker
WORKERS = ("worker 1", "worker 2")


def enter() -> None:
    """Go on in new namespaces, with loopback and a bridge; say so and end where there are none."""
    if INSIDE in sys.argv:
        sys.argv.remove(INSIDE)
        for words in ("set lo up", "add bridge type bridge", "set bridge up"):
            subprocess.run(["ip", "link", *words.split()], check=True)
        subprocess.run(["ip", "address", "add", f"{HERE}/24", "dev", "bridge"], check=True)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        return
    trial = ["unshare", "--net", "--mount", "ip", "link", "add", "bridge", "type", "bridge"]
    if sys.platform != "linux" or subprocess.run(trial, capture_output=True, check=False).returncode:
        sys.exit("skipped: needs root on Linux, to make network namespaces")
    os.execvp("unshare", ["unshare", "--net", "--mount", sys.executable, *sys.argv, INSIDE])


class Cluster:
    """Commands by name, in a folder; with `tls` all connections are encrypted, by Dask's configuration."""

    def __init__(self, folder: Path, tls: bool = False) -> None:
        self.folder, self.mark, self.root = folder, uuid.uuid4().hex, ROOT
        self.roots: dict[str, subprocess.Popen[bytes]] = {}
        self.holders: dict[str, subprocess.Popen[bytes]] = {}
        self.address = f"{'tls' if tls else 'tcp'}://{HERE}:8786"
        locks = folder / "locks"
        locks.mkdir(exist_ok=True)
        self.environment = {**os.environ, MARK: self.mark, "CROSSCHECK_LOCKS": str(locks), "PYTHONPATH": str(ROOT)}
        if tls:
            self.environment |= encryption(folder)

    def start(self, name: str, *words: str, within: Sequence[str] = ()) -> "subprocess.Popen[bytes]":
        """Start a command of Python; its output goes to a file of that name."""
        command = [*within, sys.executable, "-m", *words]
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(command, cwd=self.root, env=self.environment, stdout=log, stderr=log)
        self.roots[name] = process
        return process

    def start_scheduler(self) -> None:
        """Start the scheduler."""
        protocol = self.address.partition(":")[0]
        words = ("--protocol", protocol, "--host", HERE, "--port", "8786", "--no-dashboard")
        self.start("scheduler", "dask", "scheduler", *words)

    def start_near(self, name: str) -> None:
        """Start a worker in the namespace of the scheduler."""
        self.start(name, "dask", "worker", self.address, "--nthreads", "1", "--no-dashboard")

    def start_worker(self, name: str, *words: str, namespace: str = "", hidden: Path | None = None) -> None:
        """Start a worker in its network namespace, which is made first; `hidden` is a folder that is empty there."""
        space = namespace or name
        if space not in self.holders:
            self.holders[space] = self.new_namespace(len(self.holders) + 2)
        within = ["nsenter", f"--net=/proc/{self.holders[space].pid}/ns/net"]
        if hidden:
            within += ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0"; exec "$@"', str(hidden)]
        options = ("--nthreads", "1", "--no-dashboard", *words)
        self.start(name, "dask", "worker", self.address, *options, within=within)

    def new_namespace(self, number: int) -> "subprocess.Popen[bytes]":
        """Return a process that holds a new namespace, joined to the bridge under its number."""
        holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        own = os.readlink("/proc/self/ns/net")
        wait_until(lambda: os.readlink(f"/proc/{holder.pid}/ns/net") != own, 10)
        there = f"nsenter --net=/proc/{holder.pid}/ns/net"
        for line in (
            f"ip link add near{number} type veth peer name far netns {holder.pid}",
            f"ip link set near{number} master bridge up",
            f"{there} ip address add 10.77.0.{number}/24 dev far",
            f"{there} ip link set far up",
            f"{there} ip link set lo up",
        ):
            subprocess.run(line.split(), check=True)
        return holder

    def start_run(self, journal: Path, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        """Start a run, or resume it if it had begun."""
        if leases(journal):
            words = ("--resume", str(journal), "--yes")
        else:
            for suffix in ("", "-wal", "-shm"):
                journal.with_name(journal.name + suffix).unlink(missing_ok=True)
            words = (*words, "-o", str(journal))
        return self.start("run", "harness", "run", *words, "--on", self.address)

    def log(self, name: str) -> str:
        """Return what a command has printed."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def alive(self, name: str) -> bool:
        """Return True if a command runs."""
        return name in self.roots and self.roots[name].poll() is None

    def below(self, name: str, code: bytes = b"") -> list[int]:
        """Return the processes of a command, of those whose command line has these bytes."""
        parents = self.marked()
        found = {self.roots[name].pid}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return [pid for pid in found if code in command_line(pid)]

    def marked(self) -> dict[int, int]:
        """Return all processes of this cluster, with their parents."""
        wanted, found = f"{MARK}={self.mark}".encode(), {}
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError, IndexError, ValueError):
                if wanted in (entry / "environ").read_bytes():
                    found[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        return found

    def places(self) -> list[int]:
        """Return the processes of places."""
        return [pid for pid in self.marked() if PLACE_CODE in command_line(pid)]

    def stop(self) -> None:
        """Kill everything."""
        for process in (*self.roots.values(), *self.holders.values()):
            process.kill()
            process.wait()
        for pid in self.marked():
            kill(pid)


def encryption(folder: Path) -> dict[str, str]:
    """Make a certificate that is its own authority; return the variables of Dask's configuration that name it."""
    words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=crosscheck"
    subprocess.run(
        [*words.split(), "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"],
        check=True,
        capture_output=True,
    )
    tls = {"CA_FILE": "certificate.pem"}
    for role in ("SCHEDULER", "WORKER", "CLIENT"):
        tls |= {f"{role}__CERT": "certificate.pem", f"{role}__KEY": "key.pem"}
    found = {f"DASK_DISTRIBUTED__COMM__TLS__{key}": str(folder / file) for key, file in tls.items()}
    return found | {"DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION": "True"}


def kill(pid: int, number: int = signal.SIGKILL) -> None:
    """Send a signal to a process, which may be gone."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def command_line(pid: int) -> bytes:
    """Return the command line of a process, nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def wait_until(holds: Callable[[], bool], longest: float) -> bool:
    """Wait until something holds, for so many seconds; return whether it does."""
    end = time.monotonic() + longest
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def count(journal: Path, query: str) -> int:
    """Return a number from a journal, 0 while it can't be read."""
    try:
        with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as db:
            return int(db.execute(query).fetchone()[0])
    except (sqlite3.Error, TypeError):
        return 0


def leases(journal: Path) -> int:
    """Return the number of leases of a journal."""
    return count(journal, "select count(*) from leases")
