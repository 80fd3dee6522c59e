"""`compile`: compile the native backends and the readers of large files into the cache, before any run."""

import argparse
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backends.native import Native
    from encoders.formula import Formula


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backends", nargs="*", metavar="BACKEND", help="native backends, or `readers` (default: all)")


def run(args: argparse.Namespace) -> int:
    """Open each compiled backend, load the readers' loops; print the CPU time, which is short for what is cached."""
    from importlib.util import find_spec
    from time import process_time

    import numpy as np

    from backends.native import Native, backends, compiled_version
    from encoders.formula import AllDifferent, Cnf
    from harness.model.errors import BadUsage
    from puzzles.boards.families import layout
    from puzzles.packages import install
    from puzzles.readers.compiled.loading import compile_all

    if find_spec("numba") is None:
        raise BadUsage(f"numba is not installed: {install('numba')}")
    variants = [b for b in backends() if isinstance(b, Native) and b.version == compiled_version()]
    units = layout("sudoku 3x3").units
    clauses = Cnf(np.array([1, 2, 0, -1, -2, 0], np.int32), 2, ((1, -1), (2, -2)))
    parts: dict[str, Callable[[], object]] = {  # the default backend is one of the others
        b.name: partial(opened, b, clauses if Cnf in b.accepts else AllDifferent(81, 9, units))
        for b in variants
        if b.name != "native"
    }
    parts["readers"] = compile_all
    if unknown := [name for name in args.backends if name not in parts]:
        raise BadUsage(f"{unknown[0]} is not compiled; {', '.join(parts)} are")

    from backends.native import compiling  # import numba before the first part

    if compiling.CACHE_DIRECTORY is None:
        raise BadUsage("no cache directory is writable: set NUMBA_CACHE_DIR")
    for name in args.backends or parts:
        began = process_time()
        parts[name]()
        print(f"{name:14} {process_time() - began:5.1f} s of CPU time", flush=True)
    return 0


def opened(backend: "Native", formula: "Formula") -> None:
    """Open a backend with a supported formula, and close the session."""
    backend.open(formula).close()
