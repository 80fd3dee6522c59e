"""A result that no place can return is refused, and what is stored can be read again."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("msgpack", reason="the extra `cluster` is not installed")

import msgpack

from backends.contract.answer import Reason, Status
from harness.model.contender import resolve
from harness.model.lease import Lease, Place
from harness.model.outcome import CERTIFIED, SourceDigest
from harness.model.settings import RunSettings
from harness.running.engines.layout import decode, encode
from harness.running.engines.messages import (
    ANSWER,
    DESCRIBED,
    LEASE,
    ORDER,
    SENT,
    Described,
    LeaseReply,
    Packer,
    Returned,
    RunOrder,
    SentLease,
)
from harness.running.engines.wire import (
    BadResult,
    Lacking,
    NotWanted,
    PlaceFailed,
    introduced,
    open_states,
    received,
    returned,
)
from harness.running.logs.travelling import PACKED
from harness.runs.runner import Run
from harness.storing.journal import Journal
from puzzles.problem.columns import index_type
from tests.effort import examples
from tests.journals import BOARD, HOST, puzzle
from tests.running.fake_places import leases, solved

NAMES = ["native:python", "pysat:minisat22/extended"]
(LEASE_SENT,) = leases([3], len(NAMES))
SETTINGS = RunSettings()
NUMBERS = (0, 1, -1, 2, 3, 7, 99, 1 << 31, 1 << 53, 1 << 58, 1 << 62, (1 << 64) - 1, -(1 << 63))
OTHERS: tuple[Any, ...] = (
    *(None, True, False, *NUMBERS, 1.0, float("nan"), float("inf"), "", "text", "x" * 9000, b"", b"1234", b"\0" * 24),
    *([], {}, [1], [1, 2], [[1, 2], [1, 2]], [[0, 5]], [[0, "x"]], [["x", 0]], {"a": 1}, {b"a": []}),
    *(msgpack.ExtType(1, b"x"), msgpack.Timestamp(1, 2), [0, [3], b"\0" * 24], [0, [0], b""], [3, [1 << 40, 0], b""]),
)


def rows_with(rows: Any) -> Iterator[Any]:
    """Yield rows with one value that is another."""
    for name in rows.dtype.names:
        kind = np.iinfo(rows.dtype[name])
        for value in (kind.min, -2, -1, 0, 1, 2, 7, 99, kind.max):
            changed = rows.copy()
            changed[name][1] = value
            yield changed
    changed = rows.copy()
    for name in ("wall", "encode", "load", "solve", "decode"):
        changed[name] = 1 << 61  # the sum of phases is a wall time only modulo 2**64
    yield changed


WHOLE = replace(solved(LEASE_SENT), opened=solved(LEASE_SENT).opened * len(NAMES))


def answer(result: Returned) -> bytes:
    """Return the bytes of a result."""
    return encode(ANSWER, LeaseReply(result))


def with_part(**fields: Any) -> Returned:
    """Return the right result with other columns in its first part."""
    return replace(WHOLE, parts=(replace(WHOLE.parts[0], **fields), *WHOLE.parts[1:]))


def replaced(tree: Any) -> Iterator[Any]:
    """Yield plain data with one part of it, at any depth, replaced, left out, or doubled."""
    yield from OTHERS
    if type(tree) is list:
        yield from (tree[:-1], tree[1:], tree * 2, tree[::-1])
        for i, part in enumerate(tree):
            yield from ([*tree[:i], other, *tree[i + 1 :]] for other in replaced(part))


def lists(items: Any) -> Any:
    """Return plain data with lists for tuples, as it arrives."""
    return [lists(item) for item in items] if isinstance(items, list | tuple) else items


def changed() -> Iterator[Returned]:
    """Yield results whose values are of the right kinds, but perhaps not what a place can return."""
    part = WHOLE.parts[0]
    for name in ("puzzles", "rows", "solutions"):
        right = getattr(part, name)
        yield from (
            with_part(**{name: other}) for other in (right[:-1], right[:0], right[::-1], np.repeat(right, 2, 0))
        )
    for value in (0, 1, 4, 15, 16, 0xFFFE, 0xFFFF):
        yield with_part(solutions=np.full_like(part.solutions, value))
        yield with_part(solutions=np.full(part.solutions.shape, value, np.uint32))
    yield from (with_part(rows=rows) for rows in rows_with(part.rows))
    yield from (with_part(proved=np.full(n, p, np.int8)) for n in (0, 2, 3) for p in range(-2, 5))
    yield from (with_part(contender=contender) for contender in range(-1, 4))
    yield from (replace(WHOLE, began=WHOLE.began + d, ended=WHOLE.ended + d) for d in (-(1 << 40), 1, 1 << 40))


MUTANTS = [
    *(msgpack.packb(tree) for tree in replaced(lists(ANSWER.write(LeaseReply(WHOLE))))),
    *map(answer, changed()),
]


def taken(sent: bytes, run: RunSettings = SETTINGS) -> Any:
    """Return what a client takes of a result, or None if it refuses it."""
    try:
        result = returned(sent)
        return received(LEASE_SENT, result, run), open_states(result, len(NAMES))
    except (BadResult, PlaceFailed, NotWanted, Lacking):
        return None


def test_a_right_result_arrives_as_it_was_sent() -> None:
    result, states = taken(answer(WHOLE))
    assert {(some.batch.contender, tuple(some.batch.puzzles)) for some in result.outcomes} == {
        (0, (1, 2, 3)),
        (1, (1, 2, 3)),
    }
    assert all(some.batch.domains.dtype == np.uint64 for some in result.outcomes)
    assert [state.version for state in states] == ["1.0", "1.0"]


@pytest.mark.parametrize("reason", [Reason.CRASH, Reason.TIMEOUT, Reason.MEMORY, Reason.ERROR])
def test_every_reason_for_no_answer_is_one_that_a_place_sees(reason: Reason) -> None:
    rows = WHOLE.parts[0].rows.copy()
    rows["status"], rows["reason"], rows["found"] = Status.UNKNOWN, reason, 0
    none = np.empty((0, 16), index_type(BOARD))
    assert taken(answer(with_part(rows=rows, solutions=none))) is not None


@pytest.mark.parametrize("sent", [b"", b"\xc1", b"text", b"\x91" * 100_000, answer(WHOLE)[:-1], answer(WHOLE) + b"\0"])
def test_other_bytes_are_no_result(sent: bytes) -> None:
    assert taken(sent) is None


def test_a_mutant_is_refused_or_can_be_stored_and_read_again(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "j")
    with journal:
        journal.corpora.add("made", [puzzle(i) for i in range(3)])
        journal.contenders.add(resolve(NAMES)[0])
        journal.facts.put(command=[], settings=SETTINGS.as_dict(), host=HOST, versions={"python": "3"}, state="running")
        run = Run(journal)
        journal.places.add([])
        journal.db.execute("insert into places values (1, ?, null, ?, '{}')", ('{"cpu": "one"}', '{"python": "3"}'))
        accepted = 0
        for mutant in MUTANTS:
            if (found := taken(mutant)) is None:
                continue
            accepted += 1
            result, states = found
            journal.db.execute("delete from leases")
            journal.db.execute("delete from outcomes")
            journal.db.execute("delete from reference")
            run.commit([[replace(result, place=1)]])
            run.store_opened(states)
            try:
                Journal.open(tmp_path / "j").db.close()
            except Exception as e:
                raise AssertionError(f"{msgpack.unpackb(mutant)} is stored and can't be read: {e}") from e
            rows = journal.db.execute("select contender, puzzle, typeof(contender) from outcomes").fetchall()
            assert sorted(rows) == [(c, i, "integer") for c in range(2) for i in (1, 2, 3)]
    assert 20 < accepted < len(MUTANTS) // 2


@settings(max_examples=examples(300))
@given(st.data())
def test_damaged_bytes_are_refused_or_taken_and_raise_nothing_else(data: st.DataObject) -> None:
    sent = bytearray(data.draw(st.sampled_from([answer(WHOLE), *MUTANTS])))
    for _ in range(data.draw(st.integers(1, 4))):
        if sent:
            sent[data.draw(st.integers(0, len(sent) - 1))] = data.draw(st.integers(0, 255))
    taken(bytes(sent[: data.draw(st.integers(0, len(sent)))]))
    taken(bytes(sent))


def test_a_place_says_what_went_wrong() -> None:
    with pytest.raises(PlaceFailed, match=r"^OSError: full$"):
        returned(encode(ANSWER, LeaseReply(failed="OSError: full\nmore")))
    with pytest.raises(NotWanted):
        returned(encode(ANSWER, LeaseReply(stopped=True)))


def test_proofs_are_taken_of_complete_answers_and_if_asked_for() -> None:
    rows = WHOLE.parts[0].rows.copy()
    rows["complete"] = 1, 1, 0
    proved = np.array([CERTIFIED, -1, -1], np.int8)

    def with_proofs(proved: Any) -> bytes:
        files = {int(i): ("0f" * 32, 9) for i in np.flatnonzero(proved == CERTIFIED)}
        return answer(with_part(rows=rows, proved=proved, checked=files))

    assert taken(with_proofs(proved), replace(SETTINGS, proof=True)) is not None
    assert taken(with_proofs(proved)) is None
    assert taken(with_proofs(proved[::-1].copy()), replace(SETTINGS, proof=True)) is None


def test_the_digest_of_a_checked_proof_belongs_to_a_proof() -> None:
    rows = WHOLE.parts[0].rows.copy()
    rows["complete"] = (1, 0, 0)
    proved, digest = np.array([CERTIFIED, -1, -1], np.int8), "0f" * 32

    def with_files(files: dict[int, tuple[str, int]]) -> Any:
        return taken(answer(with_part(rows=rows, proved=proved, checked=files)), replace(SETTINGS, proof=True))

    result, _ = with_files({0: (digest, 9)})
    assert result.outcomes[0].checked == {0: (digest, 9)}
    for bad in ({}, {1: (digest, 9)}, {0: (digest[1:], 9)}, {0: (digest, -1)}, {0: (digest, 1 << 60)}):
        assert with_files(bad) is None, bad


def sent_by(packer: Packer, lease: Lease) -> SentLease:
    """Return a lease as it arrives, of which nothing travels apart."""
    message, apart = packer.packed(lease)
    sent = decode(SENT, message).lease
    assert not apart
    assert isinstance(sent, bytes)
    return decode(LEASE, sent)


def undelivered(_: object) -> NoReturn:
    """Return no content: small leases have none."""
    raise AssertionError


def test_a_sent_lease_is_small_and_unpacks_to_what_it_was(tmp_path: Path) -> None:
    sent = sent_by(Packer(tmp_path), LEASE_SENT)
    assert sent.domains.dtype == np.uint8
    lease = sent.unpacked(tmp_path, undelivered)
    assert (lease.repeat, lease.contenders) == (LEASE_SENT.repeat, LEASE_SENT.contenders)
    block = lease.block
    assert (block.number, block.problem, block.source) == (1, BOARD, None)
    assert type(block.problem) is type(BOARD)
    assert block.domains.dtype == np.uint64
    assert (block.domains == LEASE_SENT.block.domains).all()


def test_the_file_of_an_instance_travels_with_its_lease(tmp_path: Path) -> None:
    here, there = tmp_path / "a.cnf.xz", tmp_path / "there"
    here.write_bytes(b"p cnf 1 0\n")
    there.mkdir()
    block = replace(LEASE_SENT.block, source=SourceDigest(str(here), "cnf", "0f" * 32))
    source = sent_by(Packer(tmp_path), replace(LEASE_SENT, block=block)).unpacked(there, undelivered).block.source
    assert source == SourceDigest(str(there / "source.cnf.xz"), "cnf", "0f" * 32)
    assert (there / "source.cnf.xz").read_bytes() == b"p cnf 1 0\n"


def test_what_programs_print_arrives_and_is_bounded() -> None:
    sent = solved(LEASE_SENT, 1)
    printed = {0: (b"out", b"")}
    parts = tuple(replace(part, printed=printed) for part in sent.parts)
    found = returned(encode(ANSWER, LeaseReply(replace(sent, parts=parts))))
    assert all(some.printed == printed for some in received(LEASE_SENT, found, SETTINGS).outcomes)
    for bad in ({99: (b"", b"")}, {0: (b"x" * (PACKED + 1), b"")}):
        with pytest.raises(BadResult, match="its logs"):
            received(LEASE_SENT, replace(sent, parts=tuple(replace(p, printed=bad) for p in sent.parts)), SETTINGS)


def test_an_order_arrives_as_it_was_given() -> None:
    settings = replace(SETTINGS, programs={"a": "path/\udcff"}, seed=1 << 90, cpu=1.5)
    order = decode(ORDER, encode(ORDER, RunOrder(tuple(resolve(NAMES)[0]), settings.as_dict())))
    assert order.contenders == tuple(resolve(NAMES)[0])
    assert RunSettings.from_dict(order.settings) == settings


HOST_FACTS = {"cpu": "one", "cores": 2, "memory": None}
FACTS = Place(dict(HOST_FACTS), None, {"python": "3"})


def test_what_a_place_says_of_itself_is_plain_data() -> None:
    described = Described(place=FACTS, fingerprint={"numpy": "2.0"})
    assert introduced(encode(DESCRIBED, described)) == described
    assert introduced(encode(DESCRIBED, Described("no such program"))) == "no such program"
    bad: list[Described] = [Described(), replace(described, fingerprint={"a": "x" * 9000})]
    empty: dict[str, str | None] = {"python": None}
    bad += [replace(described, began=began, ended=ended) for began, ended in ((-1, 0), (1, 0), (0, 1 << 62))]
    bad += [replace(described, place=replace(FACTS, core=core)) for core in (-1, 1 << 31)]
    bad += [replace(described, place=replace(FACTS, versions=versions)) for versions in ({}, empty)]
    hosts: list[dict[str, Any]] = [HOST_FACTS | {"cores": value} for value in (-1, "2", None, 1.5)]
    hosts += [{}, HOST_FACTS | {"cpu": None}, HOST_FACTS | {"speed": float("nan")}, HOST_FACTS | {"os": "x" * 9000}]
    bad += [replace(described, place=replace(FACTS, host=host)) for host in hosts]
    for each in bad:
        with pytest.raises(BadResult):
            introduced(encode(DESCRIBED, each))
    for tree in replaced(lists(DESCRIBED.write(described))):
        try:
            found = introduced(msgpack.packb(tree))
        except BadResult:
            continue
        texts = found.fingerprint.values() if isinstance(found, Described) else [found]
        assert all(type(text) is str for text in texts)
