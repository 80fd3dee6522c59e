"""Plug-ins: entry points of installed distributions, which only processes of their own and workers import.

Entry points are metadata, read without importing anything. A process with limits (`process.py`) describes a plug-in
once, and the description, plain data, is cached (`store.py`). A plug-in that exits, crashes, hangs or raises on import
is a PluginFailed with a reason of one line, and harms nothing else.

    group     name of a group of entry points, such as crosscheck.backends
    function  'module:function' of ours, which a plug-in process calls: it loads the plug-in and returns plain data
"""

import atexit
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from puzzles.plugins.text import PluginFailed as PluginFailed

if TYPE_CHECKING:  # what plug-ins need is imported only if there are any
    from importlib.metadata import EntryPoint

    from puzzles.plugins.process import PluginProcess

T = TypeVar("T")
imports_allowed = False  # True once this process may import plug-ins


def allow_imports() -> None:
    """Let this process import plug-ins: it is a worker or a plug-in process."""
    global imports_allowed
    imports_allowed = True


@cache
def entries(group: str) -> "Mapping[str, EntryPoint]":
    """Return the entry points of a group by name."""
    from importlib.metadata import entry_points

    return {e.name: e for e in entry_points(group=group)}


class Descriptions(Generic[T]):
    """Descriptions of the plug-ins of a group, made when first needed.

    `function` makes the data of one, given its name; `check` converts it and raises PluginFailed if it is invalid.
    Data with "lasting": false is not cached: the plug-in lacks something that may be installed later.
    """

    def __init__(self, group: str, function: str, check: Callable[[str, Any], T]) -> None:
        self.group, self.function, self.check = group, function, check
        self.known: dict[str, T | PluginFailed] = {}

    def of(self, names: Iterable[str]) -> dict[str, T | PluginFailed]:
        """Return the descriptions of plug-ins, or their failures; one process describes those not cached.

        If it ends, the plug-in that was being described gets a process of its own, since another one may have ended the
        process, and those that follow share a new one.
        """
        names = list(names)
        cold = [name for name in names if name not in self.known and not self.cached(name)]
        while cold:
            described = self.describe(cold)
            if described < len(cold) > 1:
                self.describe([cold[described]])
            cold = cold[described + 1 :]
        return {name: self.known[name] for name in names}

    def cached(self, name: str) -> bool:
        """Take a valid description from the cache; return True if the cache had one."""
        from puzzles.plugins import store

        data = store.read(entries(self.group)[name])
        try:
            if data is not None:
                self.known[name] = self.check(name, data)
        except PluginFailed:
            return False
        return data is not None

    def describe(self, names: list[str]) -> int:
        """Describe plug-ins in one process; return their number, which is smaller if a plug-in ends the process."""
        from puzzles.plugins import store
        from puzzles.plugins.process import PluginProcess

        with PluginProcess() as process:
            for described, name in enumerate(names):
                try:
                    data = process.call(self.function, name)
                    self.known[name] = self.check(name, data)
                    if data.get("lasting", True):
                        store.write(entries(self.group)[name], data)
                except PluginFailed as e:
                    self.known[name] = e
                if process.ended:
                    return described
        return len(names)


# Processes that serve calls, by group and name; they end with this one.
processes: "dict[tuple[str, str], PluginProcess]" = {}


@atexit.register
def close_processes() -> None:
    """End the processes that serve calls."""
    for process in processes.values():
        process.close()
    processes.clear()


def serving(group: str, name: str, *limits: Any) -> "PluginProcess":
    """Return the process that serves calls for a name, with these limits; the first call starts the process."""
    from puzzles.plugins.process import STARTING, PluginProcess

    with STARTING:
        if (group, name) not in processes:
            processes[group, name] = PluginProcess(*limits)
        return processes[group, name]


def call(group: str, name: str, function: str, *args: Any) -> Any:
    """Call a function of ours in the process of one plug-in. Raises PluginFailed."""
    return serving(group, name).call(function, *args)
