"""Compiled loops as functions, loaded from the user's cache by llvmlite in 30 ms; Numba takes 350 ms and 110 MiB.

The cache holds the object code of each loop after its digest, in a directory named by the digest of the loops' sources,
llvmlite's version and the kind of machine. What is damaged is compiled anew. Without Numba, without a cache, or where
nothing is to be compiled (NUMBA_DISABLE_JIT), there are no functions, and the plain readers read everything.

Small files are not worth the loading, and files that are not large are not worth the compilation, about 1 s a loop.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from ctypes import CFUNCTYPE, byref, c_int32, c_int64, c_void_p
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzles.caches import kernel_directory
from puzzles.readers.compiled.loops import SIGNATURES

Loop = Callable[..., int]  # arguments are integers, bytes, and addresses of arrays
LEAST_BYTES = {"cnf": 8 << 20, "wcnf": 4 << 20, "opb": 1 << 20}  # of a file for which loops are loaded
TIMES_TO_COMPILE = 8  # as many bytes: loops that are not cached are compiled
DIGEST_BYTES = 32
NO = ("", "0")
LOADED: dict[str, Loop] = {}


def loops_for(form: str, size: int, *names: str) -> list[Loop] | None:
    """Return the loops for a file of a format, of about `size` bytes; None if the file is small, or there are none."""
    if size < LEAST_BYTES[form] or os.environ.get("NUMBA_DISABLE_JIT", "0") not in NO:
        return None
    directory = cache_directory()
    if directory is None:
        return None
    large = size >= TIMES_TO_COMPILE * LEAST_BYTES[form]
    found = [stored_loop(directory, name) or (new_loop(directory, name) if large else None) for name in names]
    return None if None in found else [loop for loop in found if loop]


def compile_all() -> None:
    """Load every loop, compiled if it is not cached."""
    loops_for("cnf", TIMES_TO_COMPILE * LEAST_BYTES["cnf"], *SIGNATURES)


@cache
def cache_directory() -> Path | None:
    """Return the directory of the compiled loops; None if there is none, or no llvmlite."""
    try:
        from llvmlite import __version__
        from llvmlite.binding import get_process_triple
    except ModuleNotFoundError:
        return None
    compiler = f"readers, llvmlite {__version__}, {get_process_triple()}"
    return kernel_directory(Path(__file__).parent, compiler, os.environ.get("NUMBA_CACHE_DIR", ""))


def stored_loop(directory: Path, name: str) -> Loop | None:
    """Return a loop that is loaded or cached, None if it is neither."""
    if name not in LOADED:
        with suppress(OSError):
            stored = (directory / f"{name}.o").read_bytes()
            if stored[:DIGEST_BYTES] == sha256(stored[DIGEST_BYTES:]).digest():
                LOADED[name] = loaded(name, stored[DIGEST_BYTES:])
    return LOADED.get(name)


def new_loop(directory: Path, name: str) -> Loop | None:
    """Compile a loop and cache it; None without Numba."""
    try:
        from puzzles.readers.compiled.compiling import object_code
    except ModuleNotFoundError:
        return None
    code = object_code(name)
    path = directory / f"{name}.{os.getpid()}"
    with suppress(OSError):
        path.write_bytes(sha256(code).digest() + code)
        path.replace(directory / f"{name}.o")
    with suppress(OSError):
        path.unlink(missing_ok=True)
    LOADED[name] = loaded(name, code)
    return LOADED[name]


def loaded(name: str, code: bytes) -> Loop:
    """Return the function of object code, in which the addresses of result and exception come before the arguments."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    engine = binding.create_mcjit_compiler(
        binding.parse_assembly(""), binding.Target.from_default_triple().create_target_machine(jit=True)
    )
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    plain = [c_void_p if kind.endswith("*") else c_int64 for kind in SIGNATURES[name]]
    function = CFUNCTYPE(c_int32, c_void_p, c_void_p, *plain)(engine.get_function_address(name))

    def loop(*args: Any) -> int:
        result, raised = c_int64(), c_void_p()
        if function(byref(result), byref(raised), *args):
            raise AssertionError(f"{name} of {engine.name} raised an exception")
        return result.value

    return loop
