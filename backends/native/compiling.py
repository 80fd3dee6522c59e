"""Compiling with Numba: once, cached, announced.

Kernels are cached in the user's cache directory, since an installation may be read-only, under a name that holds a
digest of this package's sources: Numba itself looks only at the file of the function that was called, and would run a
stale kernel after a change in a file that it uses. NUMBA_CACHE_DIR, where the user sets it, is left alone; so are
NUMBA_CPU_NAME and NUMBA_CPU_FEATURES, which a worker's environment may set. The kernels need no such setting, since
they say their vectors outright (lanes.py).
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])


def cache_home() -> Path:
    """Where this system keeps a user's caches."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def cache_directory() -> Path | None:
    """The first writable directory, for kernels of exactly these sources and this Numba."""
    digest = sha256(numba.__version__.encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    for root in (cache_home(), Path(tempfile.gettempdir(), f"cache-{os.getuid()}")):
        directory = root / "crosscheck" / digest.hexdigest()[:16]
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(directory, os.W_OK):
            return directory
    return None


CACHE_DIRECTORY = numba.config.CACHE_DIR or cache_directory()
if CACHE_DIRECTORY:
    numba.config.CACHE_DIR = str(CACHE_DIRECTORY)


def compiled(function: Function) -> Function:
    """A function that Numba compiles when it is first called, and keeps on disk where there is a place to."""
    kernel: Function = numba.njit(cache=bool(CACHE_DIRECTORY))(function)
    return kernel


class Announcer(event.Listener):  # type: ignore[misc]
    """Says once that a compilation has begun; a kernel that comes from the cache is silent."""

    def __init__(self, what: str) -> None:
        self.what, self.began = what, 0.0

    def on_start(self, event: object) -> None:
        if not self.began:
            self.began = time.perf_counter()
            print(f"compiling {self.what}: some seconds, once ...", end="", file=sys.stderr, flush=True)

    def on_end(self, event: object) -> None:
        """Compilations nest; `announced` ends the line."""


@contextmanager
def announce_compilation(what: str) -> Iterator[None]:
    """Within it, a compilation tells the user on stderr, in one line."""
    announcer = Announcer(what)
    with event.install_listener("numba:compile", announcer):
        yield
    if announcer.began:
        print(f" {time.perf_counter() - announcer.began:.1f} s", file=sys.stderr, flush=True)
