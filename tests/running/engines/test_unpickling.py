"""What a place sends runs no code at the client: a pickle in place of a message leaves no mark."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

import distributed
from distributed.core import clean_exception, error_message
from distributed.protocol import Serialized, dumps, loads, serialize, to_serialize
from distributed.protocol.serialize import ToPickle
from distributed.scheduler import KilledWorker, WorkerState

from harness.running.engines.unpickling import CLIENT, Ended, Refused, restrict
from tests.clusters import cluster


class Marker:
    """Object whose pickle makes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.open, (str(self.path), os.O_CREAT | os.O_WRONLY)


class MarkerError(Exception):
    """Error whose pickle makes a file."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.open, (str(self.args[0]), os.O_CREAT | os.O_WRONLY)


@pytest.fixture
def restricted() -> Iterator[None]:
    """Dask in this process as a client has it."""
    undo = restrict(CLIENT)
    yield
    undo()


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """A file that must not appear."""
    return tmp_path / "marker"


def messages(marker: Path) -> list[Any]:
    """Return messages of Dask with a pickle in each way in which it packs one."""
    evil = Marker(marker)
    header, frames = serialize(b"1")
    typed = Serialized({**header, "type-serialized": pickle.dumps(evil), "serializer": "dask"}, frames)
    return [to_serialize(evil), to_serialize([evil]), to_serialize({"data": evil}), ToPickle(evil), typed]


def test_attacks_of_these_tests_work_without_the_restriction(marker: Path) -> None:
    for message in messages(marker):
        with suppress(AttributeError):  # where a type is expected, and not the number that `open` returns
            loads([bytes(frame) for frame in dumps({"op": "gather", "data": message})])
        assert marker.exists()
        marker.unlink()


@pytest.mark.usefixtures("restricted")
def test_a_message_with_a_pickle_is_not_loaded(marker: Path) -> None:
    for message in messages(marker):
        frames = [bytes(frame) for frame in dumps({"op": "gather", "data": message})]
        with pytest.raises(AttributeError, match=r"a pickle of posix.open"):
            loads(frames)
    assert not marker.exists()


@pytest.mark.usefixtures("restricted")
def test_errors_and_warnings_of_a_place_are_not_loaded(marker: Path) -> None:
    raw = pickle.dumps(Marker(marker))
    assert type(clean_exception(raw, raw)[1]) is Exception
    answer = error_message(MarkerError(marker))
    assert clean_exception(answer["exception"].data, answer["traceback"].data)[0] in (Exception, Refused)
    with pytest.raises(AttributeError, match=r"a pickle of posix.open"):
        distributed.client._handle_warn((0, {"message": raw, "category": raw}))
    state = distributed.client.FutureState("key")
    client = object.__new__(distributed.Client)
    client.futures = {"key": state}
    client._handle_key_in_memory("key", raw)
    assert (state.status, state.type) == ("finished", None)
    assert not marker.exists()


@pytest.mark.usefixtures("restricted")
def test_what_dask_itself_sends_is_loaded() -> None:
    for value in (b"1", ("id", {"place-1": ("tcp://1", 0.5)}), ("id", None)):
        assert loads([bytes(frame) for frame in dumps({"data": to_serialize(value)})]) == {"data": value}
    for error in (OSError("full"), pickle.loads(pickle.dumps(AttributeError("full")))):
        answer = error_message(error)
        found = clean_exception(answer["exception"].data, answer["traceback"].data)
        assert (found[0], str(found[1]), found[2]) == (type(error), "full", None)
    facts = {"address": "tcp://127.0.0.1:1", "status": distributed.Status.running, "pid": 1, "name": "place-1"}
    lost = WorkerState(**facts, memory_limit=0, local_directory="", nanny=None, server_id="1")
    lost._memory_unmanaged_history.extend([(1.0, 5), (2.0, 6)])
    lost.task_prefix_count["run_lease"] += 1
    assert isinstance(clean_exception(pickle.dumps(KilledWorker("task", lost, 0)))[1], Ended)


EVIL = """
import os, sys
from harness.running.engines.hiding import begin
data = begin()
from harness.running.engines import dask_place

class Marker:
    def __reduce__(self):
        return os.open, (sys.argv[1], os.O_CREAT)

dask_place.run_lease = lambda run, sent: Marker()
from harness.runs.place_process import main
main(data)
"""


def test_a_place_that_returns_an_object_runs_nothing_at_the_client(
    tmp_path: Path, environment: dict[str, str], marker: Path
) -> None:
    with cluster(tmp_path, environment) as machines:
        address = json.loads((tmp_path / "s.json").read_text())["address"]
        seat = {"name": "place-evil-0-000001", "address": address, "core": None, "places": 1}
        cache = {"cache": str(tmp_path / "cache"), "cache_bytes": 1 << 30, "cache_kept": False}
        data = {"seat": seat | cache | {"folder": str(tmp_path / "seat")}, "certificates": {}, "hide": ""}
        words = [sys.executable, "-c", EVIL, str(marker)]
        (tmp_path / "seat").mkdir()
        with subprocess.Popen(words, stdin=subprocess.PIPE, env=environment, cwd=tmp_path) as evil:
            assert evil.stdin is not None
            evil.stdin.write(json.dumps(data).encode() + b"\n")
            evil.stdin.flush()
            run = machines.run("hardest", "-n", "1", "-b", "native:python", "-o", "j.sqlite")
            assert run.stderr is not None
            lost = next(line for line in run.stderr if "lost" in line)
            machines.place()
            assert run.wait(200) == 0
            assert evil.wait(200) == 0
    assert lost == "note: place-evil-0-000001: lost: Refused: a pickle of posix.open\n"
    assert not marker.exists()


def test_who_joins_as_a_client_runs_nothing_at_the_scheduler_and_no_function_at_places(
    tmp_path: Path, environment: dict[str, str], marker: Path
) -> None:
    with cluster(tmp_path, environment) as machines:
        machines.place()
        address = json.loads((tmp_path / "s.json").read_text())["address"]
        with distributed.Client(address, timeout=20, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=100)
            with pytest.raises(Exception, match=r"Refused\('a pickle of posix\.mkdir"):
                client.run_on_scheduler(os.mkdir, str(marker))
            with pytest.raises(Exception, match=r"Refused\('a pickle of posix\.mkdir"):
                client.run(os.mkdir, str(marker))
            for function in (os.mkdir, lambda path: os.mkdir(path)):
                with pytest.raises(Exception, match="deserialization of the task graph"):
                    client.submit(function, str(marker)).result(timeout=100)
            options = {"url": f"file://{marker}", "exclude": [], "format": "yaml"}
            with suppress(Exception):
                client.sync(client.scheduler.dump_cluster_state_to_url, **options)
    assert not marker.exists()
