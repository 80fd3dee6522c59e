"""Limits of the messages that Dask reads in a process of a cluster, applied before their bytes are in memory.

Dask reads as many bytes as a message announces, and inflates what says that it is compressed. Here a message that
announces more than is expected of its sender ends the connection, and no message is compressed.
"""

from collections.abc import Callable
from contextlib import ExitStack
from contextvars import ContextVar
from typing import Any

MOST = 1 << 26  # bytes of a message to a scheduler or to a place: what is larger travels in pieces (`contents.py`)
LEFT: ContextVar[list[int]] = ContextVar("LEFT")  # bytes that the message which is read may still have
Limit = Callable[[str], int]  # bytes of a message of the process at an address


class MessageTooLarge(OSError):
    """A message over its limit, which was not read."""


def most(_: str) -> int:
    """Return the limit of messages to a scheduler or a place."""
    return MOST


def limit_messages(limit: Limit = most) -> Callable[[], None]:
    """Let Dask in this process refuse messages over a limit, and compressed ones; return a function that undoes it."""
    import dask
    from distributed.comm import tcp
    from distributed.protocol import compression

    read, read_bytes, known = tcp.TCP.read, tcp.read_bytes_rw, dict(compression.compressions)

    async def limited_read(self: Any, deserializers: Any = None) -> Any:
        LEFT.set([limit(self.peer_address)])
        return await read(self, deserializers)

    async def limited_read_bytes(stream: Any, n: int) -> Any:
        left = LEFT.get()
        if n > left[0]:
            raise MessageTooLarge(f"a message of {n:,} bytes")
        left[0] -= n
        return await read_bytes(stream, n)

    undo = ExitStack()
    undo.enter_context(dask.config.set({"distributed.comm.compression": False}))
    tcp.TCP.read, tcp.read_bytes_rw = limited_read, limited_read_bytes
    for name in [name for name in known if name]:
        del compression.compressions[name]

    @undo.callback
    def restore() -> None:
        tcp.TCP.read, tcp.read_bytes_rw = read, read_bytes
        compression.compressions.update(known)

    return undo.close
