"""Contents that travel apart from their lease arrive once at a machine, in a cache with a limit, and unchanged."""

import asyncio
import os
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.model.lease import Block, Lease
from harness.model.outcome import SourceDigest
from harness.running.engines import contents
from harness.running.engines.contents import (
    HAVE,
    PIECE,
    SEND,
    STALE_S,
    WAIT,
    Content,
    MissingContent,
    Outbox,
    stored_as,
)
from harness.running.engines.packing import Packer, lease_of
from puzzles.formats import ReaderOptions, read
from puzzles.problem import Problem
from puzzles.problem.columns import pack
from tests.journals import BOARD, puzzle


class Wire:
    """Delivery to a machine, and the bytes of contents that crossed."""

    def __init__(self) -> None:
        self.bytes = 0

    async def deliver(self, sent: list[Content]) -> None:
        """Deliver contents to this machine."""

        async def take(digest: str, size: int, at: int, data: bytes) -> str:
            assert len(data) <= PIECE
            self.bytes += len(data)
            return await contents.take(digest, size, at, data)

        await contents.deliver(contents.want, take, sent)


@pytest.fixture
def wire() -> Wire:
    """A connection."""
    return Wire()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Cache of this machine for the test alone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return contents.machine_cache()


def content_of(data: bytes, folder: Path) -> Content:
    """Return a content whose file no place can see."""
    return Outbox(folder).of_stored(stored_as(data), lambda: data)


def new(folder: Path) -> Path:
    """Return a new folder."""
    folder.mkdir(parents=True)
    return folder


def test_workers_of_a_machine_receive_a_content_once(wire: Wire, cache: Path, tmp_path: Path) -> None:
    data = os.urandom(2 * PIECE + 5)
    sent = content_of(data, new(tmp_path / "out"))

    async def both() -> None:
        await asyncio.gather(*(wire.deliver([sent]) for _ in range(2)))

    asyncio.run(both())
    assert wire.bytes == len(data)
    assert contents.read(sent.stored) == data
    sent.discard()
    asyncio.run(wire.deliver([sent]))  # of another repeat, as of another lease
    assert wire.bytes == len(data)
    assert os.listdir(tmp_path / "out") == []


def test_a_content_that_arrives_while_it_is_looked_for_is_not_wanted_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"board"
    stored = stored_as(data)

    def arrived(*_: object) -> bool:
        (cache / stored.digest).write_bytes(data)
        return False

    monkeypatch.setattr(contents, "has", arrived)
    answers = [asyncio.run(contents.want(stored.digest, stored.size, "/a")) for _ in range(2)]
    assert answers == [WAIT, HAVE]
    assert os.listdir(cache) == [stored.digest]


