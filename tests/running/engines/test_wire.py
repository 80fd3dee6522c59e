"""A result that no place can return is refused, and what is stored can be read again."""

import copy
import pickle
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backends.contract.answer import Reason, Status
from harness.model.contender import resolve
from harness.model.lease import Place
from harness.model.outcome import CERTIFIED, ROW
from harness.model.settings import RunSettings
from harness.running.engines.wire import BadResult, Returned, SentLease, WireOutcomes, introduced, open_states, received
from harness.runs.runner import Run
from harness.storing.journal import Journal
from puzzles.problem.columns import index_type
from tests.journals import BOARD, HOST, puzzle
from tests.running.fake_places import leases, solved

NAMES = ["native:python", "pysat:minisat22/extended"]
(LEASE,) = leases([3], len(NAMES))
SETTINGS = RunSettings()
HUGE = (1 << 53, 1 << 62, 1 << 63, 1 << 70)
OTHERS: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        1.0,
        float("nan"),
        float("inf"),
        *HUGE,
        -(1 << 63),
        "",
        "text",
        "bad \udcff",
        "x" * 9000,
    ),
    *(
        b"",
        (),
        [],
        {},
        (1,),
        (1, 2),
        ((1, 2), (1, 2)),
        ((0, 5),),
        [[5, 5]],
        {1: 2, 3: 4},
        {0: "bad \udcff"},
        {0: 5},
        {99: "x"},
    ),
    *(np.int64(1), np.float64("nan"), np.array([]), np.array(3), np.zeros(3), object(), range(3), Exception, lambda: 0),
)


