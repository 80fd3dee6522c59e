"""The paragraph on methods: each sentence is a fact of the journal."""

from pathlib import Path

from tests.conftest import ROOT, Harness
from tests.journals import make, noisy
from tests.reporting import proved
from tests.reporting.test_families import families_file


def test_the_paragraph_states_limits_seeds_proofs_and_statistics(tmp_path: Path, harness: Harness) -> None:
    text = harness("report", proved.proved(tmp_path / "j.sqlite"), "--methods").out
    for fact in (
        "Contenders: one (1); two (1); three (1); four (1).",
        f"The limit of an instance was {proved.LIMIT:g} s, {proved.CPU_LIMIT:g} s of CPU time.",
        f"Each contender was asked each instance {proved.REPEATS} times, with new processes for each.",
        "in an order drawn with seed 1",
        "Proofs were asked for, and checked by Crosscheck",
        "corrected by Holm (1979) at 5 %",
        "by a jackknife over instances with Student's t, up to the upper end for a lognormal mean",
        "failures that were not seen, are of Gaffke (2005)",
    ):
        assert fact in text


def test_what_makes_numbers_less_sure_is_stated_and_no_folder_of_ours(tmp_path: Path, harness: Harness) -> None:
    files = {"--program mine: /home/me/secret/solver": "ab" * 32}
    times = {"native": noisy(1, 1, 12), "mine": noisy(2, 1, 12)}
    odd = {"mine": {"unsupported": [0, 5]}}
    path = make(tmp_path / "j.sqlite", times, odd=odd, memory=3 << 30, executables=files)
    text = harness("report", path, "--methods").out
    assert "and 3,072 MiB of memory" in text
    assert "mine: solver abababababab" in text
    assert "secret" not in text
    assert "Instances that a contender does not support count as undecided: mine 2." in text
    ranked = harness("report", path, "--rank", "par2", "--format", "latex").out
    assert "Instances not supported, which count as undecided: mine 2." in ranked


def test_imported_results_have_no_sentence_on_a_run(tmp_path: Path, harness: Harness) -> None:
    path = tmp_path / "families.sqlite"
    assert harness("import", "--format", "csv", families_file(tmp_path / "r.csv"), "-t", 100, "-o", path).code == 0
    text = harness("report", path, "--methods", "--families", "folder").out
    assert "imported from results in the format csv; no solution was checked" in text
    assert "Families (folder, 5) are resampled. Intervals (95%) of scores that are times" in text
    assert "Gaffke" not in text
    assert "pinned" not in text
    assert "Wrong" not in text


def test_papers_of_the_solvers_of_a_journal_follow(harness: Harness) -> None:
    text = harness("report", ROOT / "docs/pictures/solvers.sqlite", "--methods").out
    for key in ("BiereEtAl2024", "IgnatievMorgadoMarquesSilva2018", "PrudhommeFages2022", "deMouraBjorner2008"):
        assert f"{{{key}," in text
    assert "SoosNohlCastelluccia2009" not in text
