"""Signatures: names of failures that stay the same while a case shrinks."""

import numpy as np
import pytest

from backends.contract.answer import Reason, Status
from harness.fuzzing.signature import signature
from harness.model.outcome import ROW, Verdict, unknown_row


@pytest.mark.parametrize(
    ("reason", "detail", "expected"),
    [
        (Reason.CRASH, "died of SIGSEGV: last words 17", "crash: died of SIGSEGV"),
        (Reason.ERROR, "IndexError: list index 12 of [1, 2]", "error: IndexError: list index # of #"),
        (Reason.ERROR, "IndexError: no square (backends/mine.py:12)\nat depth 3", "error: IndexError: no square"),
        (Reason.UNSUPPORTED, "could not be opened: takes no clauses", None),
        (
            Reason.ERROR,
            "could not be opened: TypeError: no clauses",
            "error: could not be opened: TypeError: no clauses",
        ),
        (Reason.ERROR, "could not be opened: OSError: gone", "error: could not be opened: OSError: gone"),
        (Reason.TIMEOUT, "killed after 1 s", "timeout"),
        (Reason.MEMORY, "", "memory"),
        (Reason.STUCK, "", None),
        (Reason.NONE, "", "undecided"),
    ],
)
def test_a_missing_answer_is_named_by_its_reason_without_details(
    reason: Reason, detail: str, expected: str | None
) -> None:
    row = np.array([unknown_row(reason, 1, 1)], ROW)[0]
    assert signature(row, 0, Verdict.UNKNOWN, False, detail) == expected


@pytest.mark.parametrize(
    ("status", "found", "valid", "expected"),
    [
        (Status.SATISFIABLE, 2, -1, "wrong solution"),
        (Status.SATISFIABLE, 2, 2, "too few"),
        (Status.SATISFIABLE, 0, 0, "satisfiable without a solution"),
        (Status.UNSATISFIABLE, 0, 0, "unsatisfiable"),
        (Status.UNSATISFIABLE, 1, 1, "unsatisfiable with a solution"),
    ],
)
def test_a_refuted_answer_is_named_by_its_claim(status: Status, found: int, valid: int, expected: str) -> None:
    row = np.array([unknown_row(Reason.NONE, 1, 1)], ROW)[0]
    row["status"], row["found"] = status, found
    assert signature(row, valid, Verdict.WRONG, True, "") == expected


def test_an_answer_that_was_given_before_and_is_refuted_is_no_claim_on_the_instance() -> None:
    row = np.array([unknown_row(Reason.REFUTED, 1, 1)], ROW)[0]
    assert signature(row, 0, Verdict.WRONG, False, "of the variable x alone it gives x = 0") == "refuted"
