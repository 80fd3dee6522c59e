"""Mutated replies of workers: one legal outcome per puzzle, no exception, bounded time and memory."""

import sys
from random import Random

import pytest

from tests.conftest import ROOT

sys.path.append(str(ROOT / "benchmarks"))

import attack_replies

pytestmark = pytest.mark.usefixtures("forked")


@pytest.mark.slow
def test_every_mutated_reply_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attack_replies, "SECONDS", 100.0)
    assert attack_replies.attack("replies", 300, 20_001) == []


def test_unmutated_replies_give_the_answers_that_they_hold() -> None:
    with attack_replies.scripted_workers():
        (outcomes,) = attack_replies.solve(Random(1), mutate=False)
    assert outcomes.rows["found"].tolist() == [len(found) for found in attack_replies.SOLUTIONS]
    assert outcomes.solutions.tolist() == [list(s) for found in attack_replies.SOLUTIONS for s in found]
