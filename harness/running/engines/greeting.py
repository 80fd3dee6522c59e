"""Greeting of a Dask worker before anything else is sent to it: its identity, its machine, its packages and our source.

A worker that lacks a module ends when a task names it, and a function of another Python can't be loaded. So the
greeting travels as text, which the built-in `eval` runs: it loads nothing of ours that may be missing.
"""

import inspect
import platform
from dataclasses import dataclass
from functools import cache

from harness.model.release import installed
from harness.running.fingerprint import code_digest, shown

COMPARED = ("distributed", "numpy", "cloudpickle")


@dataclass(frozen=True)
class Greeting:
    """Answer of a worker; `error`: why our packages can't be loaded there.

    source  digest of our source, as it was when the worker loaded it        places  at most, by cores and threads
    """

    worker: str
    python: str
    packages: dict[str, str | None]
    source: str = ""
    error: str = ""
    places: int = 0

    def difference(self) -> str:
        """Return what differs from this process, in one line; '' if nothing does."""
        pairs: dict[str, tuple[str | None, str | None]] = {"Python": (platform.python_version(), self.python)}
        pairs |= {name: (installed(name), self.packages.get(name)) for name in COMPARED}
        if not self.error:
            pairs["source of Crosscheck"] = f"sha256 {loaded_source()}", f"sha256 {self.source}"
        differing = [f"{name}: {shown(a)} here, {shown(b)} there" for name, (a, b) in pairs.items() if a != b]
        return "; ".join([*differing, *([f"Crosscheck can't be loaded there: {self.error}"] if self.error else [])])


@cache
def loaded_source() -> str:
    """Return the digest of our source as this process found it first: it runs that, whatever the files say later."""
    return code_digest()


def hello(compared: tuple[str, ...], width: int) -> dict[str, object]:
    """Return the fields of a Greeting, at a worker; `width` cores make a place. It stands alone: its text travels."""
    import platform
    from importlib import metadata

    from distributed import get_worker

    packages: dict[str, str | None] = {}
    for name in compared:
        try:
            packages[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            packages[name] = None
    worker = get_worker()
    found: dict[str, object] = {"worker": worker.id, "python": platform.python_version(), "packages": packages}
    try:
        from harness.running.cores import most_places
        from harness.running.engines.greeting import loaded_source

        found |= {"source": loaded_source(), "places": min(worker.state.nthreads, most_places(width))}
    except Exception as e:
        found["error"] = f"{type(e).__name__}: {e}".partition("\n")[0]
    return found


def call(width: int) -> str:
    """Return the expression that greets, for `eval`."""
    source = inspect.getsource(hello)
    return f"(lambda names: (exec({source!r}, names), names['hello']({COMPARED!r}, {width}))[1])({{}})"
