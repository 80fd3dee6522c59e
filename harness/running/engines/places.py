"""Processes of the places of this machine: one for each core, restarted whenever it ends, until a signal.

A place ends when a solver takes it down, and when it loses the scheduler. Another process then joins under another name
as soon as the scheduler can be reached.
"""

import json
import platform
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.model.errors import BadUsage
from harness.running.engines.dask_place import Seat
from harness.running.engines.joining import reachable
from harness.running.engines.scheduler_calls import PLACE
from harness.running.engines.security import read_certificates, require_packages
from harness.running.engines.signals import ending_signals
from harness.running.environment import import_flags
from harness.running.folders import new_folder
from harness.running.reaper import kill_group

LOOK_S = 0.5  # seconds between looks at the processes
END_S = 15.0  # seconds in which the processes have to end
CODE = """\
from harness.running.engines.hiding import begin
data = begin()
from harness.runs.place_process import main
main(data)
"""
Notify = Callable[[str], None]


class Process:
    """Process of a place. It ends when its standard input is closed, which happens however this process ends.

    Its data arrive through that pipe: neither the key nor its path is in its command line or environment.
    """

    def __init__(
        self, address: str, certificates: Path | None, core: int | None, places: int, cache: tuple[str, int, bool]
    ) -> None:
        host = re.sub(r"[^A-Za-z0-9.]+", "-", platform.node())[:40] or "machine"
        self.name = f"{PLACE}{host}-{'any' if core is None else core}-{secrets.token_hex(3)}"
        self.folder = str(new_folder("place"))
        seat = Seat(self.name, address, core, places, self.folder, *cache)
        data: dict[str, Any] = {"seat": asdict(seat), "certificates": {}, "hide": ""}
        if certificates is not None:
            files = {name: pem.decode() for name, pem in read_certificates(certificates).items()}
            data |= {"certificates": files, "hide": str(certificates.resolve())}
        words = [sys.executable, *import_flags(), "-c", CODE]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)
        self.tell(json.dumps(data))

    def tell(self, line: str) -> None:
        """Write a line to its standard input, if it has not ended already."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()

    def ended(self) -> bool:
        """Return True if the process has ended, after removing its folder."""
        if self.process.poll() is None:
            return False
        self.clean()
        return True

    def drain(self) -> None:
        """Let the process end after the lease that it runs."""
        self.tell("drain")

    def end(self) -> None:
        """Close the standard input of the process."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def kill(self) -> None:
        """Kill the process if it has not ended."""
        if self.process.poll() is None:
            kill_group(self.process.pid)
            self.process.wait()
        self.clean()

    def clean(self) -> None:
        """Remove the folder of the process."""
        shutil.rmtree(self.folder, ignore_errors=True)


def run_places(
    file: Path,
    certificates: Path | None,
    cores: Sequence[int | None],
    started: Callable[[str], None],
    notify: Notify,
    drain: float = 0.0,
    cache: Path | None = None,
    cache_bytes: int = 4 << 30,
) -> int:
    """Keep a place running on each core until a signal; return the signal. Raises BadUsage.

    `started` receives the address of the scheduler. After SIGTERM, leases that run have `drain` seconds to end. `cache`
    is a folder for large instances, None for a temporary one.
    """
    require_packages()
    address = reachable(str(file), certificates)
    ended: list[int] = []
    for number in ending_signals():
        signal.signal(number, lambda number, _: ended.append(number))
    contents = str(cache.absolute() if cache else new_folder("contents")), cache_bytes, cache is not None
    processes = {core: Process(address, certificates, core, len(cores), contents) for core in cores}
    started(address)
    try:
        while not ended:
            time.sleep(LOOK_S)
            for core in [core for core, process in processes.items() if process.ended()]:
                found = again(file, certificates, notify, ended)
                if found is None:
                    break
                notify(f"{processes[core].name} has ended: another place takes over")
                processes[core] = Process(found, certificates, core, len(cores), contents)
        if ended[0] == signal.SIGTERM and drain:
            await_leases(list(processes.values()), ended, drain)
    finally:
        for process in processes.values():
            process.end()
        deadline = time.monotonic() + END_S
        while time.monotonic() < deadline and not all(process.ended() for process in processes.values()):
            time.sleep(0.05)
        for process in processes.values():
            process.kill()
        if cache is None:
            shutil.rmtree(contents[0], ignore_errors=True)
    return ended[0]


def await_leases(processes: Sequence[Process], ended: Sequence[int], seconds: float) -> None:
    """Let processes end after the leases that run, until a second signal, and at most so long."""
    for process in processes:
        process.drain()
    deadline = time.monotonic() + seconds
    while (
        time.monotonic() < deadline
        and len(ended) == 1
        and sum(process.ended() for process in processes) < len(processes)
    ):
        time.sleep(0.05)


def again(file: Path, certificates: Path | None, notify: Notify, ended: Sequence[Any]) -> str | None:
    """Wait until the scheduler answers; return its address, None after a signal."""
    said = False
    while not ended:
        try:
            return reachable(str(file), certificates)
        except BadUsage as e:
            if not said:
                notify(f"{e}: trying again until it answers")
            said = True
            time.sleep(LOOK_S)
    return None
