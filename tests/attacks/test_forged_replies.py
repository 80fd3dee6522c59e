"""A contender that writes into its worker's pipe or shared memory spoils no outcome but its own."""

from pathlib import Path

import pytest

from tests.conftest import Harness

BOARDS = """\
#: sudoku 2x2, count 1
1234341221434321
..34341221434321
1234341221434321
"""
MALFORMED = "malformed reply"
EXPECTED = {  # trick -> what is said of the board with an open first square
    "future": "killed after 1 s",
    "reborn": "killed after 1 s",
    "huge": "exited with code 1",
    "flood": MALFORMED,
    "endless": MALFORMED,
    "deep": MALFORMED,
    "usage": MALFORMED,
    "nowhere": MALFORMED,
}


@pytest.mark.slow
def test_a_forged_reply_is_an_error_of_its_contender_alone(harness: Harness, tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text(BOARDS)
    forgers = [f"forging:{trick}" for trick in (*EXPECTED, "truncate", "late", "far")]
    named = [word for name in (*forgers, "native:python") for word in ("-b", name)]
    done = harness("run", boards, *named, "-t", 1, "--json", "-")
    assert "Traceback" not in done.err
    assert done.code == 4
    for name in ("native:python", "forging:truncate"):  # a truncation is forbidden, or undone
        assert done.contender(name)["solved"] == 3, name
    for name in ("forging:late", "forging:far"):  # pretend to be done
        entry = done.contender(name)
        assert (entry["solved"] + entry["unknown"] + entry["error"], entry["wrong"]) == (3, 0), name
    for trick, why in EXPECTED.items():
        entry = done.contender(f"forging:{trick}")
        assert (entry["solved"], entry["error"] + entry["timeout"]) == (2, 1), trick
        assert [why in t["why"] for t in entry["trouble"]] == [True], entry["trouble"]
