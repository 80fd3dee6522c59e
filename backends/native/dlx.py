"""Dancing links, compiled: the functions of links.py, on arrays."""

from types import FunctionType
from typing import Any

import numpy as np

from backends.contract.answer import Ask
from backends.native import links
from backends.native.budget import SearchSession
from backends.native.compiling import announce_compilation, compiled, internal
from backends.native.exact_cover import Cover, exact_cover
from backends.native.intrinsics import nanoseconds
from backends.native.links import Links
from backends.native.memory import elements, view, words
from encoders.formula import Formula
from puzzles.problem.arrays import Int32Array, Int64Array

# The globals of the compiled functions: each other, and the clock of compiled code.
NAMES = {**vars(links), "nanoseconds": nanoseconds}
for function in (links.cover, links.uncover, links.turn, links.choose, links.link, links.advance):
    NAMES[function.__name__] = internal(FunctionType(function.__code__, NAMES, function.__name__))
link, advance = NAMES["link"], NAMES["advance"]


@compiled
def link_options(memory: Int64Array, options: Int32Array) -> None:
    """Make the rings of these options; the memory is words."""
    link(view(memory, Links), options)


@compiled
def search(memory: Int64Array, resumed: bool, nodes: int, end: int) -> int:
    """Search for a solution, as links.advance."""
    ending: int = advance(view(memory, Links), resumed, nodes, end)
    return ending


class CompiledDancing(links.Dancing):
    """An exact cover, and its rings in arrays."""

    def __init__(self, form: Cover) -> None:
        super().__init__(form)
        fields = zip(self.links, elements(Links).values(), strict=True)
        arrays: list[Any] = [x if kind is None else np.array(x, kind) for x, kind in fields]
        self.links = Links(*arrays)
        self.memory = words(self.links)

    def link(self, options: list[int]) -> None:
        link_options(self.memory, np.array(options, np.int32))

    def advance(self, resumed: bool, nodes: int, end: int) -> int:
        return search(self.memory, resumed, nodes, end)


def open(formula: Formula) -> SearchSession[CompiledDancing]:  # noqa: A001 - every variant's module has this name
    """Return a session on a board or on sums; its code is compiled now or loaded from the cache. Raises Unsupported."""
    session = SearchSession(CompiledDancing(exact_cover(formula)), CompiledDancing.solutions)
    with announce_compilation("native:dlx"):
        SearchSession(CompiledDancing(Cover(1, 1, 1, ((0,),), ((0, 0),))), CompiledDancing.solutions).ask(Ask((1,)))
    return session
