"""Files of results are read by the rules for instances: regular files, limited sizes, time in proportion to them."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.importing import journal as importing
from harness.importing.benchexec import read_benchexec
from harness.importing.maxsat import html_rows, read_maxsat
from harness.importing.minizinc_challenge import read_challenge
from harness.importing.satcomp import read_satcomp
from harness.importing.tidy import read_csv
from harness.judging.referee import Referee
from harness.model.errors import BadUsage
from harness.model.settings import Limits
from harness.storing.journal import open_journal

READERS: dict[str, Callable[[str], object]] = {
    "benchexec": read_benchexec,
    "csv": read_csv,
    "maxsat": lambda path: read_maxsat(path, 10.0),
    "maxsat, CSV": lambda path: read_maxsat(path, 10.0),
    "minizinc": lambda path: read_challenge(path, 10.0),
    "satcomp": lambda path: read_satcomp([path], 10.0),
}
CELLS = {"results": '"SC"', "times": "1", "objectives": "5"}


def challenge(**cells: str) -> str:
    """Return the results of a Challenge with one solver and one instance."""
    columns = "".join(f', "{key}": [[{cell}]]' for key, cell in (CELLS | cells).items())
    names = '"solvers": ["a"], "benchmarks": ["b"], "kind": ["MIN"], "problems": ["p"], "instances": [[0]]'
    return f'{{"results": {{{names}{columns}}}}}'


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, reader: str) -> None:
    suffix = ".csv" if "CSV" in reader else ".html"
    os.mkfifo(tmp_path / f"pipe{suffix}")
    (tmp_path / f"zero{suffix}").symlink_to("/dev/zero")
    (tmp_path / f"folder{suffix}").mkdir()
    for path in tmp_path.iterdir():
        with pytest.raises(BadUsage, match=f"{path.name}: a directory, pipe or device, not a regular file"):
            READERS[reader](str(path))


@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_grows_too_much_is_refused(tmp_path: Path, reader: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzles.readers.compressed.ALLOWANCE", 1 << 16)
    path = tmp_path / ("a.csv" if "CSV" in reader else "a.html")
    path.write_bytes(gzip.compress(b"\n" * (1 << 19)))
    with pytest.raises(BadUsage, match="grows more than 100-fold when unpacked"):
        READERS[reader](str(path))


def test_a_tag_of_benchexec_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(f'<result tool="x" benchmarkname="{"a" * (1 << 22)}"></result>')
    with pytest.raises(BadUsage, match=r"a\.xml:1: a tag or comment of more than 1 MiB"):
        read_benchexec(str(path))


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"objectives": "9" * 4301}, ":1: a number of 4,301 digits, more than 1000"),
        ({"times": "9" * 5000}, ":1: a number of 5,000 digits"),
        ({"objectives": '"--5"'}, "the objective '--5' is not an integer"),
        ({"objectives": '"5-"'}, "the objective '5-' is not an integer"),
        ({"times": f'"{"9" * 30}"'}, "is not a time in milliseconds"),
        ({"results": "[" * 100_000 + "]" * 100_000}, "not JSON"),
    ],
    ids=["an objective", "a time", "two signs", "a sign behind", "seconds", "nesting"],
)
def test_numbers_and_nesting_of_a_challenge_have_limits(tmp_path: Path, cells: dict[str, str], why: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(challenge(**cells))
    with pytest.raises(BadUsage) as refused:
        read_challenge(str(path), 10.0)
    assert why in str(refused.value)
    path.write_text(challenge())
    assert len(read_challenge(str(path), 10.0).results) == 1


@pytest.mark.parametrize("reader", ["csv", "maxsat", "maxsat, CSV", "satcomp"])
def test_a_table_has_a_thousand_columns(tmp_path: Path, reader: str) -> None:
    path = tmp_path / ("a.html" if reader == "maxsat" else "a.csv")
    names = ["instance", *(f"s{i}" for i in range(20_000)), "result"]
    row = "<tr>" + "".join(f"<td>{name}" for name in names)
    path.write_text(row if reader == "maxsat" else ",".join(names) + "\n")
    with pytest.raises(BadUsage, match=r"a\..*:1: 20,002 columns, more than 1,000"):
        READERS[reader](str(path))


def test_several_files_have_a_thousand_contenders_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MAX_CONTENDERS", 2)
    path = tmp_path / "a.csv"
    path.write_text("instance,contender,status,seconds\n" + "".join(f"x,{name},sat,1\n" for name in "abc"))
    with pytest.raises(BadUsage, match="more than 2 contenders"):
        importing.collect([read_csv(str(path))])


def test_tables_of_pages_are_read_as_they_are_written() -> None:
    page = (
        "<html><!-- <tr><td>no > row --><TABLE>\n<tr class='a'><th>Name<th>a &amp; b</tr>\n"
        "<tr>\n<td> <b>x</b><i>y</i>\n</td>between<td/>1<br>2</tr>text</table>"
    )
    assert list(html_rows(page)) == [(2, ["Name", "a & b"]), (3, ["xy", "12"])]


@pytest.mark.parametrize("part", ["<a ", "<td ", "<!--", "<tr>", "<b>x</b>", "&", "<tr><td>"])
def test_any_page_is_read_in_proportion_to_its_length(part: str) -> None:
    assert sum(len(cells) for _, cells in html_rows("<tr><td>" + part * 100_000)) <= 100_001


def test_a_killed_import_is_not_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("instance,contender,status,seconds\n" + "".join(f"{i},s,sat,1\n" for i in range(3000)))

    def killed(*_: object) -> None:
        os._exit(9)

    def write(name: str) -> None:
        importing.import_results([read_csv(str(path))], "csv", Limits(10.0), tmp_path / name, ["import"])

    if not (pid := os.fork()):
        monkeypatch.setattr(Referee, "finalise_verdicts", killed)
        write("j.sqlite")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    with open_journal(tmp_path / "j.sqlite") as journal:
        assert journal.facts.get("state") == "running"
    write("k.sqlite")
    with open_journal(tmp_path / "k.sqlite") as journal:
        assert journal.facts.get("state") == "complete"


def test_a_file_of_the_user_that_is_read_whole_is_regular_and_limited(tmp_path: Path) -> None:
    from puzzles.files import read_text

    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(OSError, match="not a regular file"):
            read_text(path)
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfabc\r\n")
    assert json.dumps(read_text(tmp_path / "a")) == json.dumps("abc\n")
    with pytest.raises(OSError, match="more than"):
        read_text(tmp_path / "a", 3)
