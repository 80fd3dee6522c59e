"""`compile`: compile the native backends into the cache, so that no run waits for it."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backends", nargs="*", metavar="BACKEND", help="native backends (default: all that compile)")


def run(args: argparse.Namespace) -> int:
    """Open each compiled backend; print the CPU time that this took, which is short for cached kernels."""
    from importlib.util import find_spec
    from time import process_time

    import numpy as np

    from backends.native import Native, backends, compiled_version
    from encoders.formula import AllDifferent, Cnf
    from harness.model.errors import BadUsage
    from puzzles.boards.families import layout
    from puzzles.packages import install

    if find_spec("numba") is None:
        raise BadUsage(f"numba is not installed: {install('numba')}")
    variants = [b for b in backends() if isinstance(b, Native) and b.version == compiled_version()]
    parts = {b.name: b for b in variants if b.name != "native"}  # the default is one of the others
    if unknown := [name for name in args.backends if name not in parts]:
        raise BadUsage(f"{unknown[0]} is not compiled; {', '.join(parts)} are")

    from backends.native import compiling  # import numba before the first part

    if compiling.CACHE_DIRECTORY is None:
        raise BadUsage("no cache directory is writable: set NUMBA_CACHE_DIR")
    units = layout("sudoku 3x3").units
    clauses = Cnf(np.array([1, 2, 0, -1, -2, 0], np.int32), 2, ((1, -1), (2, -2)))
    for name in args.backends or parts:
        began = process_time()
        parts[name].open(clauses if Cnf in parts[name].accepts else AllDifferent(81, 9, units)).close()
        print(f"{name:14} {process_time() - began:5.1f} s of CPU time", flush=True)
    return 0
