"""Secrets in commands are named and hidden in what is shared; digests of variables are salted, and still compared."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from harness.model.consent import masked, masked_words
from tests.attacks.planting import BOARDS, SOLUTION
from tests.conftest import Harness
from tests.journals import interrupt

WORD = "abc123xyz"
SCRIPT = f"#!/bin/sh\nread board || exit 0\necho {SOLUTION}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "two.txt").write_text(BOARDS)
    (tmp_path / "s").write_text(SCRIPT)
    (tmp_path / "s").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("./s --token=abc -n 3", "./s --token=*** -n 3"),
        ("./s --api-key abc --fast", "./s --api-key *** --fast"),
        ("env TOKEN=abc ./s", "env TOKEN=*** ./s"),
        ("./s --password='a b' x", "./s --password=*** x"),
        ("./s http://me:abc@host/x", "./s http://me:***@host/x"),
        ("./s --tokens-per-line=3", "./s --tokens-per-line=***"),
        ("./s passwd {cnf}", "./s passwd {cnf}"),
        ("./s --mode=passwd {cnf}", "./s --mode=passwd {cnf}"),
        ("tokenizer --secret {cnf}", "tokenizer --secret {cnf}"),
        ("a=./s --seed=3 key=4 --threads 4", "a=./s --seed=3 key=4 --threads 4"),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_a_secret_may_be_a_word_of_its_own() -> None:
    assert masked_words(["run", "--token", "abc", "--program", "a=./s --token abc"]) == [
        *("run", "--token", "***", "--program", "a=./s --token ***")
    ]


def test_a_secret_in_a_program_is_named_and_stands_in_the_journal_alone(folder: Path, harness: Harness) -> None:
    run = ("run", "two.txt", "-b", "lines:mine", "--program", f"mine=./s --token={WORD}")
    done = harness(*run, "-o", "j.sqlite", "--html", "page.html", "--json", "j.json")
    assert "--program mine: the journal keeps the command" in done.err
    assert "--pass-env" in done.err
    assert WORD not in done.out + done.err + (folder / "j.json").read_text() + (folder / "page.html").read_text()
    assert harness("report", "j.sqlite", "--json", "-").summary["command"].count("mine=./s --token=***") == 1
    assert WORD.encode() in (folder / "j.sqlite").read_bytes()  # a resume runs it


def digests(journal: Path) -> set[str]:
    with closing(sqlite3.connect(journal)) as db:
        return {json.loads(text)["TOKEN"] for (text,) in db.execute("select environment from places")}


@pytest.mark.slow
def test_digests_of_variables_are_salted_equal_in_shards_and_compared_by_a_resume(
    folder: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", WORD)
    run = ("run", "two.txt", "-b", "lines:mine", "--program", "mine=./s", "--pass-env", "TOKEN")
    for shard in ("1/2", "2/2"):
        harness(*run, "--shard", shard, "-o", f"{shard[0]}.sqlite")
    harness(*run, "-n", "1", "-o", "other.sqlite")
    assert digests(folder / "1.sqlite") == digests(folder / "2.sqlite") != digests(folder / "other.sqlite")
    assert harness("merge", "1.sqlite", "2.sqlite", "-o", "m.sqlite").code == 0
    assert harness("report", "m.sqlite", "--places", "--json", "-").summary["differences"] == []
    interrupt("other.sqlite")
    assert "value of TOKEN" not in harness("run", "--resume", "other.sqlite", "--yes").err
    interrupt("other.sqlite")
    monkeypatch.setenv("TOKEN", "another")
    assert "resumed with other value of TOKEN" in harness("run", "--resume", "other.sqlite", "--yes").err
