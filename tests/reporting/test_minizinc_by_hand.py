"""Points of the MiniZinc challenge on a run of 10 instances x 5 solvers, equal to a computation by hand.

The answers are those of the run. Its times are set to whole and broken seconds, since points depend on them:

cpsat proves each optimum in 3.2 s, pysat:rc2 in 1.9 s, better:honest in 0.9 s; of a limit of 60 s. The rules round down
to 3, 1 and 0 s. better:modest has the best value and proves nothing; better:late has a worse value.

against          cpsat          rc2            honest         modest  late    sum
cpsat            -              1 / (3 + 1)    0 / (3 + 0)    1       1       2.25
pysat:rc2        3 / (1 + 3)    -              0 / (1 + 0)    1       1       2.75
better:honest    3 / (0 + 3)    1 / (0 + 1)    -              1       1       4
better:modest    0              0              0              -       1       1
better:late      0              0              0              0       -       0
"""

import json
from pathlib import Path

import pytest

from harness.storing.journal import open_journal
from tests.conftest import Harness

SECONDS = {"cpsat": 3.2, "pysat:rc2": 1.9, "better:honest": 0.9}
PER_INSTANCE = {"cpsat": 2.25, "pysat:rc2": 2.75, "better:honest": 4, "better:modest": 1, "better:late": 0}
INSTANCES = 10


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("minizinc") / "j.sqlite"


def run(harness: Harness, path: Path) -> None:
    """Run five solvers on ten instances of minimum vertex cover of a triangle, and set their times."""
    corpus = path.parent / "corpus"
    corpus.mkdir()
    for i in range(INSTANCES):
        (corpus / f"{i}.wcnf").write_text(f"h 1 2 0\nh 1 3 0\nh 2 3 0\n{3 + i} -1 0\n{4 + i} -2 0\n{5 + i} -3 0\n")
    harness("run", corpus, "-b", ",".join(PER_INSTANCE), "-t", 1, "-o", path)
    with open_journal(path, write=True) as stored:
        names = [c.name.partition("/")[0] for c in stored.contenders.all()]
        for name, seconds in SECONDS.items():
            change = "update outcomes set wall = ? where contender = ? and complete"
            number = stored.db.execute(change, (round(seconds * 1e9), names.index(name))).rowcount
            assert number == INSTANCES, f"{name} proves each optimum"
        settings = stored.facts.all()["settings"] | {"limit": 60.0}
        stored.db.execute("update meta set value = ? where key = 'settings'", (json.dumps(settings),))


def points(harness: Harness, path: Path, score: str) -> dict[str, float]:
    ranking = harness("report", path, "--rank", score, "--json", "-").summary["ranking"]
    return {c["name"].partition("/")[0]: c["score"] for c in ranking["contenders"]}


@pytest.mark.slow  # its limits of a second are waited for
def test_points_of_ten_instances_and_five_solvers_are_those_computed_by_hand(harness: Harness, journal: Path) -> None:
    run(harness, journal)
    by_hand = {name: INSTANCES * points for name, points in PER_INSTANCE.items()}
    assert points(harness, journal, "minizinc") == pytest.approx(by_hand)
    # As published in 2021, the worse of two values that nobody proved gets 1/2.
    assert points(harness, journal, "minizinc-2021") == pytest.approx(by_hand | {"better:late": INSTANCES / 2})
    # Without proofs: equal values 1/2, and all others are better than better:late.
    without = dict.fromkeys(PER_INSTANCE, INSTANCES * 2.5) | {"better:late": 0}
    assert points(harness, journal, "minizinc-incomplete") == pytest.approx(without)
