"""Cached descriptions of plug-ins: one small file each in the user's cache directory.

A description is valid for the distribution's version, those of its requirements, this Python, and the size and time of
each source file of the plug-in's package. A plug-in whose files can't be found without importing it is not cached, and
nothing fails if the directory can't be written.
"""

import json
import os
import sys
import tempfile
from contextlib import suppress
from hashlib import sha256
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, PackageNotFoundError, version
from pathlib import Path
from typing import Any

from puzzles.caches import cache_home
from puzzles.plugins.requirements import required

FORMAT = 1  # version of the descriptions; raise it when their content changes


def sources(module: str) -> list[Path]:
    """Return the files of a module, or of its package; none if they can't be found."""
    spec = PathFinder.find_spec(module.partition(".")[0], sys.path)
    if spec is None:
        return []
    if spec.submodule_search_locations is None:
        return [Path(spec.origin)] if spec.origin else []
    return sorted(path for folder in spec.submodule_search_locations for path in Path(folder).rglob("*.py"))


def installed(package: str) -> str:
    """Return the version of a distribution, or '' if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def key(entry: EntryPoint) -> list[Any] | None:
    """Return everything that a plug-in's description depends on, or None if this can't be found out."""
    try:
        files = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sources(entry.module)]
    except OSError:
        return None
    if not files or entry.dist is None:
        return None
    needed = [(name, installed(name)) for name in sorted(required(entry))]
    found = [FORMAT, sys.version, entry.group, entry.name, entry.value, entry.dist.name, entry.dist.version]
    plain: list[Any] = json.loads(json.dumps([*found, needed, files]))
    return plain


def path_of(entry: EntryPoint) -> Path:
    """Return the file of a plug-in's description: one for each group, name and installation."""
    identity = json.dumps([entry.group, entry.name, entry.value, sys.prefix])
    return cache_home() / "crosscheck" / "plugins" / f"{sha256(identity.encode()).hexdigest()[:32]}.json"


def read(entry: EntryPoint) -> dict[str, Any] | None:
    """Return the cached description of a plug-in, or None if the cache has no valid one."""
    now = key(entry)
    if now is None:
        return None
    try:
        kept = json.loads(path_of(entry).read_bytes())
    except (OSError, ValueError):
        return None
    fits = isinstance(kept, dict) and kept.get("key") == now and isinstance(kept.get("data"), dict)
    return kept["data"] if fits else None


def write(entry: EntryPoint, data: dict[str, Any]) -> None:
    """Cache the description of a plug-in if possible."""
    now, path = key(entry), path_of(entry)
    if now is None:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        fd, name = tempfile.mkstemp(dir=path.parent)
        try:
            with open(fd, "w") as file:
                json.dump({"key": now, "data": data}, file)
            os.replace(name, path)
        except OSError:
            os.unlink(name)
