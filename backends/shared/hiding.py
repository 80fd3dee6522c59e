"""Hide optional packages that a solver's package imports without need."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class ClassesOf(ModuleType):
    """Stand-in for a package of which an import needs only classes, for annotations and isinstance.

    While the package is not loaded, no object is an instance of its classes, so empty classes stand for them. From when
    it is loaded they are its own.
    """

    def __init__(self, module: str) -> None:
        super().__init__(module)
        self.empty: dict[str, type] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        loaded = sys.modules.get(self.__name__)
        if loaded is None or loaded is self:
            return self.empty.setdefault(name, type(name, (), {}))
        return getattr(loaded, name)


@contextmanager
def hidden(module: str, stand_in: ModuleType | None = None) -> Iterator[None]:
    """Let imports in the block find a stand-in for a module, or no such module, whether or not it is loaded."""
    missing = object()
    loaded = sys.modules.get(module, missing)
    sys.modules[module] = stand_in  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[module]
        if loaded is not missing:
            sys.modules[module] = loaded  # type: ignore[assignment]
