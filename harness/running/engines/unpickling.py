"""Pickles that Dask may load in a process of a cluster: those of names on a list, and of nothing else.

Dask pickles types, errors, and functions of tasks, and loads what arrives, wherever it comes from; the pickle of an
attacker calls any function. So the modules of Dask that load pickles get a `pickle` here that knows a few names, which
have no effects at a client and a scheduler. Orders, leases and results need none: they are bytes (`messages.py`).
"""

import builtins
import importlib
import io
import pickle
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

USERS = ("protocol.pickle", "client", "scheduler", "shuffle._core", "shuffle._pickle")  # modules of Dask
Names = Mapping[tuple[str, str], Any]


class Ended(Exception):
    """Stands for Dask's KilledWorker: the process of a place has ended."""


class Refused(AttributeError):  # as of a name that does not exist, which Dask expects
    """A pickle of a name that is not on the list."""


class Inert:
    """Stands for a part of a message that is not looked at."""

    def __init__(self, *_: object, **__: object) -> None:
        """Take anything."""

    def __setstate__(self, state: object) -> None:
        """Take anything."""

    def extend(self, items: object) -> None:
        """Take anything."""

    def __setitem__(self, key: object, item: object) -> None:
        """Take anything."""


class Bytes(bytes):
    """Stands for the type of messages, and makes none: bytes(1 << 40) are many."""

    def __new__(cls, *_: object) -> "Bytes":
        return super().__new__(cls)


def error(kind: object, values: Any, *_: object) -> Exception:
    """Stand-in for tblib's function: an error of a permitted kind, without its cause and traceback."""
    return kind(*values) if isinstance(kind, type) and issubclass(kind, Exception) else Refused("an error")


def error_with(kind: object, attributes: dict[str, Any], *_: object) -> Exception:
    """Stand-in for tblib's function from version 3.2 on."""
    return error(kind, attributes.get("args", ()))


def no_traceback(*_: object) -> None:
    """Stands for tblib's tracebacks."""


ERRORS: Names = {
    ("tblib.pickling_support", "unpickle_exception"): error,
    ("tblib.pickling_support", "unpickle_exception_with_attrs"): error_with,
    ("tblib.pickling_support", "unpickle_traceback"): no_traceback,
    ("tblib", "Frame"): Inert,
    ("tblib", "Code"): Inert,
    ("tblib", "Traceback"): Inert,
}
CLIENT: Names = {
    ("builtins", "bytes"): Bytes,
    **ERRORS,
    ("distributed.scheduler", "KilledWorker"): Ended,
    ("distributed.scheduler", "WorkerState"): Inert,
    ("distributed.core", "Status"): Inert,
    ("collections", "deque"): Inert,
    ("collections", "defaultdict"): Inert,
    ("builtins", "int"): Inert,
}
TASKS = ("describe", "hear_refusal", "open_run", "run_lease")  # functions of ours that a place runs
CALLS = ("end_run", "identity_of", "places_of", "remove_place", "runs_of")  # and those that a scheduler runs
AS_IT_IS = object()  # stands for what has the name
GRAPH: Names = {
    ("dask._task_spec", "Task"): AS_IT_IS,
    ("dask._task_spec", "Alias"): AS_IT_IS,
    **{("harness.running.engines.dask_place", name): AS_IT_IS for name in TASKS},
}
SCHEDULER: Names = {
    ("dask._expr", "Expr._reconstruct"): AS_IT_IS,
    ("dask._expr", "LLGExpr"): AS_IT_IS,
    **ERRORS,
    **GRAPH,
    **{("harness.running.engines.scheduler_calls", name): AS_IT_IS for name in CALLS},
}
PLACE: Names = {("distributed.shuffle._worker_plugin", "ShuffleWorkerPlugin"): AS_IT_IS, **ERRORS, **GRAPH}


def restrict(names: Names) -> Callable[[], None]:
    """Let Dask in this process load pickles of these names and of built-in exceptions; return a function to undo it."""
    modules: list[Any] = [importlib.import_module(f"distributed.{name}") for name in USERS]
    before = [module.pickle for module in modules]

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            found = names.get((module, name)) or builtin_exception(module, name)
            if found is None:
                raise Refused(f"a pickle of {module}.{name}".partition("\n")[0])
            return super().find_class(module, name) if found is AS_IT_IS else found

    def loads(data: Any, /, *, buffers: Any = None, **_: object) -> Any:
        return Unpickler(io.BytesIO(data), buffers=buffers).load()

    limited = SimpleNamespace(**{**vars(pickle), "loads": loads, "load": None})
    for module in modules:
        module.pickle = limited

    def undo() -> None:
        for module, old in zip(modules, before, strict=True):
            module.pickle = old

    return undo


def builtin_exception(module: str, name: str) -> Any:
    """Return the built-in exception of this name, None for any other name."""
    found = getattr(builtins, name, None) if module == "builtins" else None
    return found if isinstance(found, type) and issubclass(found, Exception) else None
