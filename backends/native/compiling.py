"""Compilation with Numba: cached, and announced to the user.

Kernels are cached in the user's cache directory, since an installation may be read-only, under a digest of this
package's sources, so that all installations of them share it. Numba itself checks only the file of the called function,
and would run a stale kernel after a change in an imported file, even in the layout of memory (memory.py). A
NUMBA_CACHE_DIR set by the user is the folder instead; NUMBA_CPU_NAME and NUMBA_CPU_FEATURES, which a worker's
environment may set, are respected. The kernels do not need them, since their vectors are explicit (lanes.py).

No kernel allocates: without Numba's run-time system (`_nrt`) no references to arrays are counted, since counting took
solvers with many arrays three quarters of their time.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numba
from numba.core import event, types
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.core.types.misc import unliteral

from puzzles.caches import kernel_directory
from puzzles.kernel_caches import cached_in

Function = TypeVar("Function", bound=Callable[..., Any])

KNOWN_NUMBA = numba.__version__.startswith("0.68.")  # version of Numba whose internals Inner and Outer use
CACHE_DIRECTORY = kernel_directory(Path(__file__).parent, numba.__version__, numba.config.CACHE_DIR)


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """LLVM module of an inner function, not optimised apart: Numba optimises it again in each caller.

    Here only the outermost caller's module, which holds all the others, is optimised and made machine code.
    """

    def _optimize_final_module(self) -> None:
        """Do nothing."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    serialize_using_object_code = JITCodeLibrary.serialize_using_bitcode


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):  # type: ignore[misc]
    """Lowering of an inner function."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        nothing = [state.library]  # Numba tells functions apart by their entry points
        state["cr"] = lowered._replace(cfunc=nothing.copy)
        state.targetctx.insert_user_function(nothing.copy, lowered.fndesc, [state.library])
        return True


class TypingMemo:
    """Numba's typing context, resolving each operator, attribute and constructor only once for the same types.

    Numba itself tries up to fifty overloads at each occurrence of an operator, each time that it infers a loop anew.
    """

    signatures: ClassVar[dict[Any, Any]] = {}

    def __init__(self, context: Any) -> None:
        self.context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self.context, name)

    def resolve_function_type(self, function: Any, args: Any, kws: Any) -> Any:
        """Return the signature of a call; Numba itself remembers the signature of a compiled function."""
        resolve = self.context.resolve_function_type
        if kws or isinstance(function, types.Dispatcher):
            return resolve(function, args, kws)
        key = function, args, tuple(map(type, args))  # a subscript may be True or 1
        if self.signatures.get(key) is None:
            self.signatures[key] = resolve(function, args, kws)
        return self.signatures[key]


class Outer(Compiler):  # type: ignore[misc]
    """Numba's compiler with TypingMemo."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.state.typingctx = TypingMemo(self.state.typingctx)


class Inner(Outer):
    """Numba's compiler with TypingMemo and InnerLowering."""

    def define_pipelines(self) -> list[Any]:
        (passes,) = super().define_pipelines()
        passes.passes = [(InnerLowering if p is NativeLowering else p, why) for p, why in passes.passes]
        return [passes]


class WarmCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function, which loads a kernel without Numba's typing of NumPy, which compilers need."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return self._load_overload(sig, target_context)


def jitted(function: Function, pipeline: type[Compiler], **options: Any) -> Function:
    """Compile a function on its first call, and cache it if there is a cache."""
    options |= {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
    options |= {"pipeline_class": pipeline} if KNOWN_NUMBA else {}
    with cached_in(CACHE_DIRECTORY):
        kernel: Any = numba.njit(cache=bool(CACHE_DIRECTORY), **options)(function)
        if KNOWN_NUMBA and CACHE_DIRECTORY and not numba.config.DISABLE_JIT:
            kernel._cache = WarmCache(function)
    return kernel  # type: ignore[no-any-return]


def compiled(function: Function) -> Function:
    """Decorate a function that Python calls; it is cached on disk with its callees."""
    return jitted(function, Outer)


def internal(function: Function, **options: Any) -> Function:
    """Decorate a function for compiled callers only; it is cached even if the process is killed while compiling others.

    Constants and signed integers are passed as int64; else each type would have its own version.
    """
    kernel: Any = jitted(function, Inner, no_cpython_wrapper=True, **options)
    if not numba.config.DISABLE_JIT:
        template = kernel.get_call_template
        kernel.get_call_template = lambda args, kws: template(tuple(map(wide, args)), kws)
    return kernel  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """Decorate a function for compiled callers only, which is inlined in its callers."""
    return internal(function, forceinline=True)


def wide(kind: Any) -> Any:
    """Return the type that callees receive for an argument."""
    plain = unliteral(kind)
    return types.int64 if plain in types.signed_domain else plain


class Announcer(event.Listener):  # type: ignore[misc]
    """Listener that announces the first compilation; loading a kernel from the cache is none."""

    def __init__(self, what: str) -> None:
        self.what, self.began = what, 0.0

    def on_start(self, event: object) -> None:
        if not self.began:
            self.began = time.perf_counter()
            print(f"compiling {self.what} (only once, takes some seconds) ...", end="", file=sys.stderr, flush=True)

    def on_end(self, event: object) -> None:
        """Do nothing: compilations nest, so `announce_compilation` ends the line."""


@contextmanager
def announce_compilation(what: str) -> Iterator[None]:
    """Context in which a compilation prints one line to stderr, with its time."""
    announcer = Announcer(what)
    with event.install_listener("numba:compile", announcer):
        yield
    if announcer.began:
        print(f" {time.perf_counter() - announcer.began:.1f} s", file=sys.stderr, flush=True)
