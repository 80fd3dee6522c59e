"""Features, conditions on them, and samples."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from puzzles.errors import BadInput
from puzzles.formats import read
from puzzles.generating.problems import KINDS, random_problem
from puzzles.identity.features import KNOWN_FEATURES, conditions, features, half_width, sample
from tests.conftest import Harness


def test_features_of_clauses_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.cnf").write_text("p cnf 4 5\n0\n1 0\n-1 -2 0\n1 2 3 0\n1 -2 3 0\n")
    (instance,) = read(tmp_path / "a.cnf")
    found = features(instance)
    wanted = {"variables": 4, "clauses": 5, "literals": 9, "clauses_1": 1, "clauses_2": 1, "clauses_3": 2}
    assert {name: found[name] for name in wanted} == wanted
    assert (found["horn"], found["positive"], found["negative"]) == (3, 3, 2)


def test_every_kind_has_features_that_are_known() -> None:
    for kind in KINDS:
        found = features(random_problem((kind,), Random(kind)))
        assert found[kind] >= 1
        assert set(found) <= KNOWN_FEATURES


def test_conditions_are_read_and_mistakes_named() -> None:
    small, large = conditions("clauses < 1e6, variables>=100")
    assert small.holds({"clauses": 999_999})
    assert not small.holds({"clauses": 1_000_000})
    assert large.holds({"variables": 100})
    for text, message in (("clauses", "expected a feature"), ("clause<3", "there are all_different"), ("", "expected")):
        with pytest.raises(BadInput, match=message):
            conditions(text)


def test_a_sample_has_its_share_of_each_stratum_and_its_seed() -> None:
    strata = ["a"] * 100 + ["b"] * 50 + ["c"] * 7
    chosen = sample(strata, 31, 1)
    assert len(chosen) == 31
    assert Counter(strata[i] for i in chosen) == {"a": 20, "b": 10, "c": 1}
    assert chosen == sample(strata, 31, 1) != sample(strata, 31, 2)
    assert sample(strata, 999, 1) == list(range(157))
    assert round(half_width(50), 1) == 13.9
    assert half_width(157, 157) == 0


def test_instances_are_chosen_by_features_and_sampled(harness: Harness, tmp_path: Path) -> None:
    for folder, count in (("x", 8), ("y", 4)):
        (tmp_path / folder).mkdir()
        for n in range(count):
            (tmp_path / folder / f"{n}.cnf").write_text(f"p cnf {n + 1} 1\n{n + 1} 0\n")
    run = ["run", str(tmp_path), "-b", "native:cdcl", "-o"]
    where = harness(*run, str(tmp_path / "1.sqlite"), "--where", "variables>=4,clauses=1")
    assert "6 of 6 instances" in where.out
    some = harness(*run, str(tmp_path / "3.sqlite"), "--sample", "6")
    assert "sample of 6 of 12 instances, by 2 of --by family, seed 1" in some.err
    assert "6 of 6 instances" in some.out
    assert "variables" in harness("list", str(tmp_path / "x"), "--features").out.splitlines()[0]
