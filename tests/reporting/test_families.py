"""Families: a winner on these instances is none on other families, and alike folders are noted."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from harness.reporting.statistics.skewed import log_interval, mean_interval
from harness.reporting.views.families import alike
from harness.reporting.views.ranking.ranks import RankedColumns, standing
from harness.reporting.views.ranking.scores import SCORE
from tests.conftest import Harness
from tests.family_series import LIMIT, Scenario, series

FAMILIES, SIZE = 5, 50


def families_file(path: Path) -> Path:
    """Write times of two contenders as CSV: families of near-copies, each with its own ratio."""
    rng = np.random.default_rng(4)
    rows = ["instance,solver,status,seconds"]
    for family, effect in enumerate((2.5, 2.0, 1.6, 0.8, 1.1)):
        for i in range(SIZE):
            seconds = 1 + rng.random() / 10
            rows += [f"f{family}/i{i},one,sat,{seconds:.4f}", f"f{family}/i{i},two,sat,{seconds * effect:.4f}"]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def journal(tmp_path: Path, harness: Harness) -> Path:
    path = tmp_path / "families.sqlite"
    source = families_file(tmp_path / "r.csv")
    assert harness("import", "--format", "csv", source, "-t", 100, "-o", path).code == 0
    return path


def test_a_winner_on_these_instances_is_none_on_other_families(journal: Path, harness: Harness) -> None:
    stated = harness("report", journal, "--families", "folder", "--rank", "par2", "--json", "-").summary
    assert stated["headline"]["winner"] is None
    sentence = stated["headline"]["sentence"]
    assert "wins on these 250 instances of 5 families; for other families nothing is shown (" in sentence
    assert stated["ranking"]["families"] == ["folder", 5]
    assert len(stated["ranking"]["groups"]) == 1
    by_folder = harness("report", journal, "--by", "folder", "--json", "-").summary
    assert by_folder["headline"]["sentence"] == sentence


def test_alike_folders_are_noted_where_nobody_states_them(journal: Path, harness: Harness) -> None:
    found = harness("report", journal, "--json", "-").summary["headline"]
    assert found["winner"] == "one"
    assert any("Instances of a folder are alike" in line and "--families folder" in line for line in found["details"])


def test_a_file_states_families(journal: Path, harness: Harness, tmp_path: Path) -> None:
    names = [f"f{family}/i{i}" for family in range(FAMILIES) for i in range(SIZE)]
    path = tmp_path / "families.csv"
    path.write_text("".join(f"{name},{name[1]}\n" for name in names))
    found = harness("report", journal, "--families", path, "--json", "-").summary["headline"]
    assert "of 5 families" in found["sentence"]
    path.write_text("f0/i0\n")
    done = harness("report", journal, "--families", path)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "families.csv:1: 'f0/i0' is no line INSTANCE,FAMILY" in done.err


def apart(c: RankedColumns) -> bool:
    """Return True if the two contenders are told apart."""
    after = standing(c, SCORE["par2"], LIMIT).after
    return after is not None and bool(after.any())


def test_false_winners_are_rare_on_other_families_and_usual_on_these() -> None:
    rng, wide, narrow, number = np.random.default_rng(1), 0, 0, 40
    for _ in range(number):
        c = series(Scenario(10, 50, 0.5), 0.5, rng)
        alone = replace(c, blocks=np.arange(len(c.blocks)), families=False)
        wide += apart(c)
        narrow += apart(alone)
    assert wide <= 5
    assert narrow >= 20


def test_the_interval_of_a_ratio_is_that_of_a_jackknife_over_families() -> None:
    families = np.repeat(np.arange(4), 2)
    a, b = np.ones(8), np.repeat([1.0, 2.0, 2.0, 1.0], 2)
    low, high = log_interval(a, b, families, 0.95)
    without = np.log([5 / 3, 4 / 3, 4 / 3, 5 / 3])
    error = np.sqrt(((without - without.mean()) ** 2).sum() * 3 / 4)
    t = 4.302653  # of 2 degrees of freedom: shares of 1/6, 1/3, 1/3, 1/6 are as uneven as 3.6 families
    assert (low, high) == pytest.approx((np.log(1.5) - t * error, np.log(1.5) + t * error), rel=1e-4)
    assert log_interval(a[:2], b[:2], families[:2], 0.95) == (-np.inf, np.inf)


def test_independent_instances_are_not_alike() -> None:
    rng, of = np.random.default_rng(2), np.repeat(np.arange(8), 25)
    noise = rng.normal(0, 1, 200)
    assert alike(noise, of) is None
    found = alike(noise + rng.normal(0, 1, 8)[of], of)
    assert found is not None
    assert 0.3 < found.share < 0.8
    assert found.effect < found.most


def test_a_file_of_bytes_is_one_line(journal: Path, harness: Harness, tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    done = harness("report", journal, "--families", binary)
    assert (done.code, done.err) == (2, f"harness: {binary}: no text in UTF-8: expected lines INSTANCE,FAMILY\n")


def headline_of(harness: Harness, *words: object) -> str:
    """Return the sentence of a report."""
    sentence: str = harness("report", *words, "--json", "-").summary["headline"]["sentence"]
    return sentence


def test_a_column_of_an_import_states_families(harness: Harness, tmp_path: Path) -> None:
    path, journal = families_file(tmp_path / "r.csv"), tmp_path / "j.sqlite"
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([f"{head},family", *(f"{row},{row[:2]}" for row in rows)]) + "\n")
    assert harness("import", "--format", "csv", path, "-t", 100, "-o", journal).code == 0
    assert "of 5 families" in headline_of(harness, journal)
    assert headline_of(harness, journal, "--families", "none").startswith("one wins: ")
    groups = harness("report", journal, "--by", "family", "--json", "-").summary["groups"]["groups"]
    assert [group["group"] for group in groups] == [["f0"], ["f1"], ["f2"], ["f3"], ["f4"], ["all"]]
    kept = harness("report", journal, "--only", "f[01]/*", "--rank", "par2", "--json", "-").summary["ranking"]
    assert kept["families"] == ["column family", 2]
    path.write_text(path.read_text().replace(",f0\n", ",f1\n", 1))
    done = harness("import", "--format", "csv", path, "-t", 100, "-o", tmp_path / "k.sqlite")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "r.csv:3: 'f0/i0' is of the families f1 and f0" in done.err


def test_an_experiment_states_families_and_merging_keeps_them(harness: Harness, tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / "c" / f"f{number % 2}").mkdir(parents=True, exist_ok=True)
        (tmp_path / "c" / f"f{number % 2}" / f"{number}.cnf").write_text(f"p cnf 2 1\n{1 + number % 2} 2 0\n")
    journal, experiment = tmp_path / "j.sqlite", tmp_path / "e.toml"
    experiment.write_text(f'corpora = ["{tmp_path / "c"}"]\ncontenders = ["native:cdcl"]\nfamilies = "folder"\n')
    assert harness("run", experiment, "-o", journal).code == 0
    other = harness("run", experiment, "-b", "pysat:cadical195", "-o", tmp_path / "other.sqlite")
    assert other.code == harness("merge", journal, tmp_path / "other.sqlite", "-o", tmp_path / "m.sqlite").code == 0
    for path in (journal, tmp_path / "m.sqlite"):
        ranking = harness("report", path, "--rank", "par2", "--json", "-").summary["ranking"]
        assert ranking["families"] == ["folder", 2]
    done = harness(
        "run", tmp_path / "c" / "f0", "-b", "native:cdcl", "--families", "folder", "-o", tmp_path / "k.sqlite"
    )
    assert done.code == 2
    assert done.err.endswith("harness: --families folder: all instances are of one family\n")


def test_the_interval_of_a_mean_reaches_as_far_as_that_of_a_lognormal_mean() -> None:
    values, families = np.array([1.0, 1.0, 2.0, 4.0, 4.0]), np.array([0, 0, 1, 2, 2])
    low, high = mean_interval(values, families, 0.95)
    wide = np.exp(log_interval(np.ones(5), values, families, 0.95))
    weights = np.array([1.0, 2.0, 4.0]) ** 0.25
    weights /= weights.sum()
    equal = 1 / (weights**2).sum()
    logs = np.log([1.0, 2.0, 4.0])
    variance = (weights * (logs - weights @ logs) ** 2).sum() * equal / (equal - 1)
    half = 12.7062 * (variance / (25 / 9) + variance**2 / (2 * (equal - 1))) ** 0.5
    assert low == pytest.approx(wide[0])
    assert high == pytest.approx(max(wide[1], 2.4 * np.exp(half)), rel=1e-4)
    assert mean_interval(np.zeros(5), families, 0.95) == (0.0, np.inf)


def test_the_interval_of_a_mean_is_the_one_that_the_page_computes() -> None:
    values = np.array([(1 + i * 7 % 16) ** 2 / 8 for i in range(16)])
    found = mean_interval(values, np.arange(16) // 2, 0.95)
    assert found == pytest.approx((7.509697299534176, 18.954337737152837), rel=1e-9)  # web/test/ranking.test.ts
