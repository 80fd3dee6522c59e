"""`report --html` and `run --html`: one page of one journal or two."""

import base64
import gzip
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Harness
from tests.effort import slow_after
from tests.journals import make, noisy, puzzle

HOSTILE = ("made:</script><img src=x onerror=alert(1)>", "made:<!--", "made:\u202egnp", "made:" + "x" * 500)


def header(page: Path) -> dict[str, Any]:
    """Return the header of a page's data, with names and drawings in the place of their indices."""
    data = re.findall(r'id="data">([^<]*)</script>', page.read_text(encoding="utf-8"))
    assert len(data) == 1
    packed = gzip.decompress(base64.b64decode(data[0]))
    start = 4 + int.from_bytes(packed[:4], "little")
    found: dict[str, Any] = json.loads(packed[4:start])
    for journal in found["journals"]:
        for key in ("names", "drawings"):
            offset, size = journal[key]
            journal[key] = json.loads(packed[start + offset : start + offset + size])
    return found


def test_the_page_holds_the_summary_of_json_and_the_command_that_makes_it_again(
    tmp_path: Path, harness: Harness
) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 2, 6), "y": noisy(2, 2, 6)}, odd={"y": {"undecided": [0]}})
    page = tmp_path / "my page.html"
    done = harness("report", path, "--html", page, "--json", tmp_path / "j.json")
    assert "agreement:" in done.out
    found = header(page)
    stated = json.loads((tmp_path / "j.json").read_text())
    assert found["journals"][0]["headlines"]["wall"] == stated.pop("headline")
    assert found["journals"][0]["summary"] == stated | {"logs_from": "."}  # seen from the page
    assert shlex.split(found["command"])[-4:] == ["report", "--html", str(page), str(path)]
    before = page.read_bytes()
    assert harness(*shlex.split(found["command"])[3:]).code == done.code
    assert page.read_bytes() == before


def test_names_of_instances_are_no_markup(tmp_path: Path, harness: Harness) -> None:
    puzzles = [replace(puzzle(i), name=name) for i, name in enumerate(HOSTILE)]
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, len(HOSTILE))}, puzzles)
    assert harness("report", path, "--html", tmp_path / "p.html").code == 0
    assert tuple(header(tmp_path / "p.html")["journals"][0]["names"]) == HOSTILE
    text = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert not [name for name in HOSTILE if name in text]


def test_two_journals_are_compared_as_compare_does(tmp_path: Path, harness: Harness) -> None:
    old = make(tmp_path / "old.sqlite", {"x": noisy(1, 5), "y": noisy(3, 5)})
    new = make(
        tmp_path / "new.sqlite", {"x": noisy(2, 5, factor=2), "z": noisy(3, 5)}, [puzzle(i) for i in range(99, -1, -1)]
    )
    assert harness("report", "--html", tmp_path / "p.html", old, new).code == 0
    found = header(tmp_path / "p.html")
    assert [j["path"] for j in found["journals"]] == [str(old), str(new)]
    harness("compare", old, new, "--json", tmp_path / "c.json")
    assert found["comparison"] == json.loads((tmp_path / "c.json").read_text())
    assert found["comparison"]["comparisons"][0]["call"] == "regressed"
    assert [column[1] for column in found["pairs"]] == [found["comparison"]["comparisons"][0]["puzzles"]] * 2


def test_two_environments_of_a_journal_are_compared(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 5), "x@old": noisy(2, 5), "y": noisy(3, 5)})
    assert harness("report", "--html", tmp_path / "p.html", path).code == 0
    (only,) = header(tmp_path / "p.html")["comparison"]["comparisons"]
    assert (only["before"]["contender"], only["after"]["contender"]) == ("x@old", "x")


def test_two_journals_need_html(tmp_path: Path, harness: Harness) -> None:
    path = make(tmp_path / "j.sqlite", {"x": noisy(1, 1, 6)})
    for arguments in ([path, path], ["--html", tmp_path / "p.html", path, path, path]):
        done = harness("report", *arguments)
        assert (done.code, "report takes one journal, or with --html two" in done.err) == (2, True)
    assert not (tmp_path / "p.html").exists()


@pytest.mark.parametrize(
    "given", slow_after(1, [["my boards.txt", "--as", "latin 4"], ["hardest.txt:4", "some files"]]), ids=str
)
def test_run_writes_the_page_and_its_commands_run_again(
    tmp_path: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch, given: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my boards.txt").write_text("# two\n1...2..........." + "\n................\n")
    Path("some files/more").mkdir(parents=True)
    for name in ("one.cnf", "more/two.cnf"):
        Path("some files", name).write_text(f"p cnf {len(name)} 1\n1 2 0\n")
    arguments = ["-b", "native:python", "-o", "j.sqlite", "--html", "p.html"]
    assert harness("run", *given, *arguments, "-b", "native").code == 0
    (journal,) = header(Path("p.html"))["journals"]
    assert len(journal["names"]) == len(journal["drawings"])
    before, after = journal["contenders"][-1]["command"]
    for name in journal["names"]:
        place = journal["places"][name.endswith(".cnf")]
        words = shlex.split(f"{before} {shlex.quote(place['start'] + name[place['drop'] :])} {after}")
        again = harness(*words[3:])
        assert (again.code, name.rpartition("/")[2] in again.out) == (10, True), (words, again.err)


def test_an_unwritable_page_is_found_before_anything_is_solved(tmp_path: Path, harness: Harness) -> None:
    page = tmp_path / "missing" / "p.html"
    done = harness("run", "hardest", "-n", "1", "-o", tmp_path / "j.sqlite", "--html", page)
    assert (done.code, str(page) in done.err, (tmp_path / "j.sqlite").exists()) == (2, True, False)
    assert harness("run", "no such corpus", "--html", tmp_path / "p.html").code == 2
    assert not (tmp_path / "p.html").exists()
    path = make(tmp_path / "k.sqlite", {"x": noisy(1, 1, 6)})
    done = harness("report", path, "--html", page)
    assert (done.code, str(page) in done.err, done.err.count("\n")) == (2, True, 1)
