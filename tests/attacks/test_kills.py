"""Runs that are killed at any statement of SQL resume and equal the undisturbed one, or never began."""

import sys
from pathlib import Path
from random import Random

import pytest

from tests.conftest import ROOT

sys.path.append(str(ROOT / "benchmarks"))

import kills

pytestmark = pytest.mark.usefixtures("forked")


@pytest.mark.slow
def test_a_run_killed_at_a_commit_resumes_or_never_began(tmp_path: Path, environment: dict[str, str]) -> None:
    done = kills.at_commits(tmp_path, 6, Random(5), 1)
    assert done["kills"] == 6
    assert (done["failed"], done["different"], done["broken"]) == (0, 0, 0)


@pytest.mark.slow
def test_no_improvement_of_a_committed_lease_is_lost_or_there_twice(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    done = kills.at_commits(tmp_path, 6, Random(7), 1, kills.optimising(tmp_path))
    assert done["kills"] == 6
    assert (done["failed"], done["different"], done["broken"]) == (0, 0, 0)
