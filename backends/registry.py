"""Which backends there are: ours and plug-ins, through the same entry-point loader.

An entry point of the group `crosscheck.backends` names a function without parameters that returns the backends of that
base name, its default first; a variant that lacks something is among them as Missing. Ours are listed here in the same
form, so they work from a bare checkout.
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
PIP = {"pysat": "python-sat", "pysolvers": "python-sat"}  # where the package to install is not named as the module


@dataclass(frozen=True)
class Missing:
    """A backend, or a base name with all of its backends, that can't be loaded, and what to do about it."""

    name: str
    why: str


class NoBackend(LookupError):
    """No backend of that name, or not installed; the text says which, and what to do."""


@cache
def bases() -> dict[str, EntryPoint]:
    """Every base name and where its backends come from; a plug-in can't take a built-in name."""
    ours = [EntryPoint(name, value, GROUP) for name, value in BUILT_IN.items()]
    return {e.name: e for e in (*entry_points(group=GROUP), *ours)}


@cache
def loaded(base: str) -> tuple[Backend | Missing, ...]:
    """The backends of one base name, the default first, and what is missing of them; or one Missing for all."""
    try:
        found = tuple(bases()[base].load()())
    except ModuleNotFoundError as e:
        package = PIP.get(e.name or "", e.name)
        return (Missing(base, f"not installed: pip install {package}"),)
    except Exception as e:  # a plug-in's own failure must not take the others with it
        return (Missing(base, f"can't be loaded: {type(e).__name__}: {e}"),)
    return found or (Missing(base, "without any program known to it on the PATH: name one with --program"),)


@cache
def variants(base: str) -> tuple[Backend, ...] | Missing:
    """The backends of one base name that are there, the default first."""
    found = tuple(b for b in loaded(base) if not isinstance(b, Missing))
    return found or missing(base)[0]


def missing(base: str) -> tuple[Missing, ...]:
    """What is not there of one base name."""
    return tuple(b for b in loaded(base) if isinstance(b, Missing))


def named(name: str) -> Backend | None:
    """A backend that its base makes when it is named, as those of programs do. Raises NoBackend."""
    try:
        maker = bases()[name.partition(":")[0]].load()
    except Exception:  # `variants` says why
        return None
    made: Backend | None = maker.named(name) if hasattr(maker, "named") else None
    return made


def available() -> Iterable[Backend | Missing]:
    """All backends, base by base, and what is missing."""
    for base in bases():
        yield from loaded(base)


def find(name: str) -> Backend:
    """The backend of that name; a base alone is its default. Raises NoBackend."""
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
    raise NoBackend(f"unknown backend {name!r}: known are {', '.join(b.name for b in loaded(base))}")
