"""Scores by folder and status, filters of a report, and lists of instances by who decided them."""

import csv
import io
import re
import sys
from pathlib import Path

import pytest

from harness.commands.report import opened
from harness.reporting.frame.filtering import InstanceFilter
from harness.reporting.views.grouping import groups
from harness.storing.journal import open_journal
from puzzles.readers.selecting import Selection
from tests.conftest import Harness

SAT, UNSAT = "p cnf 2 1\n1 2 0\n", "p cnf 1 2\n1 0\n-1 0\n"
FILES = {"f/easy/s.cnf": SAT, "f/easy/u.cnf": UNSAT, "f/hard/deep/s.cnf": SAT, "f/hard/u.cnf": UNSAT}
# Answers the files whose names its first argument has; gives up on the others.
PICKY = """
import sys
text = open(sys.argv[-1]).read()
if not any(word in text for word in sys.argv[1].split('+')): print('s UNKNOWN')
else: print('s UNSATISFIABLE' if '-1 0' in text else 's SATISFIABLE\\nv 1 2 0')
"""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Journal of two solvers on two folders: `sat` decides satisfiable files, `some` those of `easy` and hard/u.cnf."""
    from harness.cli import main

    folder = tmp_path_factory.mktemp("groups")
    for number, (name, text) in enumerate(FILES.items()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"c file {number}\n{text}")
    (folder / "picky.py").write_text(PICKY)
    path = folder / "j.sqlite"
    program = f"={sys.executable} {folder}/picky.py"
    words = ["--program", f"sat{program} 'p cnf 2'", "--program", f"some{program} 'file 0+file 1'"]
    main(["run", str(folder / "f"), "-b", "dimacs:sat,dimacs:some", *words, "-o", str(path), "-w", "0"])
    return path


def test_the_folders_of_a_corpus_are_its_families_sat_and_unsat_apart(journal: Path, harness: Harness) -> None:
    table = harness("report", journal, "--by", "folder,status", "--rank", "solved", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(table)))
    solved = {(r["folder"], r["status"], r["contender"]): (r["instances"], r["solved"]) for r in rows}
    assert solved == {
        ("easy", "sat", "dimacs:sat/extended"): ("1", "1"),
        ("easy", "sat", "dimacs:some/extended"): ("1", "1"),
        ("easy", "unsat", "dimacs:sat/extended"): ("1", "0"),
        ("easy", "unsat", "dimacs:some/extended"): ("1", "1"),
        ("hard", "sat", "dimacs:sat/extended"): ("1", "1"),
        ("hard", "sat", "dimacs:some/extended"): ("1", "0"),
        ("hard", "undecided", "dimacs:sat/extended"): ("1", "0"),
        ("hard", "undecided", "dimacs:some/extended"): ("1", "0"),
        ("all", "all", "dimacs:sat/extended"): ("4", "2"),
        ("all", "all", "dimacs:some/extended"): ("4", "2"),
    }


@pytest.mark.slow
@pytest.mark.usefixtures("forked")
def test_a_group_without_a_score_leaves_the_others_theirs(tmp_path: Path, harness: Harness) -> None:
    for folder, sign in (("above", "+"), ("below", "-")):
        (tmp_path / "f" / folder).mkdir(parents=True)
        header = "* #variable= 2 #constraint= 1\n"
        text = f"{header}min: {sign}1 x1 {sign}1 x2 ;\n+1 x1 +1 x2 >= 1 ;\n"
        (tmp_path / "f" / folder / "a.opb").write_text(text)
    path = tmp_path / "j"
    assert harness("run", tmp_path / "f", "-b", "native:lazy", "-w", "0", "-o", path).code == 0
    for score in ("maxsat-anytime", "vbs:maxsat-anytime"):
        words = ("report", path, "--by", "folder", "--rank", score)
        groups = harness(*words, "--json", "-").summary["groups"]["groups"]
        found = {group["group"][0]: group["contenders"][0]["score"] for group in groups}
        assert found == {"above": 1.0, "below": None, "all": None}
        lines = harness(*words).out.splitlines()
        assert [line.split()[-2:] for line in lines if line.startswith("below")] == [["1", "(-)"]]
    refused = harness("report", path, "--rank", "maxsat-anytime")
    assert (refused.code, "costs that are not negative" in refused.err) == (2, True)
    assert harness("report", path, "--by", "folder", "--rank", "maxsat-anytime", "--only", "below").code == 2


@pytest.mark.parametrize("folder", ["easy", "hard"])
def test_the_score_of_a_group_is_that_of_a_report_on_its_instances(
    journal: Path, harness: Harness, folder: str
) -> None:
    by = harness("report", journal, "--by", "folder", "--json", "-").summary["groups"]
    (group,) = (g for g in by["groups"] if g["group"] == [folder])
    alone = harness("report", journal, "--only", folder, "--json", "-").summary
    for entry, c in zip(group["contenders"], alone["contenders"], strict=True):
        assert (entry["name"], entry["solved"]) == (c["name"], c["solved"])
        assert entry["score"] == pytest.approx(c["par2"], rel=1e-12)


def test_a_table_of_groups_is_latex_alone_and_has_all_instances_last(journal: Path, harness: Harness) -> None:
    lines = harness("report", journal, "--by", "folder", "--rank", "solved", "--format", "latex").out.splitlines()
    assert lines[6] == r"folder & instances & sat & some \\"
    assert lines[8:11] == [r"easy & 2 & 1 & 2 \\", r"hard & 2 & 1 & 0 \\", r"all & 4 & 2 & 2 \\"]
    times = harness("report", journal, "--by", "folder", "--format", "latex").out.splitlines()[8]
    assert re.fullmatch(r"easy & 2 & 1 \([\d.]+\\,s\) & 2 \([\d.]+\\,(ms|s)\) \\\\", times), times
    refused = harness("report", journal, "--by", "folder", "--vbs", "--format", "latex")
    assert (refused.code, "choose --vbs or --by" in refused.err) == (2, True)
    assert harness("report", journal, "--by", "size").code == 2


@pytest.mark.parametrize(
    ("words", "number"),
    [
        (("--only", "easy"), 2),
        (("--exclude", "deep"), 3),
        (("--only", "hard", "--only", "easy/s.cnf"), 3),
        (("--where", "*=nobody"), 1),
        (("--where", "*=alone"), 2),
        (("--where", "dimacs:some/extended=unsatisfiable"), 1),
        (("--where", "dimacs:sat/extended=unknown"), 2),
        (("--where", "*=satisfiable"), 2),
        (("--where", "*=time>0", "--where", "dimacs:some/extended=unsolved"), 1),
        (("--only", "easy", "--where", "*=alone"), 1),
    ],
)
def test_a_report_is_cut_to_what_passes_its_filters(
    journal: Path, harness: Harness, words: tuple[str, ...], number: int
) -> None:
    found = harness("report", journal, *words, "--json", "-").summary
    assert found["agreement"]["puzzles"] == number
    assert all(c["solved"] + c["unknown"] == number for c in found["contenders"])
    shown = "instance" if number == 1 else "instances"
    assert f"| only {number} {shown} ({' '.join(words)})" in " ".join(harness("report", journal, *words).out.split())


def test_a_filter_that_nothing_passes_or_nobody_knows_is_refused(journal: Path, harness: Harness) -> None:
    for words, why in (
        (("--only", "none"), "--only 'none' matches no instance"),
        (("--where", "*=wrong"), "no instance passes --where *=wrong"),
        (("--where", "dimacs:sat/extended=slow"), "known are solved, unsolved"),
        (("--where", "timeout"), "write CONTENDER=CONDITION"),
    ):
        done = harness("report", journal, *words)
        assert (done.code, why in done.err, len(done.err.splitlines())) == (2, True, 1)


def test_lists_name_what_nobody_or_one_alone_decided(journal: Path, harness: Harness) -> None:
    lists = ("--list", "unsolved", "--list", "alone", "--list", "family")
    found = harness("report", journal, *lists, "--json", "-").summary["lists"]
    assert found["unsolved"] == [{"name": "hard/u.cnf", "by": ""}]
    assert found["alone"] == [
        {"name": "easy/u.cnf", "by": "dimacs:some/extended"},
        {"name": "hard/deep/s.cnf", "by": "dimacs:sat/extended"},
    ]
    assert found["family"] == []
    text = harness("report", journal, "--list", "alone").out
    assert "2 instances decided by one contender alone" in text
    assert harness("report", journal, "--list", "unsolved", "--format", "csv").out == "instance\nhard/u.cnf\n"


def test_instances_that_versions_of_one_solver_alone_decide_are_of_its_family(
    journal: Path, harness: Harness, tmp_path: Path
) -> None:
    (tmp_path / "u.cnf").write_text(UNSAT)
    harness("run", tmp_path / "u.cnf", "-b", "pysat:cadical103,pysat:cadical195", "-o", "twins.sqlite")
    found = harness("report", "twins.sqlite", "--list", "family", "--json", "-").summary["lists"]
    assert found["family"] == [{"name": "u.cnf", "by": "cadical"}]


def test_a_journal_shows_everything_again_after_a_filter(journal: Path) -> None:
    from contextlib import ExitStack

    with ExitStack() as stack:
        results = opened(stack, str(journal), None, InstanceFilter(Selection(("easy",))))
        held = results.journal
        assert len(groups(results, ["folder"], "par2", "wall")[1]) == 2
        assert held.instances.parts() == [(1, 2)]
    with open_journal(journal) as again:
        assert again.instances.parts() == [(1, 4)]