class Liar:
    """Object that equals everything and has every attribute."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


def arrays(right: Any) -> Iterator[Any]:
    """Yield arrays that are almost the right one."""
    yield from (right[:-1], right[:0], right[None], right[..., None], np.concatenate([right, right]), right.tolist())
    yield from (right.astype(object), np.ma.masked_array(right), right.view(np.recarray))
    yield from (right.byteswap().view(right.dtype.newbyteorder()), right[::-1])
    if right.dtype != ROW:
        yield from (right.astype(kind) for kind in (np.float64, np.int32, np.uint64, np.uint8, "U5", np.complex128))
        yield from (
            np.full_like(right, value) for value in (0, 1, 4, np.iinfo(right.dtype).max, np.iinfo(right.dtype).min)
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


def values_of(name: str, right: Any) -> list[Any]:
    """Return other values of a field."""
    found = [*OTHERS, Liar()]
    if isinstance(right, np.ndarray):
        found += [*arrays(right), *(rows_with(right) if right.dtype == ROW else ())]
    if name == "contender":
        found += [*range(-1, 4)]
    if name == "proved":
        found += [np.full(3, p, np.int8) for p in range(-2, 5)] + [np.zeros((3, 1), np.int8), np.zeros(3)]
    if name == "parts":
        found += [list(right), right[:1], right * 2, (*right, None), (Liar(),), ()]
    if name == "samples":
        found += [((1, 0),), ((0, 0),), ((-1, 5),), ((5, 1 << 62),), ((5.0, 5),), ((True, 5),), (((5, 5), 5),)]
    if name in ("began", "ended"):
        found += [right + d for d in (-(1 << 40), -1, 1, 1 << 40, 1 << 57, 1 << 59)]
    if name == "opened":
        found += [
            right * 3,
            ((*right[0][:2], (1, 2)),) * 2,
            (("v", -1, (1, 2, 3, 4)),) * 2,
            (("\udcff", 0, (1, 2, 3, 4)),) * 2,
        ]
    return found


WHOLE = replace(solved(LEASE), opened=solved(LEASE).opened * len(NAMES))
MUTANTS = [
    *(
        (name, replace(WHOLE, **{name: value}))
        for name in (f.name for f in fields(Returned))
        for value in values_of(name, getattr(WHOLE, name))
    ),
    *(
        (name, replace(WHOLE, parts=(replace(WHOLE.parts[0], **{name: value}), *WHOLE.parts[1:])))
        for name in (f.name for f in fields(WireOutcomes))
        for value in values_of(name, getattr(WHOLE.parts[0], name))
    ),
]


def taken(returned: Any, run: RunSettings = SETTINGS) -> Any:
    """Return what a client takes of a result, or None if it refuses it."""
    try:
        return received(LEASE, returned, run), open_states(returned, len(NAMES))
    except BadResult:
        return None


def test_a_right_result_arrives_as_it_was_sent() -> None:
    result, states = taken(pickle.loads(pickle.dumps(WHOLE)))
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
    part = replace(WHOLE.parts[0], rows=rows, solutions=none)
    assert taken(replace(WHOLE, parts=(part, *WHOLE.parts[1:]))) is not None


@pytest.mark.parametrize("returned", [*OTHERS, Liar(), WHOLE.parts, LEASE], ids=lambda x: type(x).__name__)
def test_another_object_is_no_result(returned: Any) -> None:
    assert taken(returned) is None


def test_a_mutant_is_refused_or_can_be_stored_and_read_again(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "j")
    with journal:
        journal.add_corpus("made", [puzzle(i) for i in range(3)])
        journal.add_contenders(resolve(NAMES)[0])
        journal.put(command=[], settings=SETTINGS.as_dict(), host=HOST, versions={"python": "3"}, state="running")
        run = Run(journal)
        journal.add_places([])
        journal.db.execute("insert into places values (1, ?, null, ?, '{}')", ('{"cpu": "one"}', '{"python": "3"}'))
        accepted = 0
        for name, mutant in MUTANTS:
            if (found := taken(mutant)) is None:
                continue
            accepted += 1
            result, states = found
            journal.db.execute("delete from leases")
            journal.db.execute("delete from outcomes")
            journal.db.execute("delete from reference")
            run.commit([replace(result, place=1)])
            run.store_opened(states)
            try:
                Journal.open(tmp_path / "j").db.close()
            except Exception as e:
                raise AssertionError(
                    f"{name}: {getattr(mutant, name, mutant.parts)!r} is stored and can't be read: {e}"
                ) from e
            rows = journal.db.execute("select contender, puzzle, typeof(contender) from outcomes").fetchall()
            assert sorted(rows) == [(c, i, "integer") for c in range(2) for i in (1, 2, 3)]
    assert 20 < accepted < len(MUTANTS) // 2


@settings(max_examples=40)
@given(st.data())
def test_two_changes_at_once_are_no_better(data: st.DataObject) -> None:
    (_, first), (_, second) = data.draw(st.sampled_from(MUTANTS)), data.draw(st.sampled_from(MUTANTS))
    taken(replace(first, parts=second.parts, samples=second.samples))
    mixed = copy.copy(first)
    object.__delattr__(mixed, data.draw(st.sampled_from([f.name for f in fields(Returned) if f.name != "opened"])))
    assert taken(mixed) is None


def test_proofs_are_taken_of_complete_answers_and_if_asked_for() -> None:
    rows = WHOLE.parts[0].rows.copy()
    rows["complete"] = 1, 1, 0
    proved = np.array([CERTIFIED, -1, -1], np.int8)

    def with_proofs(proved: Any) -> Returned:
        files = {int(i): ("0f" * 32, 9) for i in np.flatnonzero(proved == CERTIFIED)}
        part = replace(WHOLE.parts[0], rows=rows, proved=proved, checked=files)
        return replace(WHOLE, parts=(part, *WHOLE.parts[1:]))

    assert taken(with_proofs(proved), replace(SETTINGS, proof=True)) is not None
    assert taken(with_proofs(proved)) is None
    assert taken(with_proofs(proved[::-1].copy()), replace(SETTINGS, proof=True)) is None


def test_the_digest_of_a_checked_proof_belongs_to_a_proof() -> None:
    rows = WHOLE.parts[0].rows.copy()
    rows["complete"] = (1, 0, 0)
    proved, digest = np.array([CERTIFIED, -1, -1], np.int8), "0f" * 32

    def with_files(files: Any) -> Any:
        part = replace(WHOLE.parts[0], rows=rows, proved=proved, checked=files)
        return taken(replace(WHOLE, parts=(part, *WHOLE.parts[1:])), replace(SETTINGS, proof=True))

    result, _ = with_files({0: (digest, 9)})
    assert result.outcomes[0].checked == {0: (digest, 9)}
    for bad in ({}, {1: (digest, 9)}, {0: (digest[1:], 9)}, {0: (digest, -1)}, {0: digest}, {0: [digest, 9]}, None):
        assert with_files(bad) is None, bad


def test_a_sent_lease_is_small_and_unpacks_to_what_it_was(tmp_path: Path) -> None:
    sent = pickle.loads(pickle.dumps(SentLease.of(LEASE)))
    assert sent.lease.block.domains.dtype == np.uint8
    block = sent.unpacked(tmp_path).block
    assert block.domains.dtype == np.uint64
    assert (block.domains == LEASE.block.domains).all()


HOST_FACTS = {"cpu": "one", "cores": 2, "memory": None}
FACTS: dict[str, Any] = {"host": HOST_FACTS, "core": None, "versions": {"python": "3"}, "environment": {}}


def test_what_a_place_says_of_itself_is_plain_data() -> None:
    described = {"facts": FACTS, "fingerprint": {"numpy": "2.0"}}
    assert introduced(described) == (Place(**FACTS), {"numpy": "2.0"})
    assert introduced({"refused": "no such program"}) == "no such program"
    bad: list[object] = [*OTHERS, Liar(), {"refused": 5}, {"refused": Liar()}, {"facts": FACTS}]
    bad += [described | {"fingerprint": value} for value in (None, {"a": 1}, {1: "a"}, Liar())]
    for name in FACTS:
        others = [value for value in (*OTHERS, Liar()) if not is_such(name, value)]
        bad += [described | {"facts": FACTS | {name: value}} for value in others]
    hosts: list[dict[str, Any]] = [HOST_FACTS | {"cores": value} for value in (-1, "2", None, 1.5)]
    hosts.append(HOST_FACTS | {"speed": float("nan")})
    bad += [described | {"facts": FACTS | {"host": host}} for host in hosts]
    for each in bad:
        with pytest.raises(BadResult):
            introduced(each)


def is_such(name: str, value: object) -> bool:
    """Return True for what this fact can be."""
    if name == "core":
        return value is None or (type(value) is int and 0 <= value < 1 << 31)
    return name == "environment" and type(value) is dict and not value
