"""Files of findings: written atomically, never lost, and read or refused in one line."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.commands.fuzz import save_findings
from harness.fuzzing.clausal import clause_problem
from harness.fuzzing.findings.finding import Case, Finding, parse_entries, read, text, write
from harness.fuzzing.findings.naming import path_of
from harness.fuzzing.rounds.boards import draw_boards
from harness.model.errors import BadUsage
from puzzles.boards.families import layout
from tests.attacks.planting import wait_for
from tests.conftest import Harness, left_running
from tests.effort import examples

LATIN = layout("latin 2")
EXAMPLE = Finding(Case("native:python", LATIN, (LATIN.open,), 2, 1.5, 0, ((0, 1, 1, 0),)), "too few", "2", "1")


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """Draw a finding on boards of a random round, or on random clauses."""
    drawn = draw_boards(draw(st.integers(0, 50)), 0)
    block = draw(st.sampled_from(drawn.blocks))
    asks = tuple(board.domains for board in block.boards[: draw(st.integers(1, 3))])
    case = Case("a contender", block.problem, asks, drawn.count, draw(st.floats(0.1, 9)), draw(st.integers(0, 9)))
    if draw(st.booleans()):
        variable = st.integers(-5, 5).filter(bool)
        form = clause_problem(
            draw(st.lists(st.lists(variable, min_size=1).map(tuple), min_size=1, max_size=4).map(tuple))
        )
        case = replace(case, problem=form, asks=(form.open,))
    words = st.text(max_size=20)
    return Finding(case, draw(words), draw(words), draw(words), draw(words), {"seed": draw(st.integers())})


@given(findings())
@settings(max_examples=examples(60))
def test_any_finding_is_read_back_unchanged(tmp_path_factory: pytest.TempPathFactory, finding: Finding) -> None:
    path = tmp_path_factory.mktemp("kept") / "a.finding"
    write(finding, path)
    back = read(path)
    assert text(back) == text(finding)
    assert (back.case.problem.name, back.case.problem) == (finding.case.problem.name, finding.case.problem)
    assert (back.case.asks, back.case.count, back.provenance) == (
        finding.case.asks,
        finding.case.count,
        finding.provenance,
    )


PARTS = ("", "0", "-1", "NaN", "1e999", "[", "]]", "{", "null", '"', "\\", "9" * 30, "\x00", "é", "\n#", "[" * 9999)


@given(st.randoms(use_true_random=False), st.integers(1, 3))
@settings(max_examples=examples(150))
def test_a_corrupted_finding_is_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, random: Random, times: int
) -> None:
    content = text(EXAMPLE)
    for _ in range(times):
        a = random.randrange(len(content))
        content = content[:a] + random.choice(PARTS) + content[a + random.choice((0, 1, 5, 50, 5000)) :]
    path = tmp_path_factory.getbasetemp() / "tampered.finding"
    path.write_text(content, encoding="utf-8")
    refused = ""
    try:
        back = read(path)
    except BadUsage as e:
        refused = str(e)
    if refused:
        assert refused.startswith(f"{path}: ")
        assert len(refused.splitlines()) == 1
    else:
        path.write_text(text(back), encoding="utf-8")
        assert text(read(path)) == text(back)


@pytest.mark.parametrize(
    "entries",
    [
        *({"count": 0}, {"seconds": -1}, {"seconds": "nan"}, {"memory": -1}, {"units": [[0, 0]]}, {"versions": 3}),
        *({"asks": []}, {"witnesses": [[0]]}, {"clauses": [[5]]}, {"clauses": [[0]]}, {"program": [3]}),
    ],
    ids=str,
)
def test_invalid_entries_are_refused(entries: dict[str, object]) -> None:
    import json

    data = json.loads("\n".join(line for line in text(EXAMPLE).splitlines() if not line.startswith("#")))
    del data["crosscheck finding"]
    assert parse_entries(dict(data)).case.count == 2
    with pytest.raises((ValueError, TypeError)):
        parse_entries(data | entries)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.finding"
    write(EXAMPLE, path)
    (tmp_path / "a.finding.part").mkdir()
    with pytest.raises(BadUsage, match=r"a\.finding: "):
        write(replace(EXAMPLE, signature="other"), path)
    assert read(path).signature == "too few"


def test_a_finding_that_cannot_be_written_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "full").write_text("")
    assert save_findings(iter([EXAMPLE]), tmp_path / "full") == (1, False)
    assert text(EXAMPLE) in capsys.readouterr().out


def test_the_same_failure_is_kept_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = replace(EXAMPLE, seen="later")
    assert save_findings(iter([EXAMPLE]), tmp_path) == (1, False)
    assert save_findings(iter([again, replace(again, signature="timeout")]), tmp_path) == (2, False)
    assert read(path_of(EXAMPLE, tmp_path)).seen == "1"
    assert len(list(tmp_path.iterdir())) == 2
    assert capsys.readouterr().out.count("(found before)") == 1


def test_similar_signatures_get_separate_files_and_other_files_are_not_overwritten(
    tmp_path: Path,
) -> None:
    spoilt = path_of(EXAMPLE, tmp_path)
    spoilt.write_text("someone's notes")
    several = [replace(EXAMPLE, signature=how) for how in ("too few", "too-few", "too few!")]
    assert save_findings(iter([*several, *several]), tmp_path) == (6, False)
    assert sorted(read(path).signature for path in tmp_path.iterdir() if path != spoilt) == sorted(
        f.signature for f in several
    )
    assert spoilt.read_text() == "someone's notes"


@pytest.mark.parametrize(
    ("verb", "content"),
    [("replay", text(EXAMPLE)[:600]), ("shrink", text(EXAMPLE).replace('finding": 1', 'finding": 2')), ("replay", "")],
)
def test_an_invalid_finding_is_a_usage_error(harness: Harness, tmp_path: Path, verb: str, content: str) -> None:
    (tmp_path / "a.finding").write_text(content)
    done = harness(verb, "a.finding")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("harness: a.finding: ")
    assert done.err.count("\n") == 1


def test_an_unusable_output_folder_is_refused_before_fuzzing(harness: Harness, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = harness("fuzz", "-b", "native:python", "-o", "file")
    assert (done.code, done.out) == (2, "")
    assert done.err == "harness: file: can't write findings there: Not a directory\n"


def test_a_refused_layout_does_not_fail_and_says_so(harness: Harness, tmp_path: Path) -> None:
    write(replace(EXAMPLE, case=replace(EXAMPLE.case, contender="native:kernel")), tmp_path / "a.finding")
    done = harness("replay", "a.finding")
    assert done.code == 0
    assert "does not fail: could not be opened: " in done.out


@pytest.mark.slow
def test_interrupted_fuzzing_keeps_its_findings_and_leaves_no_worker(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    words = ["fuzz", "-b", "planted:decoding", "-b", "native:python", "-t", "60", "-o", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "harness", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    while "harness shrink" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=200)
    assert process.returncode == 130
    assert (out.splitlines()[-1], err) == ("1 finding", "")
    assert [read(path).signature for path in tmp_path.iterdir()] == ["wrong solution"]
    assert wait_for(lambda: left_running(environment) == [])
