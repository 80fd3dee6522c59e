"""Directory of caches: descriptions of plug-ins, compiled kernels."""

import os
import sys
from pathlib import Path


def cache_home() -> Path:
    """Return the system's directory for user caches."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
