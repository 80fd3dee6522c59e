"""Files that a contender sees within a sandbox: its code, its program, its instances (puzzles/processes/sandbox.py).

Of the system it sees programs, libraries and a few settings; of the user's folders only what it needs, file by file. So
it sees no journal, no expected results beside its instances, and no other contender's program.
"""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from glob import glob
from pathlib import Path

from backends.programs.backend import command, format_of, program_of
from harness.model.contender import Contender
from harness.model.errors import BadUsage
from harness.model.origins.command_files import command_files
from harness.model.settings import RunSettings
from harness.running.environment import PACKAGES, ROOT, is_installed, python_path
from harness.running.workers.problem_file import GIVEN
from puzzles.caches import cache_home
from puzzles.processes.child import ChildLimits, finished
from puzzles.processes.sandbox import SCRATCH, Sandbox, innermost, plan

SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store"),
    *("/sys/devices/system", "/etc/alternatives", "/etc/ld.so.*", "/etc/localtime", "/etc/passwd", "/etc/group"),
    *("/etc/nsswitch.conf", "/etc/hosts", "/etc/os-release", "/etc/java*", "/etc/python*", "/etc/fonts"),
)
SCRATCHES = ("/tmp", "/var/tmp", "/dev/shm")
MOUNT_POINT = "root"  # folder of a run's folder on which each worker mounts a root of its own
PIECES = re.compile("[=:,]")
ASK_PATHS = "import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, *sys.path]))"
ASK_S = 20.0  # seconds for an interpreter to name its folders, and to try a sandbox
ASKING = ChildLimits(cpu=20, wall=ASK_S, memory=1 << 30, stack=8 << 20, file=1 << 20, printed=1 << 20)
JOURNAL_SEEN = "the journal is: write it elsewhere with -o"
OTHERS_SEEN = "temporary files of all workers are: name smaller folders"


@dataclass(frozen=True)
class Sandboxes:
    """Sandboxes of the workers of a run; `instances` are the files that programs get, by format."""

    settings: RunSettings
    instances: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def of(self, contender: Contender, folder: Path, written: Sequence[str] = ()) -> Sandbox:
        """Return the sandbox of a worker that writes some folders; `folder` is that of the run."""
        python = self.settings.pythons.get(contender.env, sys.executable)
        seen = [
            *code_files(python),
            *python_path(python, folder).split(os.pathsep),
            *program_files(contender.backend, self.settings.programs),
            *self.instances.get(format_of(contender.backend), ()),
            *self.settings.expose,
        ]
        return bounded(folder, seen, written)


def bounded(folder: Path, seen: Sequence[str], written: Sequence[str] = ()) -> Sandbox:
    """Return a sandbox with some files, and those that every worker sees; `folder` is that of the run."""
    for name in (MOUNT_POINT, GIVEN):
        (folder / name).mkdir(0o700, parents=True, exist_ok=True)
    here = os.getcwd()
    every = (path for pattern in SYSTEM for path in glob(pattern))
    mine = (part for path in seen if path for part in ours(os.path.join(here, path)))
    home = os.path.expanduser("~")
    return Sandbox(
        str(folder / MOUNT_POINT),
        here,
        list(dict.fromkeys((*every, *mine, str(folder / GIVEN)))),
        written,
        [*SCRATCHES, *([home] if home not in ("/", "~") else [])],
        [str(path) for path in kernel_caches() if path.is_dir()],
    )


def ours(path: str) -> Iterator[str]:
    """Yield a path; of a clone of this project only its packages, since results may lie beside them."""
    if os.path.realpath(path) != str(ROOT) or is_installed():
        yield path
        return
    yield from (str(ROOT / package) for package in PACKAGES)


def kernel_caches() -> Iterator[Path]:
    """Yield the folders that may hold compiled kernels, as `puzzles/caches.py` has them."""
    yield cache_home() / "crosscheck"
    yield Path(tempfile.gettempdir(), f"cache-{os.getuid()}", "crosscheck")
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen).resolve()


@cache
def code_files(python: str) -> tuple[str, ...]:
    """Return the folders that an interpreter imports from, but for the working folder. Raises BadUsage."""
    if python == sys.executable:
        found = [sys.executable, sys.prefix, sys.base_prefix, *sys.path]
    else:
        asking = [python, "-P", "-c", ASK_PATHS]
        try:
            found = json.loads(finished(asking, b"", ASKING, os.environ).printed)
        except (OSError, ValueError, subprocess.SubprocessError):
            raise BadUsage(f"--sandbox: {python} does not say where its packages are") from None
    libraries = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    return tuple(path for path in (*found, *libraries) if path and os.path.realpath(path) != os.getcwd())


def program_files(backend: str, programs: Mapping[str, str]) -> Iterator[str]:
    """Yield the files and folders that the command of a backend's program names, and the environment of its Python."""
    known = command(backend, programs) if program_of(backend) else None
    if known is None:
        return
    program = shutil.which(known.words[0]) or known.words[0]
    pieces = [piece for word in known.words[1:] for piece in (word, *PIECES.split(word))]
    yield from (path for path in (program, *pieces) if path and os.path.exists(path))
    yield from map(str, command_files(known.words))
    yield from environment_of(program)


def environment_of(program: str) -> Iterator[str]:
    """Yield the folder of the virtual environment of a program, or of the Python that a program is."""
    for path in (Path(os.path.abspath(program)), Path(program).resolve()):
        prefix = path.parent.parent
        python = path.name.startswith(("python", "pypy"))
        if (prefix / "pyvenv.cfg").is_file():
            yield str(prefix)
            with contextlib.suppress(OSError, StopIteration):
                lines = (prefix / "pyvenv.cfg").read_text(errors="replace").splitlines()
                home = next(line.partition("=")[2].strip() for line in lines if line.startswith("home"))
                yield from environment_of(str(Path(home, "python3").resolve()))
        elif (prefix / "conda-meta").is_dir() or (python and glob(str(prefix / "lib" / "python3*"))):
            yield str(prefix)


def require_sandbox(sandboxes: Sandboxes, contenders: Sequence[Contender], journal: Path) -> None:
    """Raise BadUsage if this system has no sandboxes, or a contender would see the journal, or other workers."""
    with tempfile.TemporaryDirectory(prefix="crosscheck-", ignore_cleanup_errors=True) as folder:
        if why := refusal(bounded(Path(folder), code_files(sys.executable))):
            raise BadUsage(f"--sandbox is not to be had here: {why}")
        for contender in contenders:
            _, mounts = plan(sandboxes.of(contender, Path(folder)))
            for path, advice in ((journal, JOURNAL_SEEN), (Path(folder, "worker"), OTHERS_SEEN)):
                where = innermost(os.path.realpath(path), mounts)
                if where and mounts[where] != SCRATCH:
                    raise BadUsage(f"--sandbox: {contender.name} sees {where}, where {advice}")


def refusal(sandbox: Sandbox) -> str:
    """Return the reason why a process can't enter a sandbox, '' if it can."""
    if sys.platform != "linux":
        return "only Linux has namespaces"
    fd = sandbox.file()
    trying = [sys.executable, "-P", "-m", "puzzles.processes.trying", str(fd)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        done = finished(trying, b"", ASKING, environment, pass_fds=[fd])
    finally:
        os.close(fd)
    if done.beyond == "wall":
        return f"it can't be entered within {ASK_S:g} s"
    last = done.errors.decode(errors="replace").strip().rpartition("\n")[2]
    return "" if done.code == 0 else last or f"the process that tried it exited with {done.code}"
