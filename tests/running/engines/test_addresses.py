"""Addresses of a scheduler: TLS with certificates, or this machine's loopback; and the file that names one."""

import os
import socket
from pathlib import Path

import pytest

from harness.model.errors import BadUsage
from harness.running.engines.joining import check_reachable, place_host
from harness.running.engines.security import check_address, make_certificates, scheduler_address
from tests.conftest import Harness

LOCAL = ["tcp://127.0.0.1:8786", "tcp://127.200.3.4:0", "tcp://[::1]:65535", "tcp://localhost:1"]
OPEN = [
    *("tcp://0.0.0.0:8786", "tcp://[::]:8786", "tcp://10.0.0.5:8786", "tcp://example.org:8786", "tcp://128.0.0.1:1"),
    *("tcp://[::ffff:10.0.0.5]:1", "tcp://[::ffff:127.0.0.1]:1", "tcp://[0::ffff:0:1]:1"),
    *("tcp://0:1", "tcp://127.1:1", "tcp://2130706433:1", "tcp://0x7f000001:1", "tcp://127.0.0.01:1"),
    *("tcp://127.0.0.1.example.org:1", "tcp://localhost.example.org:1", "tcp://localhost.:1", f"tcp://{'a' * 500}:1"),
]
OTHER = ["inproc://10.0.0.5:1", "ucx://127.0.0.1:1", "ws://127.0.0.1:1", "wss://127.0.0.1:1", "tcp+tls://127.0.0.1:1"]
MALFORMED = [
    *("", "127.0.0.1:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://:8786", "tcp://127.0.0.1:99999"),
    *("inproc://192.168.1.2/123/1", "TCP://127.0.0.1:1", " tcp://127.0.0.1:1", "tcp://127.0.0.1:1\n", "tcp://::1:1"),
    *("tcp://127.0.0.1:1,tcp://10.0.0.5:1", "tcp://10.0.0.5://127.0.0.1:1", "tcp://127.0.0.1@10.0.0.5:1"),
    *("tcp://[::1%eth0]:1", "tcp://127.0.0.1:\u0661", "tls://10.0.0.5:1/path", "tls://\u202e10.0.0.5:1"),
]


@pytest.mark.parametrize("address", LOCAL)
def test_loopback_needs_no_certificates(address: str) -> None:
    check_address(address, secured=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "10.0.0.5", "[2001:db8::5]", "node-1.example.org"])
def test_tls_with_certificates_may_use_any_address(host: str) -> None:
    check_address(f"tls://{host}:8786", secured=True)


@pytest.mark.parametrize("secured", [False, True])
@pytest.mark.parametrize("address", OPEN)
def test_an_open_address_is_refused_with_the_words_that_set_up_certificates(address: str, secured: bool) -> None:
    with pytest.raises(BadUsage, match=r"place --make-certificates FOLDER.* each machine.* --certificates FOLDER"):
        check_address(address, secured)


@pytest.mark.parametrize("secured", [False, True])
@pytest.mark.parametrize("address", OTHER)
def test_other_protocols_are_refused(address: str, secured: bool) -> None:
    with pytest.raises(BadUsage, match="is not supported, only tls"):
        check_address(address, secured)


@pytest.mark.parametrize("secured", [False, True])
@pytest.mark.parametrize("address", MALFORMED)
def test_what_is_no_address_is_refused(address: str, secured: bool) -> None:
    with pytest.raises(BadUsage, match="is not an address"):
        check_address(address, secured)


@pytest.mark.parametrize(("address", "secured"), [("tls://127.0.0.1:1", False), ("tcp://127.0.0.1:1", True)])
def test_a_protocol_that_contradicts_the_certificates_is_refused(address: str, secured: bool) -> None:
    with pytest.raises(BadUsage, match=r"encrypted: .*--certificates"):
        check_address(address, secured)


@pytest.mark.parametrize("found", [["10.0.0.5"], ["127.0.0.1", "10.0.0.5"], ["::1", "::ffff:10.0.0.5"]])
def test_localhost_is_refused_where_it_is_another_address(found: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in found]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: entries)
    with pytest.raises(BadUsage, match="open to other machines"):
        check_address("tcp://localhost:8786", secured=False)


def test_a_place_beside_its_scheduler_listens_on_loopback_only() -> None:
    assert place_host("tcp://127.0.0.1:8786") == "127.0.0.1"
    assert place_host("tcp://[::1]:8786") == "[::1]"
    assert place_host("tls://10.0.0.5:8786") is None


def test_a_scheduler_that_is_gone_is_one_line() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(BadUsage, match=f"{address}: Connection refused: is the scheduler of this file still"):
            check_reachable(address, None)


def test_a_scheduler_file_gives_the_address(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"type": "Scheduler", "id": "x", "address": "tls://10.0.0.5:8786"}')
    assert scheduler_address(tmp_path / "s.json") == "tls://10.0.0.5:8786"


BAD = [b"", b"{", b"[]", b"7", b"{}", b'{"address": 7}', b'{"address": null}', b"\xff\xfe", b"[" * 100_000, b"\0" * 100]


@pytest.mark.parametrize("content", BAD, ids=lambda content: repr(content[:20]))
def test_what_is_no_scheduler_file_is_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "s.json").write_bytes(content)
    with pytest.raises(BadUsage, match=r"^[^\n]*s\.json: not a scheduler file: start a scheduler by [^\n]*$"):
        scheduler_address(tmp_path / "s.json")


def test_a_missing_scheduler_file_a_folder_and_a_pipe_are_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, reason in (("none", "No such file or directory"), (".", "not a file"), ("pipe", "not a file")):
        with pytest.raises(BadUsage, match=f"{reason}: start a scheduler by"):
            scheduler_address(tmp_path / name)


def test_the_verb_refuses_an_open_host_without_certificates(harness: Harness) -> None:
    for host in ("0.0.0.0", "::", "10.0.0.5", ""):
        done = harness("scheduler", "--scheduler-file", "s.json", "--host", host)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1), done.err
    assert not Path("s.json").exists()


def test_without_its_packages_they_are_named(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.running.engines.security.find_spec", lambda _: None)
    done = harness("scheduler", "--scheduler-file", "s.json")
    assert done.code == 2
    assert done.err.endswith("pip install distributed cryptography\n")
    with pytest.raises(BadUsage, match="pip install distributed cryptography"):
        make_certificates(Path("certs"))
    assert not list(Path().iterdir())
