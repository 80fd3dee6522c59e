"""Packages that another one imports where it finds them, though the contender does not use them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def hidden(module: str) -> Iterator[None]:
    """Let imports in the block fail to find a module, whether or not it is loaded."""
    missing = object()
    loaded = sys.modules.get(module, missing)
    sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]
        if loaded is not missing:
            sys.modules[module] = loaded  # type: ignore[assignment]
