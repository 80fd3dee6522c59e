"""Compilation of the loops by Numba, into object code that is loaded later without Numba."""

from types import FunctionType

import numba
from llvmlite import binding
from numba import types

from puzzles.readers.compiled import loops

OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "no_cpython_wrapper": True, "_nrt": False}


def object_code(name: str) -> bytes:
    """Return the object code of a loop, in which its function has the loop's name."""
    namespace = dict(vars(loops))
    for inner in loops.INNER:
        function = FunctionType(getattr(loops, inner).__code__, namespace, inner)
        namespace[inner] = numba.njit(forceinline=True, **OPTIONS)(function)
    signature = types.int64(*map(numba_type, loops.SIGNATURES[name]))
    dispatcher = numba.njit(signature, **OPTIONS)(FunctionType(getattr(loops, name).__code__, namespace, name))
    (text,) = dispatcher.inspect_llvm().values()
    symbol = dispatcher.overloads[dispatcher.signatures[0]].fndesc.llvm_func_name
    machine = binding.Target.from_default_triple().create_target_machine(opt=3, jit=True)
    return bytes(machine.emit_object(binding.parse_assembly(str(text).replace(symbol, name))))


def numba_type(name: str) -> types.Type:
    """Return Numba's type of an argument; `int32*` is a pointer to int32."""
    plain = getattr(types, name.removesuffix("*"))
    return types.CPointer(plain) if name.endswith("*") else plain
