"""Checks of proofs outside a run, by the process that checks them in a run."""

import secrets
import select
from collections.abc import Sequence

from harness.judging.proof_checker import ProofChecker
from harness.model.contender import Contender
from harness.model.outcome import Outcomes
from harness.model.settings import RunSettings
from harness.running.reaper import Reaper


def check_proofs(
    outcomes: Sequence[Outcomes], contenders: Sequence[Contender], settings: RunSettings
) -> list[Outcomes]:
    """Return the outcomes with the results of their proofs."""
    result, reaper = list(outcomes), Reaper(secrets.token_hex(8))
    checker = ProofChecker(contenders, settings, None, reaper, None)
    try:
        checker.begin(result)
        while not checker.advance():
            poll = select.poll()
            for fd in checker.open_fds():
                poll.register(fd, select.POLLIN)
            poll.poll(50)
    finally:
        checker.close()
        reaper.close()
    return result
