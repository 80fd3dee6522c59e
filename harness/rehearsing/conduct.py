"""Run of a solver as an organiser runs it: limits, SIGTERM and SIGKILL, its threads, and the processes it leaves.

Output goes to files, so that its length at SIGTERM is known and nothing that is left running holds it open. Processes
of the run are those that have its variable in their environment, or that are below the solver.
"""

import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from harness.running.reaper import MARK, marked
from harness.running.workers.descendants import descendants
from harness.running.workers.running_threads import running
from puzzles.processes.guarding import read_proc

PLACES = ("{instance}", "{folder}", "{proof}")  # words of a command that stand for paths
LOOK_S = 0.02
LEAVING_S = 0.1  # seconds after the end of a solver, in which what it has started may end
MOST_OUTPUT = 1 << 26
SEEN = 3  # looks at which more threads run than allowed, to call it so


@dataclass(frozen=True)
class Conduct:
    """A run: exit code (negative: a signal), output, and what an organiser sees of its processes.

    terminated  bytes of the output before SIGTERM, None if it ended by itself     killed  it outlived its grace
    threads     the most threads that ran at a time, at SEEN looks or more         left  commands of processes left
    proof       bytes of the proof file, None without one
    """

    code: int
    output: bytes
    errors: bytes
    seconds: float
    terminated: int | None = None
    killed: bool = False
    threads: int = 1
    left: tuple[str, ...] = ()
    proof: bytes | None = None


def conduct(
    command: Sequence[str], instance: Path, folder: Path, seconds: float, grace: float, memory_mb: int = 0
) -> Conduct:
    """Run a command on an instance in an empty folder until a limit of wall time. Raises OSError if it can't start."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    for place, path in zip(PLACES, (instance, folder, folder / "proof.out"), strict=True):
        command = [word.replace(place, str(path)) for word in command]

    def limited() -> None:
        if memory_mb:
            resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
        resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_OUTPUT, MOST_OUTPUT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
            preexec_fn=limited,
            env=os.environ | {MARK: mark},
        )
        terminated, killed, counts = None, False, list[int]()
        try:
            if not ended(process, begin + seconds, counts):
                terminated = os.fstat(out.fileno()).st_size
                process.send_signal(signal.SIGTERM)
                killed = not ended(process, time.monotonic() + grace, [])
        finally:
            left = end_all(process, mark)
        spent = time.monotonic() - begin
        out.seek(0)
        err.seek(0)
        proof = folder / "proof.out"
        return Conduct(
            process.returncode,
            out.read(),
            err.read(),
            spent,
            terminated,
            killed,
            max(sorted(counts)[: -SEEN + 1], default=1),
            () if killed else left,
            proof.read_bytes() if proof.is_file() else None,
        )


def ended(process: "subprocess.Popen[bytes]", end: float, counts: list[int]) -> bool:
    """Wait for the end of a process until a time; add the numbers of its running threads at each look."""
    while process.poll() is None:
        if time.monotonic() > end:
            return False
        counts.append(max(1, running([process.pid, *descendants(process.pid)])))
        time.sleep(LOOK_S)
    return True


def end_all(process: "subprocess.Popen[bytes]", mark: str) -> tuple[str, ...]:
    """Kill the process if it runs, and all that it has left; return the commands of these."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    end = time.monotonic() + LEAVING_S
    while (left := left_by(mark)) and time.monotonic() < end:
        time.sleep(LOOK_S)
    names = tuple(left.values())
    while left:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(LOOK_S)
        left = left_by(mark)
    return names


def left_by(mark: str) -> dict[int, str]:
    """Return the processes of a run by id, with their commands; a zombie has none."""
    return {pid: command for pid in marked(mark) if (command := command_of(pid))}


def command_of(pid: int) -> str:
    """Return the command of a process, '' of one that has ended."""
    with suppress(OSError):
        return read_proc(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode(errors="replace").strip()
    return ""
