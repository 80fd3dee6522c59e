"""A message over its limit is not read: neither by the length that it announces nor by what it would inflate to."""

import asyncio
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

import distributed
from distributed.comm import connect, listen
from distributed.protocol import compression

from harness.model.settings import RunSettings
from harness.running.engines.layout import encode
from harness.running.engines.limiting import MessageTooLarge, limit_messages
from harness.running.engines.messages import ANSWER, LeaseReply
from harness.running.engines.wire import most_bytes
from tests.running.fake_places import leases, solved

LIMIT = 1 << 16
OPEN: list[distributed.comm.Comm] = []


@pytest.fixture
def limited() -> Iterator[None]:
    """Dask in this process with a limit."""
    undo = limit_messages(lambda _: LIMIT)
    yield
    undo()


def read_from(serve: Callable[..., object]) -> object:
    """Return what a connection reads from a server that handles it with `serve`."""

    async def ask() -> object:
        async with listen("tcp://127.0.0.1:0", serve) as listener:
            comm = await connect(listener.contact_address)
            try:
                return await comm.read()
            finally:
                comm.abort()

    return asyncio.run(ask())


async def small(comm: distributed.comm.Comm) -> None:
    await comm.write({"data": b"1" * 1000})


async def large(comm: distributed.comm.Comm) -> None:
    await comm.write({"data": b"1" * LIMIT})


async def announced(comm: distributed.comm.Comm) -> None:
    """Announce 2 GiB."""
    OPEN.append(comm)
    comm.stream.write(struct.pack("Q", 1 << 31))


async def many_frames(comm: distributed.comm.Comm) -> None:
    """Announce two frames that are too large together alone."""
    OPEN.append(comm)
    lengths = struct.pack("QQQ", 2, LIMIT - 100, LIMIT - 100)
    comm.stream.write(struct.pack("Q", len(lengths)) + lengths + bytes(LIMIT - 100))


@pytest.mark.usefixtures("limited")
def test_a_message_within_the_limit_is_read() -> None:
    assert read_from(small) == {"data": b"1" * 1000}


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize("serve", [large, announced, many_frames])
def test_a_message_over_the_limit_is_not_read(serve: Callable[..., object]) -> None:
    with pytest.raises(MessageTooLarge, match="a message of"):
        read_from(serve)


def test_nothing_is_inflated_while_limits_hold() -> None:
    before = dict(compression.compressions)
    undo = limit_messages()
    assert [name for name in compression.compressions if name] == []
    undo()
    assert compression.compressions == before


@pytest.mark.parametrize("size", [1, 300])
def test_the_largest_result_of_a_lease_is_within_its_limit(size: int) -> None:
    (lease,) = leases([size], 3)
    result = solved(lease)
    text = "\N{GRINNING FACE}" * 8000
    parts = tuple(replace(part, details=dict.fromkeys(range(size), text)) for part in result.parts)
    sent = encode(ANSWER, LeaseReply(replace(result, parts=parts)))
    limit = most_bytes(lease, RunSettings())
    assert len(sent) <= limit <= 3 * len(sent) + (1 << 20)
