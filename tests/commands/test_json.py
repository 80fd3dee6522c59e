"""`--json` of all verbs: where a table is printed it is an object too, and so is each error."""

import json
import re
from pathlib import Path

import pytest

from harness.cli import CommandParser, complete
from harness.model.invocation import GROUPS, UNLISTED
from tests.conftest import Harness

VERBS = [verb for group in GROUPS.values() for verb in group]
OBJECTS = {
    "run",
    "report",
    "compare",
    "check",
    "judge",
    "merge",
    "import",
    "list",
    "get",
    "explain",
    "rehearse",
}
TABLE = re.compile(r"(?m)^-{3,}(  -{3,})+$")
CLASH = "p cnf 1 2\n1 0\n-1 0\n"
COMMANDS = {  # a short command of each verb; {j} is a journal, {f} a finding
    "solve": "hardest",
    "count": "hardest",
    "show": "hardest",
    "trace": "hardest -b native:norvig --steps 1",
    "encode": "hardest -o h.cnf",
    "record": "-- true",
    "generate": "--as 'sudoku 2x2' --kind easy -n 1 -o g.txt",
    "run": "hardest -n 1 -b native -o k.sqlite",
    "report": "{j}",
    "compare": "{j} {j}",
    "judge": "{j}",
    "check": "hardest -n 1 -b native --golden g.jsonl --update",
    "explain": "clash.cnf",
    "export": "{j} --format csv",
    "fuzz": "-b native --as cnf --cases 1",
    "shrink": "no.finding",
    "replay": "no.finding",
    "merge": "{j} {j} -o m.sqlite",
    "rehearse": "sat-2025 false",
    "import": "--format csv x.csv -o i.sqlite",
    "site": "{j} -o site",
    "list": "--corpora",
    "get": "--list",
}


def test_the_verbs_with_tables_take_json() -> None:
    taking = set()
    for verb in (*VERBS, *UNLISTED):
        parser = CommandParser(prog=verb)
        complete(parser, verb)
        taking |= {verb} if "--json" in parser._option_string_actions else set()
    assert taking == OBJECTS


@pytest.mark.parametrize("verb", VERBS)
def test_an_error_of_each_verb_is_an_object_with_json(harness: Harness, verb: str) -> None:
    done = harness(verb, "--json", "-", "--nosuch")
    assert (done.code, json.loads(done.out)["exit"]) == (2, 2)
    assert json.loads(done.out)["error"] in done.err


@pytest.mark.slow
@pytest.mark.parametrize("verb", [*VERBS, "judge"])
def test_a_verb_that_prints_a_table_writes_an_object(harness: Harness, tmp_path: Path, verb: str) -> None:
    (tmp_path / "clash.cnf").write_text(CLASH)
    assert harness("run", "hardest", "-n", "1", "-b", "native", "-o", "j.sqlite").code == 0
    (tmp_path / "x.csv").write_text(harness("export", "j.sqlite", "--format", "csv").out)
    words = [verb, *re.sub("'", "", COMMANDS[verb].replace("sudoku 2x2", "sudoku_2x2")).split()]
    words = [word.replace("{j}", "j.sqlite").replace("sudoku_2x2", "sudoku 2x2") for word in words]
    printed = harness(*words).out
    assert verb in OBJECTS or not TABLE.search(printed)
    if verb in OBJECTS:
        (tmp_path / "m.sqlite").unlink(missing_ok=True)
        (tmp_path / "i.sqlite").unlink(missing_ok=True)
        (tmp_path / "k.sqlite").unlink(missing_ok=True)
        assert isinstance(json.loads(harness(verb, "--json", "-", *words[1:]).out), dict)
