"""Corpora by https: cached, resumed, limited, checked, and inside the cache whatever the address is."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from puzzles.caches import remote_root
from puzzles.corpora import find
from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.readers import remote

CNF = b"p cnf 3 2\n1 -2 0\n2 3 0\n"
SHA = hashlib.sha256(CNF).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Server of one file under several behaviours, by the first part of the path."""

    asked: ClassVar[list[tuple[str, str]]] = []
    cut = True

    def do_GET(self) -> None:
        how, start = self.path.split("/")[1], self.headers.get("Range", "")
        self.asked.append((how, start))
        if how in ("away", "down"):
            self.send_response(302)
            self.send_header("Location", "/plain/a.cnf" if how == "away" else "http://example.org/a.cnf")
            self.end_headers()
            return
        if how == "gone":
            self.send_error(404)
            return
        at = int(start.removeprefix("bytes=").rstrip("-")) if start and how != "whole" else 0
        self.send_response(206 if at else 200)
        self.send_header("Content-Length", str(1 << 40 if how == "large" else len(CNF) - at))
        self.end_headers()
        if how == "slow":
            threading.Event().wait(2)
        cut = how in ("cut", "whole") and type(self).cut
        type(self).cut = False
        self.wfile.write(CNF[at : at + 9] if cut else CNF[at:])

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Handler.asked.clear()
    Handler.cut = True
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()
        thread.join()


def test_a_file_is_fetched_once_and_is_a_corpus(server: str) -> None:
    for _ in range(2):
        (instance,) = read(find(f"{server}/plain/a.cnf"))
        assert instance.name == "a.cnf"
    assert Handler.asked == [("plain", "")]


def test_lines_of_a_list_are_fetched_and_their_digests_checked(server: str, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(f"{server}/plain/a.cnf sha256={SHA}\n{server}/away/b.cnf\n")
    names = [instance.name for instance in read(find(f"@{tmp_path}/list.txt"))]
    assert [name.rpartition("/")[2] for name in names] == ["a.cnf", "b.cnf"]
    assert not any(".." in name for name in names)
    (tmp_path / "list.txt").write_text(f"{server}/plain/a.cnf sha256={'0' * 64}\n")
    with pytest.raises(BadInput, match=r"its sha256 is .* it was removed"):
        list(read(find(f"@{tmp_path}/list.txt")))


@pytest.mark.parametrize("how", ["cut", "whole"])
def test_a_transfer_that_broke_off_is_resumed(how: str, server: str) -> None:
    with pytest.raises(BadInput, match=r"ended after 9 of 23 bytes"):
        remote.fetched(f"{server}/{how}/a.cnf")
    path = remote.fetched(f"{server}/{how}/a.cnf sha256={SHA}")
    assert path.read_bytes() == CNF
    assert Handler.asked == [(how, ""), (how, "bytes=9-")]


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/large/a.cnf", "more than 1024 MiB"),
        ("/gone/a.cnf", "the server answers 404"),
        ("/down/a.cnf", "http://example.org/a.cnf: only https:// is fetched"),
        ("/plain/a.cnf sha256=12", "expected https://HOST/PATH"),
    ],
)
def test_what_is_refused_is_named(address: str, message: str, server: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=message):
        remote.fetched(server + address)
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_a_slow_server_is_given_up(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "SECONDS", 0.1)
    with pytest.raises(BadInput, match=r"can't be fetched: .*timed out"):
        remote.fetched(f"{server}/slow/a.cnf")


def test_an_address_that_has_no_server_is_one_line() -> None:
    with pytest.raises(BadInput, match="can't be fetched"):
        remote.fetched("http://127.0.0.1:9/a.cnf")
    with pytest.raises(BadInput, match="only https"):
        remote.fetched("http://example.org/a.cnf")


@pytest.mark.parametrize("last", ["..", "%2e%2e%2f%2e%2e%2fpasswd", ".bashrc", "a%00b", "x" * 999, "", "a\\..\\b"])
def test_no_address_leaves_the_cache(last: str) -> None:
    for host in ("example.org", "..", "user:word@h"):
        path = remote.path_of(f"https://{host}/{last}")
        assert path.parent.parent.parent == remote_root()
        assert path.name not in ("", ".", "..")
        assert not set(path.name) & {"/", "\0"}
        assert "word" not in str(path)
