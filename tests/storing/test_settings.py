"""Settings that a command line takes are those that a journal holds."""

import argparse

import pytest

from harness.commands import arguments
from harness.model.settings import RunSettings
from harness.storing.documents import Damaged, check_moment, check_settings


@pytest.mark.parametrize("seed", [-arguments.MOST, -1, 0, arguments.MOST])
def test_every_seed_is_read_again(seed: int) -> None:
    assert arguments.seed(str(seed)) == seed
    check_settings(RunSettings(seed=seed, limit=arguments.MOST_SECONDS, memory=arguments.MOST << 20).as_dict())


@pytest.mark.parametrize("text", [str(1 << 64), "9" * 5000, str(arguments.MOST + 1)])
def test_a_number_that_no_journal_holds_is_refused(text: str) -> None:
    for parse in (arguments.positive_int, arguments.non_negative_int, arguments.seed, arguments.positive_seconds):
        with pytest.raises(argparse.ArgumentTypeError, match=r"is more than|is not a number of seconds"):
            parse(text)


@pytest.mark.parametrize("text", ["someday", 20260105, "2026-01-05T99", "", ["2026-01-05"]])
def test_a_date_is_checked_on_opening(text: object) -> None:
    with pytest.raises(Damaged, match="'started' is"):
        check_moment(text)
    check_moment(None)
    check_moment("2026-01-05T03:00:00+00:00")
