"""Registry of backends, built-in and plug-ins.

An entry point of the group `crosscheck.backends` names a function without parameters that returns the backends of that
base name, the default first, with Missing for a variant that can't be loaded. Built-in backends are listed here in the
same form, so that they work from a bare checkout.

This module loads backends, plug-ins included: only workers and plug-in processes may call it with any name. The command
line uses `backends/contract/catalogue.py`, which has the same facts as data and imports no plug-in.

programs  commands of --program by name, as `backends/programs/backend.py` takes them
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Protocol, TypeVar

from backends.contract.answer import Backend, ConfigurableBackend
from backends.contract.cores import ScalableBackend, cores_of, with_threads
from backends.contract.description import Missing as Missing
from backends.contract.options import BadOption, base_of, parse_options, split_options
from backends.contract.seeds import with_seed
from puzzles.packages import SOLVERS, distribution_of
from puzzles.plugins import entries
from puzzles.plugins.text import reason

GROUP = "crosscheck.backends"
BUILT_IN = {
    "native": "backends.native:backends",
    "pysat": "backends.pysat:backends",
    "cpsat": "backends.cpsat:backends",
    "highs": "backends.highs:backends",
    "scip": "backends.scip:backends",
    "exact": "backends.exact:backends",
    "naps": "backends.naps:backends",
    "dimacs": "backends.programs.backend:dimacs",
    "wcnf": "backends.programs.backend:wcnf",
    "opb": "backends.programs.backend:opb",
    "xcsp3": "backends.programs.backend:xcsp3",
    "fzn": "backends.programs.backend:fzn",
    "lp": "backends.programs.backend:lp",
    "mps": "backends.programs.backend:mps",
    "mcc": "backends.programs.backend:mcc",
    "choco": "backends.choco:backends",
    "pumpkin": "backends.pumpkin:backends",
    "toulbar2": "backends.toulbar2:backends",
    "minizinc": "backends.minizinc:backends",
    "cpmpy": "backends.cpmpy:backends",
    "lines": "backends.programs.backend:lines",
    "z3": "backends.z3:backends",
    "cvc5": "backends.cvc5:backends",
    "clingo": "backends.clingo:backends",
    "cryptominisat": "backends.cryptominisat:backends",
    "models": "backends.counters:backends",
    "queries": "backends.queries:backends",
}
NO_PROGRAMS: Mapping[str, str] = MappingProxyType({})
MAX_SIMILAR = 6  # names in a message
NONE_KNOWN = "knows no program: define one with --program"
NONE_FOUND = "none of its known programs is installed: define one with --program"


class NoBackend(LookupError):
    """No backend has the name, or it is not installed; the text says what to do."""


class NamedBackend(Protocol):
    """A backend or its description."""

    @property
    def name(self) -> str: ...


B = TypeVar("B", bound=NamedBackend)


def bases() -> list[str]:
    """Return the base names, plug-ins first, without loading any."""
    return list(dict.fromkeys((*entries(GROUP), *BUILT_IN)))


def maker_of(base: str) -> Callable[[], Iterable[Backend | Missing]]:
    """Return the function that makes the backends of a base; a plug-in can't override a built-in name.

    Raises any exception of the import.
    """
    if base not in BUILT_IN:
        return entries(GROUP)[base].load()  # type: ignore[no-any-return]
    module, _, function = BUILT_IN[base].partition(":")
    return getattr(import_module(module), function)  # type: ignore[no-any-return]


@cache
def load_base(base: str) -> tuple[Backend | Missing, ...]:
    """Import a base and return its backends, the default first, with Missing for unavailable ones."""
    try:
        found = tuple(maker_of(base)())
    except (Exception, SystemExit) as e:  # one broken plug-in must not disable the others
        return (Missing(base, why_not_loaded(e, base)),)
    return found or (Missing(base, "it has no backends"),)


def why_not_loaded(error: BaseException, base: str) -> str:
    """Return why a base can't be loaded. A missing package is named only if the base's distribution requires it."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        if base in BUILT_IN:
            package = distribution_of(error.name.partition(".")[0])
        else:
            from puzzles.plugins.requirements import package_of

            package = package_of(error.name, entries(GROUP)[base])
        if package:
            return f"not installed: pip install {package}" + (f", or `get {base}`" if base in SOLVERS else "")
    return f"can't be loaded: {reason(error)}"


