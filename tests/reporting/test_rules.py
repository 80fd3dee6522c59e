"""Rules of competitions: each shipped file is whole, and its rankings are those computed by hand."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from harness.model.errors import BadUsage
from harness.model.rules import Placing, names, rules_at
from harness.reporting.frame.reading import open_judged
from harness.reporting.frame.results import aggregate
from harness.reporting.views.comparing.measures import score_name
from harness.reporting.views.ranking import by_rules
from harness.reporting.views.ranking.ranks import rank
from harness.storing.journal import open_journal
from tests.conftest import Harness
from tests.importing.test_optimisation_tables import SCORES
from tests.journals import make, noisy, puzzle
from tests.reporting import proved

LIMIT = 100
SECONDS = {  # of four decision problems; None is a timeout, and c was asked two alone
    "a": (10, 20, 30, None),
    "b": (1, 1, None, None),
    "c": (1, 1.5),
}


def results_file(path: Path, answers: dict[str, str] | None = None) -> Path:
    """Write SECONDS as CSV; `answers` are those of instance 0 by contender, else `sat`."""
    rows = ["instance,contender,status,cpu_ns,wall_ns,cpu_limit,verdict"]
    for name, times in SECONDS.items():
        for i, t in enumerate(times):
            ns, status = round((t or LIMIT) * 1e9), "timeout" if t is None else "sat"
            verdict = (answers or {}).get(name, "") if i == 0 else ""
            rows.append(f"i{i},{name},{status},{ns},{ns},{LIMIT},{verdict}")
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def journal(tmp_path: Path, harness: Harness) -> Path:
    path = tmp_path / "decisions.sqlite"
    done = harness("import", "--format", "csv", results_file(tmp_path / "r.csv"), "-o", path, "-t", LIMIT)
    assert done.code == 0, done.err
    return path


@pytest.mark.parametrize("name", names())
def test_a_file_of_rules_is_whole_and_has_sources_with_a_date(name: str) -> None:
    rules = rules_at(name)
    assert str(rules.year) in name
    assert any(re.search("read in [A-Z][a-z]+ 20", source) for source in rules.source)
    known = {f"{table}.{key}" for table in ("protocol", "limits", "answers") for key in vars(getattr(rules, table))}
    assert set(rules.unsure) <= known | {"ranking.score"}
    for placing in rules.ranking:
        score_name(placing.score)


def test_both_rankings_of_pb_2026_are_those_computed_by_hand(journal: Path, harness: Harness) -> None:
    done = harness("report", journal, "--rules", "pb-2026", "--json", "-").summary["competition"]
    main, lexicographic = done["rankings"]
    shown = [[(c["name"], c["rank"], c["score"]) for c in one["contenders"]] for one in (main, lexicographic)]
    assert [main["event"], lexicographic["event"]] == ["DEC, main", "DEC, lexicographic"]
    # c is charged for the two instances that it was not asked
    assert shown[0] == [("a", 1, pytest.approx(65.0)), ("b", 2, pytest.approx(100.5)), ("c", 3, pytest.approx(100.625))]
    assert shown[1] == [("a", 1, 3.0), ("b", 2, 2.0), ("c", 3, 2.0)]
    assert any(
        "the rules limit cpu time to 3600 s (not confirmed), this run cpu time to 100 s" in note
        for note in done["notes"]
    )


def test_the_text_names_the_event_and_its_sources(journal: Path, harness: Harness) -> None:
    text = harness("report", journal, "--rules", "pb-2026").out
    assert "Pseudo-Boolean Competition 2026 (pb-2026): DEC, main" in text
    assert "cril.univ-artois.fr/PB26, read in November 2026" in text
    assert "not confirmed for 2026, but of other years or assumed: limit of time, limit of memory" in text


def test_instances_of_another_language_and_another_limit_of_memory_are_told(tmp_path: Path) -> None:
    names = ["a.wcnf", "b.wcnf.xz", "c.cnf"]
    path = make(
        tmp_path / "j.sqlite", {"one": noisy(1, 1, 3)}, [replace(puzzle(i), name=n) for i, n in enumerate(names)]
    )
    with open_journal(path) as opened:
        results = aggregate(opened)
        told = by_rules.departures(results, rules_at("sat-2025"))
        assert told[0] == "warning: the event has CNF instances, and of these 3 instances are others: 2 WCNF"
        assert "1 CNF" in by_rules.departures(results, rules_at("maxsat-2024-exact"))[0]
        assert not any("warning" in line for line in by_rules.departures(results, rules_at("smt-2025")))
        limited = replace(results, settings=replace(results.settings, memory=0, default_memory=12 << 30))
        assert "the rules limit memory to 30,000 MB, this run to 12,885 MB" in by_rules.departures(
            limited, rules_at("sat-2025")
        )


@pytest.mark.parametrize("score", ["par10", "solved", "borda", "vbs", "shapley"])
def test_a_score_in_a_file_is_that_of_rank(score: str, tmp_path: Path) -> None:
    path = proved.proved(tmp_path / "j.sqlite")  # all were asked all
    with open_journal(path) as opened:
        results = aggregate(opened)
        own, ruled = rank(results, score), rank(results, score, "wall", Placing("event", score))
    assert ruled.as_dict() == own.as_dict() | {"event": "event"}


def test_a_refuted_proof_disqualifies_since_2025(tmp_path: Path) -> None:
    path = proved.proved(tmp_path / "j.sqlite")
    with open_journal(path) as opened:
        results = aggregate(opened)
        wrong = {}
        for year in (2024, 2025, 2026):
            rules = rules_at(f"sat-{year}")
            (ranking,) = by_rules.rankings(by_rules.under(results, rules), rules)
            wrong[year] = {c.name for c in ranking.contenders if c.wrong}
    assert wrong == {2024: set(), 2025: {"two"}, 2026: {"two"}}


def test_smt_comp_ranks_by_the_number_of_errors_first(tmp_path: Path, harness: Harness) -> None:
    source = results_file(tmp_path / "r.csv", {"a": "wrong"})
    assert harness("import", "--format", "csv", source, "-o", tmp_path / "j.sqlite", "-t", LIMIT).code in (0, 1)
    done = harness("report", tmp_path / "j.sqlite", "--rules", "smt-2025", "--json", "-").summary["competition"]
    assert [c["name"] for c in done["rankings"][0]["contenders"]] == ["b", "c", "a"]


def test_smt_comp_removes_instances_on_which_sound_solvers_disagree(tmp_path: Path, harness: Harness) -> None:
    rows = [f"i{i},{name},{'unsat' if (name, i) == ('b', 0) else 'sat'},1" for i in range(4) for name in "ab"]
    (tmp_path / "r.csv").write_text("\n".join(["instance,solver,status,seconds", *rows]) + "\n")
    path = tmp_path / "j.sqlite"
    assert harness("import", "--format", "csv", tmp_path / "r.csv", "-o", path, "-t", LIMIT).code in (0, 1)
    for rules, instances in (("smt-2026", 3), ("sat-2024", 4)):
        done = harness("report", path, "--rules", rules, "--json", "-").summary["competition"]["rankings"][0]
        assert (done["instances"], done["of"]) == (instances, 4)


def test_costs_that_others_found_count_as_the_best_known(tmp_path: Path, harness: Harness) -> None:
    (tmp_path / "t.html").write_text(SCORES)
    path = tmp_path / "j.sqlite"
    assert harness("import", "--format", "maxsat", tmp_path / "t.html", "-t", 60, "-o", path).code == 0
    with open_judged(path) as opened:
        results = opened.results()
        name = results.listed.names[0]
        (tmp_path / "best.csv").write_text(f"{name},-5\n")
        known = by_rules.with_best_known(results, str(tmp_path / "best.csv")).best_known
        assert known is not None
        assert known.values[1] == -5
        (tmp_path / "best.csv").write_text(f"{name},1\nnobody,2\n")
        with pytest.raises(BadUsage, match=r"best.csv:2: 'nobody' is no instance"):
            by_rules.with_best_known(results, str(tmp_path / "best.csv"))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("year = 2026", 'year = "2026"'), "year: int is expected"),
        (("[limits]", "[limits]\nsecond = 1"), "limits: unknown key 'second'"),
        (('event = "Pseudo-Boolean Competition"\n', ""), "missing key 'event'"),
        (('clock = "cpu"', 'clock = "sun"'), "limits: clock: 'sun' is none of cpu, wall"),
        (("year = 2026", "year = = 2026"), "line 2"),
        (('score = "pb"', 'score = "bp"'), "'bp' is no score"),
    ],
)
def test_a_bad_file_of_rules_is_one_line(
    journal: Path, harness: Harness, tmp_path: Path, change: tuple[str, str], why: str
) -> None:
    text = (Path(by_rules.__file__).parents[3] / "model/rules/pb-2026.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace(*change))
    done = harness("report", journal, "--rules", tmp_path / "mine.toml")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert why in done.err
