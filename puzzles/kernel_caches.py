"""Cache of kernels that Numba compiles, which all installations of the same sources share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import UserProvidedCacheLocator


class ByModule(UserProvidedCacheLocator):  # type: ignore[misc]
    """Folder of a module's kernels. Numba's own is named by the path of the source: each environment would compile."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(Path(numba.config.CACHE_DIR, function.__module__))


@contextmanager
def cached_in(directory: Path | None) -> Iterator[None]:
    """Let Numba cache the functions that are decorated meanwhile in a directory."""
    config = numba.config
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(directory or ""), f"{__name__}.{ByModule.__name__}"
    try:
        yield
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