def known_base(name: str, programs: Mapping[str, str] = NO_PROGRAMS) -> str:
    """Return the base of a backend's name. Raises NoBackend, also for a name of --program without its base."""
    base = base_of(name)
    if base not in BUILT_IN and base not in bases():
        if base in programs:
            raise NoBackend(
                f"unknown backend {base!r}: name a program by the format that it reads: dimacs:{base}, wcnf:{base},"
                f" opb:{base}, xcsp3:{base}, fzn:{base}, lp:{base}, mps:{base}, mcc:{base} or lines:{base}"
            )
        near = similar(base)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(bases())};"
        raise NoBackend(f"unknown backend {base!r}: {hint} `list --backends` shows all")
    return base


def similar(name: str) -> list[str]:
    """Return names of built-in backends, missing ones too, that contain a name; else bases or variants like it."""
    from difflib import get_close_matches  # needed only for this error

    known = [part.name for base in BUILT_IN for part in load_base(base)]
    if name.lower() in known:
        return [name.lower()]
    matching = [full for full in known if name.lower() in full]
    matching.sort(key=lambda full: full.partition(":")[2] != name)
    if near := matching[:MAX_SIMILAR] or get_close_matches(name.lower(), bases()):
        return near
    variants = get_close_matches(name.lower(), (full.partition(":")[2] for full in known), n=1)
    return [full for full in known if full.partition(":")[2] in variants]


def pick(name: str, parts: Sequence[B | Missing]) -> B:
    """Return the backend of a name from those of its base; the base alone stands for the first. Raises NoBackend."""
    base = name.partition(":")[0]
    for part in parts:
        if not isinstance(part, Missing) and name in (part.name, base):
            return part
    for part in parts:
        if isinstance(part, Missing) and part.name in (name, base):
            raise NoBackend(f"backend {part.name!r}: {part.why}")
    raise NoBackend(f"unknown backend {name!r}: known are {', '.join(part.name for part in parts)}")


def find(name: str, programs: Mapping[str, str] = NO_PROGRAMS, seed: int | None = None) -> Backend:
    """Load the backend of a name, with its options, and a random seed if it takes one; a base name alone stands for its
    default.

    Raises NoBackend, BadOption.
    """
    plain, words = split_options(name)
    base = known_base(plain, programs)
    stated = plain.split(":")[1:2]  # the name of a program, or a variant
    made = named(plain, programs) if stated and stated[0] in programs else None  # goes before a known program
    try:
        backend = made or pick(plain, load_base(base))
    except NoBackend:
        made = named(plain, programs)
        if made is None:
            raise
        backend = made
    known = backend.options if isinstance(backend, ConfigurableBackend) else ()
    options = parse_options(backend.name, known, words)
    if isinstance(backend, ScalableBackend):
        backend = backend.on_cores(cores_of(name))
    if not isinstance(backend, ConfigurableBackend):
        return backend
    chosen = with_threads(known, options)
    if seed is not None and (seeded := with_seed(known, chosen, seed)) != chosen:
        with suppress(BadOption):  # choco has its seed with some searches alone
            return backend.configured(seeded)
    return backend.configured(chosen) if chosen else backend


def named(name: str, programs: Mapping[str, str]) -> Backend | None:
    """Return a backend that its base makes from a full name, as the bases of programs do. Raises NoBackend."""
    try:
        maker = maker_of(name.partition(":")[0])
    except (Exception, SystemExit):  # `load_base` reports the reason
        return None
    made: Backend | None = maker.named(name, programs) if hasattr(maker, "named") else None
    return made


@cache
def variants(base: str) -> tuple[Backend, ...] | Missing:
    """Load the available backends of a base name, the default first; if there are none, return Missing."""
    found = tuple(b for b in load_base(base) if not isinstance(b, Missing))
    return found or next(b for b in load_base(base) if isinstance(b, Missing))


def available() -> Iterable[Backend | Missing]:
    """Load all backends, base by base, with Missing for unavailable ones."""
    for base in bases():
        yield from load_base(base)