def test_a_file_that_the_machine_can_read_does_not_travel(wire: Wire, cache: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared.cnf"
    shared.write_bytes(b"c\n" * 90_000)
    sent = Outbox(tmp_path).of_file(str(shared))
    asyncio.run(wire.deliver([sent]))
    assert wire.bytes == 0
    assert contents.read(sent.stored) == shared.read_bytes()
    shared.write_bytes(b"d\n" * 90_000)
    with pytest.raises(MissingContent):
        contents.read(sent.stored)


def test_what_a_solver_has_written_to_the_cache_is_not_read(wire: Wire, cache: Path, tmp_path: Path) -> None:
    sent = content_of(b"right" * 100, new(tmp_path / "out"))
    asyncio.run(wire.deliver([sent]))
    (cache / sent.stored.digest).write_bytes(b"wrong" * 100)
    with pytest.raises(MissingContent):
        contents.read(sent.stored)
    asyncio.run(wire.deliver([sent]))
    assert contents.read(sent.stored) == b"right" * 100


def test_the_cache_keeps_its_limit_and_what_was_used_last(
    wire: Wire, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contents.make_room, "__defaults__", (2500,))
    out = new(tmp_path / "out")
    a, b, c = (content_of(bytes([i]) * 1000, out) for i in range(3))
    for age, sent in ((30, a), (20, b)):
        asyncio.run(wire.deliver([sent]))
        before = os.stat(cache / sent.stored.digest).st_mtime - age
        os.utime(cache / sent.stored.digest, (before, before))
    asyncio.run(wire.deliver([a, c]))  # `a` is used again
    assert sorted(os.listdir(cache)) == sorted((a.stored.digest, c.stored.digest))
    large = content_of(b"large" * 1000, out)
    asyncio.run(wire.deliver([large]))
    assert os.listdir(cache) == [large.stored.digest]


def test_a_content_that_nobody_goes_on_to_send_is_sent_by_the_next(cache: Path) -> None:
    stored = stored_as(b"data")

    async def want() -> str:
        return await contents.want(stored.digest, stored.size, "")

    assert [asyncio.run(want()) for _ in range(2)] == [SEND, WAIT]
    part = cache / f"{stored.digest}.part"
    before = part.stat().st_mtime - STALE_S - 1
    os.utime(part, (before, before))
    assert asyncio.run(want()) == SEND


def test_other_bytes_than_announced_are_refused(wire: Wire, cache: Path, tmp_path: Path) -> None:
    sent = content_of(b"right", new(tmp_path / "out"))
    changed = replace(sent, make=lambda: b"wrong")
    with pytest.raises(OSError, match="has changed while it was sent"):
        asyncio.run(wire.deliver([changed]))
    assert os.listdir(cache) == []


def large_problem(folder: Path) -> Problem:
    """Return a formula of which a message would be large."""
    clauses = "\n".join(f"{i} {-i - 1} 0" for i in range(1, 20_000))
    (folder / "large.cnf").write_text(f"p cnf 20000 19999\n{clauses}\n")
    (instance,) = read(folder / "large.cnf", ReaderOptions())
    problem: Problem = instance.problem
    return problem


def test_large_parts_of_a_lease_travel_apart_and_are_put_together(wire: Wire, cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.cnf"
    file.write_bytes(b"c\n" * contents.LARGE)
    problem, packer = large_problem(tmp_path), Packer(new(tmp_path / "out"))
    domains = np.full((1, len(problem.variables), 1), 3, np.uint64)
    block = Block(7, problem, np.array([4]), domains, SourceDigest(str(file), "cnf", "0f" * 32), alone=True)
    lease = Lease(block, 1, (1, 0))
    message, apart = packer.packed(lease)
    assert len(message) < contents.LARGE + 1000
    asyncio.run(wire.deliver(apart))
    assert wire.bytes > len(problem.variables)
    found = lease_of(message, tmp_path, contents.read)
    assert (found.repeat, found.contenders, found.block.number, found.block.alone) == (1, (1, 0), 7, True)
    assert found.block.problem == problem
    assert (found.block.domains == domains).all()
    assert found.block.source == SourceDigest(str(tmp_path / "source.cnf"), "cnf", "0f" * 32)
    assert (tmp_path / "source.cnf").read_bytes() == file.read_bytes()


def test_the_problem_of_a_second_repeat_is_not_written_again(wire: Wire, cache: Path, tmp_path: Path) -> None:
    packer = Packer(new(tmp_path / "out"))
    problem = large_problem(tmp_path)
    block = Block(7, problem, np.array([4]), np.full((1, len(problem.variables), 1), 3, np.uint64), alone=True)
    first, again = (packer.packed(Lease(block, repeat, (0,)))[1] for repeat in range(2))
    asyncio.run(wire.deliver(first))
    for sent in first:
        sent.discard()
    assert again[0].stored == first[0].stored
    asyncio.run(wire.deliver(again[:1]))
    assert not again[0].path.exists()


def test_small_leases_travel_in_one_message(tmp_path: Path) -> None:
    block = Block(1, BOARD, np.array([1]), pack(BOARD, [puzzle(0).domains]))
    assert Packer(tmp_path).packed(Lease(block, 0, (0,)))[1] == []


def test_have_is_said_of_what_is_there(wire: Wire, cache: Path, tmp_path: Path) -> None:
    sent = content_of(b"data", new(tmp_path / "out"))
    asyncio.run(wire.deliver([sent]))
    assert asyncio.run(contents.want(sent.stored.digest, sent.stored.size, "")) == HAVE
