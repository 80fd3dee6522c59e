"""Directories of caches: descriptions of plug-ins, compiled kernels."""

import os
import sys
import tempfile
from hashlib import sha256
from pathlib import Path


def cache_home() -> Path:
    """Return the system's directory for user caches."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def remote_root() -> Path:
    """Return the folder of the files of corpora that were fetched."""
    return cache_home() / "crosscheck" / "corpora"


def data_home() -> Path:
    """Return the folder for what the user keeps."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "crosscheck"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "crosscheck"


def source_digest(sources: Path, compiler: str, having: bytes = b"") -> str:
    """Return the start of the digest of the compiler's version and all Python files below a folder that have a text."""
    digest = sha256(compiler.encode())
    for source in sorted(sources.rglob("*.py")):
        if having in (content := source.read_bytes()):
            digest.update(content)
    return digest.hexdigest()[:16]


def kernel_directory(sources: Path, compiler: str, chosen: str = "", having: bytes = b"") -> Path | None:
    """Return a writable directory for kernels compiled from these sources; None if no directory is writable.

    It is named by their digest, since Numba itself checks only the file of the called function: it would run a stale
    kernel, or fail to load one, after a change in a file that it imports. `chosen` is a directory of the user's,
    instead of the user's cache. Only files `having` a text count.
    """
    temporary = os.environ.get("CROSSCHECK_TMPDIR") or tempfile.gettempdir()  # the worker's own ends with the run
    default = cache_home() / "crosscheck", Path(temporary, f"cache-{os.getuid()}", "crosscheck")
    for root in (Path(chosen),) if chosen else default:
        directory = root / source_digest(sources, compiler, having)
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(directory, os.W_OK):
            return directory
    return None
