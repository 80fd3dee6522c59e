"""Problems as bytes, for journals and workers: a line of JSON, then the bytes of arrays."""

import json
from typing import TYPE_CHECKING, Any

from puzzles.problem import Problem
from puzzles.problem.content import attach, detach, little_endian

if TYPE_CHECKING:  # numpy is imported at its first use
    import numpy.typing as npt

    Array = npt.NDArray[Any]

REMEMBERED, REMEMBERED_BYTES = "dumped", 1 << 12  # name of the attribute


def dump(problem: Problem) -> bytes:
    """Return the bytes of a problem for journals and workers; equal name and content give equal bytes.

    One line of JSON, and if the problem has arrays a line feed and the bytes of all arrays. Short ones are remembered.
    """
    if remembered := vars(problem).get(REMEMBERED):
        return remembered  # type: ignore[no-any-return]
    arrays: list[Array] = []
    header = detach({"name": problem.name, **problem.content()}, arrays)
    text = json.dumps(header, separators=(",", ":")).encode()
    content = b"".join([text, b"\n", *map(little_endian, arrays)]) if arrays else text
    if len(content) <= REMEMBERED_BYTES:
        vars(problem)[REMEMBERED] = content
    return content


def decoded(content: str | bytes) -> Any:
    """Return the data of a dumped problem, with its arrays. Raises ValueError if the content is damaged."""
    raw = content.encode() if isinstance(content, str) else content
    text, arrays, rest = raw.partition(b"\n")
    data = json.loads(text)
    return attach(data, memoryview(rest)) if arrays else data
