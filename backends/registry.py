"""Registry of backends, built-in and plug-ins, through one entry-point loader.

An entry point of the group `crosscheck.backends` names a function without parameters that returns the backends of that
base name, the default first, with Missing for a variant that can't be loaded. Built-in backends are listed here in the
same form, so that they work from a bare checkout.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from backends.answer import Backend

GROUP = "crosscheck.backends"
BUILT_IN = {
    "native": "backends.native:backends",
    "pysat": "backends.pysat:backends",
    "cpsat": "backends.cpsat:backends",
    "dimacs": "backends.programs:dimacs",
    "lines": "backends.programs:lines",
}
PIP = {"pysat": "python-sat", "pysolvers": "python-sat"}  # modules whose package has another name


@dataclass(frozen=True)
class Missing:
    """A backend, or all backends of a base name, that can't be loaded; `why` also says what to do."""

    name: str
    why: str


class NoBackend(LookupError):
    """No backend has that name, or it is not installed; the text says what to do."""


@cache
def bases() -> dict[str, EntryPoint]:
    """Return the entry point of each base name; a plug-in can't override a built-in name."""
    ours = [EntryPoint(name, value, GROUP) for name, value in BUILT_IN.items()]
    return {e.name: e for e in (*entry_points(group=GROUP), *ours)}


@cache
def load_base(base: str) -> tuple[Backend | Missing, ...]:
    """Return the backends of one base name, the default first, with Missing for unavailable ones."""
    try:
        found = tuple(bases()[base].load()())
    except ModuleNotFoundError as e:
        package = PIP.get(e.name or "", e.name)
        return (Missing(base, f"not installed: pip install {package}"),)
    except Exception as e:  # one broken plug-in must not disable the others
        return (Missing(base, f"can't be loaded: {type(e).__name__}: {e}"),)
    return found or (Missing(base, "none of its known programs is on the PATH: define one with --program"),)


@cache
def variants(base: str) -> tuple[Backend, ...] | Missing:
    """Return the available backends of one base name, the default first; Missing if none is."""
    found = tuple(b for b in load_base(base) if not isinstance(b, Missing))
    return found or missing(base)[0]


def missing(base: str) -> tuple[Missing, ...]:
    """Return the unavailable backends of one base name."""
    return tuple(b for b in load_base(base) if isinstance(b, Missing))


def named(name: str) -> Backend | None:
    """Return a backend that its base creates from a full name, as programs' do. Raises NoBackend."""
    try:
        maker = bases()[name.partition(":")[0]].load()
    except Exception:  # `missing` reports the reason
        return None
    made: Backend | None = maker.named(name) if hasattr(maker, "named") else None
    return made


def available() -> Iterable[Backend | Missing]:
    """Yield all backends, base by base, with Missing for unavailable ones."""
    for base in bases():
        yield from load_base(base)


def find(name: str) -> Backend:
    """Return the backend of that name; a base name alone stands for its default. Raises NoBackend."""
    base = name.partition(":")[0]
    if base not in bases():
        raise NoBackend(f"unknown backend {base!r}: known are {', '.join(bases())}")
    found = variants(base)
    for backend in () if isinstance(found, Missing) else found:
        if name in (backend.name, base):
            return backend
    if (made := named(name)) is not None:
        return made
    for lacking in missing(base):
        if lacking.name in (name, base):
            raise NoBackend(f"backend {lacking.name!r}: {lacking.why}")
    raise NoBackend(f"unknown backend {name!r}: known are {', '.join(b.name for b in load_base(base))}")
