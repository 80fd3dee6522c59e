"""Fingerprint of a place: texts, by name, that must be equal at every place of a run.

Times of one run are compared with each other, so solvers, their versions and their environment must not differ.
Hardware may: it is recorded, and no pair of outcomes spans two machines. Variables that hold only paths may differ too:
the files at these paths are compared by digest.
"""

import hashlib
import os
import resource
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backends.contract.options import base_of
from backends.contract.registry import BUILT_IN
from backends.contract.registry import GROUP as BACKENDS
from encoders.plugged import GROUP as ENCODINGS
from harness.model.contender import Contender, resolve
from harness.model.host import executables, versions
from harness.model.settings import RunSettings
from harness.running.environment import PACKAGES, ROOT, SLOW_DIGEST, check_passed, recorded_variables
from harness.running.programs import with_version
from puzzles.plugins import entries
from puzzles.plugins.store import sources

LOCATIONS = frozenset(("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"))
MISSING = "missing"
DIGEST = "sha256 "
LIMITS = {  # limits of a process, which solvers inherit: some change what a solver can solve
    "stack": resource.RLIMIT_STACK,
    "address space": resource.RLIMIT_AS,
    "data": resource.RLIMIT_DATA,
    "file size": resource.RLIMIT_FSIZE,
    "CPU time": resource.RLIMIT_CPU,
}
SHOWN, SHOWN_DIGEST = 60, 12  # characters of a value in a message


def fingerprint(names: Sequence[str], settings: RunSettings) -> dict[str, str]:
    """Return the fingerprint of this process for a run of these contenders. Raises BadUsage, LookupError."""
    check_passed(settings.pass_env)
    contenders, _ = resolve(names, settings.count, settings.pythons, settings.proof, settings.programs)
    recorded = recorded_variables(settings.pass_env, settings.salt)
    return {
        "source of Crosscheck": f"{DIGEST}{code_digest()}",
        **{name: version or MISSING for name, version in versions().items()},
        **{f"version of {c.name}": c.version for c in (with_version(c, settings) for c in contenders)},
        **dict(programs(settings, contenders)),
        **dict(plugins(contenders)),
        **{f"variable {k}": v for k, v in recorded.items() if k not in LOCATIONS},
        **{f"limit of {name}": limit(number) for name, number in LIMITS.items()},
    }


def programs(settings: RunSettings, contenders: Sequence[Contender]) -> Iterator[tuple[str, str]]:
    """Yield the digests of all files that a run executes, without their folders."""
    found = executables(settings.programs, settings.pythons, [c.backend for c in contenders], settings.checkers)
    for name, digest in found.items():
        option, _, path = name.partition(": ")
        yield f"{option} {Path(path).name}", f"{DIGEST}{digest}" if digest else MISSING


def plugins(contenders: Sequence[Contender]) -> Iterator[tuple[str, str]]:
    """Yield the digests of the Python files of all plug-ins that contenders name, without their folders."""
    named = {(BACKENDS, base_of(c.backend)) for c in contenders} | {(ENCODINGS, c.encoding) for c in contenders}
    for group, name in sorted(named - {(BACKENDS, base) for base in BUILT_IN}):
        if name in entries(group):
            files = sources(entries(group)[name].module)
            top = Path(os.path.commonpath([file.parent for file in files])) if files else ROOT
            yield f"plug-in {name}", f"{DIGEST}{digest_of(files, top)}" if files else MISSING


def limit(number: int) -> str:
    """Return a limit of this process as text."""
    soft, _ = resource.getrlimit(number)
    return "none" if soft == resource.RLIM_INFINITY else str(soft)


def code_digest() -> str:
    """Return the digest of our own source."""
    return digest_of([path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))], ROOT)


def digest_of(files: Sequence[Path], top: Path) -> str:
    """Return the digest of the names of files below a folder, and of their content."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(top).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def difference(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Return the differences of two fingerprints in one line; '' if they are equal."""
    differing = [name for name in {**here, **there} if here.get(name) != there.get(name)]
    return "; ".join(f"{name}: {shown(here.get(name))} here, {shown(there.get(name))} there" for name in differing)


def shown(value: str | None) -> str:
    """Return a value for a message."""
    text = MISSING if value is None else value if value.isprintable() else repr(value)
    kind = next((kind for kind in (DIGEST, SLOW_DIGEST) if text.startswith(kind)), "")
    most = len(kind) + SHOWN_DIGEST if kind else SHOWN
    return text if len(text) <= most else f"{text[:most]}..."
