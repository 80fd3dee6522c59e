"""Recorder inside a recorded Python program, which imports this package by its path: standard library alone.

Solvers are wrapped as their modules are imported; the program itself stays as it is.
"""

import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from . import cpsat, pysat, z3

WRAPPERS: dict[str, Callable[[ModuleType], None]] = {
    "pysat.solvers": pysat.wrap,
    "z3.z3": z3.wrap,
    "ortools.sat.python.cp_model": cpsat.wrap,
}


class WrappingLoader(importlib.abc.Loader):
    """Loader of a module, which is wrapped once it is loaded."""

    def __init__(self, loader: importlib.abc.Loader, wrap: Callable[[ModuleType], None]) -> None:
        self.loader, self.wrap = loader, wrap

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        self.wrap(module)


class WrappingFinder(importlib.abc.MetaPathFinder):
    """Finder of the modules that are wrapped."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if (wrap := WRAPPERS.get(name)) is None:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = next((spec for finder in others if (spec := finder.find_spec(name, path, target))), None)
        if found is not None and found.loader is not None:
            found.loader = WrappingLoader(found.loader, wrap)
        return found


def install(own: str) -> None:
    """Wrap solvers from now on; `own` is the folder on the path that has started this, and is taken out again."""
    sys.path[:] = [folder for folder in sys.path if os.path.realpath(folder or ".") != os.path.realpath(own)]
    sys.meta_path.insert(0, WrappingFinder())
    this = sys.modules.pop("sitecustomize")
    if importlib.util.find_spec("sitecustomize"):  # that of the environment
        importlib.import_module("sitecustomize")
    sys.modules.setdefault("sitecustomize", this)
