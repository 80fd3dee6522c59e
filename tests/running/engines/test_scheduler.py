"""The verb `scheduler`: its file, its one port, its settings of Dask, its ends."""

import asyncio
import gc
import json
import logging
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
pytest.importorskip("cryptography", reason="the extra `cluster` is not installed")

import dask
import distributed

from harness.model.errors import BadUsage
from harness.running.engines.configuration import Notes
from harness.running.engines.scheduler import remove_file, start, write_file
from harness.running.engines.security import make_certificates, security
from tests.attacks.planting import wait_for
from tests.conftest import Harness, left_running

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # sockets of Tornado


@contextmanager
def running(environment: dict[str, str], folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process of the verb, which is stopped at the end."""
    words = [sys.executable, "-m", "harness", "scheduler", "--scheduler-file", "s.json", "--port", "0", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def facts(dask_scheduler: distributed.Scheduler) -> dict[str, object]:
    """Return what holds in the process of a scheduler."""
    import psutil

    listening = [c.laddr.port for c in psutil.Process().net_connections("inet") if c.status == "LISTEN"]
    return {
        "failures": dask_scheduler.allowed_failures,
        "ttl": dask_scheduler.worker_ttl,
        "stealing": "stealing" in dask_scheduler.extensions,
        "ports": len(listening),
        "services": dask_scheduler.services,
    }


@pytest.mark.slow
def test_it_serves_by_tls_and_notes_strangers_once(environment: dict[str, str], tmp_path: Path) -> None:
    make_certificates(tmp_path / "certs")
    with running(environment, tmp_path, "--certificates", "certs") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = json.loads((tmp_path / "s.json").read_text())["address"]
        assert line == (
            f"scheduler at {address}; places join with"
            " `python -m harness place --scheduler-file s.json --certificates certs`\n"
        )
        assert address.startswith("tls://127.0.0.1:")
        assert oct((tmp_path / "s.json").stat().st_mode & 0o777) == "0o600"

        for _ in range(3):
            with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=20) as stranger:
                stranger.sendall(b"GET / HTTP/1.0\r\n\r\n")
                with suppress(ConnectionResetError):
                    while stranger.recv(4096):
                        pass

        async def ask() -> None:
            secure = security(tmp_path / "certs")
            async with distributed.Client(address, security=secure, asynchronous=True, timeout=20) as client:
                with pytest.raises(
                    Exception, match=r"Refused\('a pickle of tests\.running\.engines\.test_scheduler\.facts"
                ):
                    await client.run_on_scheduler(facts)

        asyncio.run(ask())
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=200)
        assert (process.returncode, out) == (130, "")
        note, *rest = err.splitlines()
        assert note.startswith("note: Dask: Listener on ")
        assert "TLS handshake failed with remote" in note
        assert rest == [
            "note: Dask: Exception while handling op run_function",
            "harness: interrupted",
        ]  # further notes of that kind come after a minute
    assert [path.name for path in tmp_path.iterdir()] == ["certs"]
    assert wait_for(lambda: left_running(environment) == [])


IN_PROCESS = """
import asyncio, json
from harness.running.engines.configuration import configure
from harness.running.engines.scheduler import start
from tests.running.engines.test_scheduler import facts

async def look():
    configure(print)
    scheduler = await start("tcp://127.0.0.1:0", None)
    print(json.dumps(facts(scheduler)))
    await scheduler.close()

asyncio.run(look())
"""


@pytest.mark.slow
def test_it_retries_and_steals_nothing_and_has_one_port(environment: dict[str, str]) -> None:
    words = [sys.executable, "-c", IN_PROCESS]
    found = json.loads(subprocess.run(words, env=environment, capture_output=True, check=True, timeout=100).stdout)
    assert found == {"failures": 0, "ttl": 30.0, "stealing": False, "ports": 1, "services": {}}


@pytest.mark.slow
def test_a_stale_file_is_replaced_and_sigterm_ends_it_with_0(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"id": "killed", "address": "tcp://127.0.0.1:1"}')
    with running(environment, tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("scheduler at tcp://127.0.0.1:")
        assert json.loads((tmp_path / "s.json").read_text())["id"] != "killed"
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=200)
        assert (process.returncode, out, err) == (0, "", "")
    assert not list(tmp_path.iterdir())


def test_messages_of_dask_without_a_text_are_no_notes() -> None:
    notes: list[str] = []
    handler = Notes(notes.append)
    for line, text in enumerate(["", "\nlost\nTraceback"]):
        handler.emit(logging.LogRecord("distributed", logging.ERROR, "core.py", line, text, (), None))
    assert notes == ["Dask: lost"]


def refusal(address: str, folder: Path | None = None) -> str:
    """Return the message of a scheduler that can't start."""
    with pytest.raises(BadUsage) as caught:
        asyncio.run(start(address, security(folder)))
    message = str(caught.value)
    del caught
    gc.collect()  # the socket that Tornado dropped; so it warns in this test
    return message


@pytest.mark.slow
def test_a_port_that_is_taken_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        assert refusal(address) == f"{address}: Address already in use"


@pytest.mark.slow
@pytest.mark.parametrize("host", ["240.0.0.1", "no-such-name.invalid"])
def test_a_host_that_is_not_this_machine_is_one_line(host: str, tmp_path: Path) -> None:
    make_certificates(tmp_path)
    assert re.fullmatch(f"tls://{host}:0: [A-Z].*", refusal(f"tls://{host}:0", tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "value"), [("require-encryption", True), ("tls.min-version", 7)])
def test_a_configuration_of_dask_that_forbids_the_address_is_one_line(setting: str, value: object) -> None:
    with dask.config.set({f"distributed.comm.{setting}": value}):
        assert re.fullmatch(r"tcp://127.0.0.1:0: .*", refusal("tcp://127.0.0.1:0"))


def test_a_file_that_is_no_scheduler_file_is_not_replaced(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    done = harness("scheduler", "--scheduler-file", "thesis.txt")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "thesis.txt: not a scheduler file" in done.err
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_file_in_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadUsage, match=r"none/s.json: No such file or directory$"):
        write_file(tmp_path / "none/s.json", {})


def test_a_scheduler_leaves_the_file_of_its_successor(tmp_path: Path) -> None:
    write_file(tmp_path / "s.json", {"id": "second"})
    remove_file(tmp_path / "s.json", "first")
    assert (tmp_path / "s.json").exists()
    remove_file(tmp_path / "s.json", "second")
    remove_file(tmp_path / "s.json", "second")
    assert not (tmp_path / "s.json").exists()
