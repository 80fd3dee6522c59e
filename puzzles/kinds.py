"""Kinds of constraint and of objective: one file a kind in a package, whose KIND is its class."""

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

T = TypeVar("T", covariant=True)


class Kind(Protocol[T]):
    """The class of a constraint or an objective."""

    kind: str

    def from_data(self, data: dict[str, Any]) -> T:
        """Return the constraint or objective that `data` describes."""


def kinds_in(package: str, path: Iterable[str]) -> dict[str, Any]:
    """Return every kind of a package, by name; each module is imported."""
    modules = [importlib.import_module(f"{package}.{m.name}") for m in pkgutil.iter_modules(path)]
    return {module.KIND.kind: module.KIND for module in modules if hasattr(module, "KIND")}
