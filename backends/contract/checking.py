"""Form of answers: demands of the contract on any answer, right or wrong.

The judge tells right from wrong. An answer that breaks the form can't be judged: it is an error of its backend.
"""

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np

from backends.contract.answer import Answer, Answers, Reason, Status

STATUSES = tuple(Status)
HARNESS_REASONS = (Reason.CRASH, Reason.UNSUPPORTED, Reason.REFUTED)  # which no backend answers
ASK_REASONS = tuple(reason for reason in Reason if reason not in HARNESS_REASONS)


class BadAnswer(ValueError):
    """An answer that breaks the contract; the text says how."""


def check_answer(answer: Any, count: int, variables: int) -> None:
    """Raise BadAnswer unless this is an answer to an ask for `count` solutions of `variables` variables."""
    check_form(answer, count, variables)
    for solution in answer.solutions:
        indices(solution)


def check_form(answer: Any, count: int, variables: int) -> None:
    """Raise BadAnswer unless an answer has the right form; its solutions are not checked."""
    if not isinstance(answer, Answer):
        raise BadAnswer(f"the backend returned {type(answer).__name__}, not an Answer")
    if answer.status not in STATUSES:
        raise BadAnswer(f"no such status: {answer.status!r}")
    if answer.reason not in ASK_REASONS:
        check_reasons(np.array([answer.reason]))
    if not isinstance(answer.note, str):
        raise BadAnswer(f"the note is {answer.note!r:.80}, not a text")
    if len(answer.solutions) > count:
        raise BadAnswer(f"{len(answer.solutions)} solutions where {count} were asked for")
    for solution in answer.solutions:
        if len(solution) != variables:
            raise BadAnswer(f"a solution has {len(solution)} values, not {variables}")


def indices(solution: Iterable[Any]) -> tuple[int, ...]:
    """Return a solution as integers. Raises BadAnswer."""
    try:
        return tuple(map(index, solution))
    except TypeError as e:
        raise BadAnswer(f"a solution holds what is no value index: {e}") from None


def check_answers(answers: Any, n: int, count: int, variables: int) -> None:
    """Raise BadAnswer unless these are answers to n asks for `count` solutions of `variables` variables."""
    if not isinstance(answers, Answers):
        raise BadAnswer(f"the backend returned {type(answers).__name__}, not Answers")
    for name in ("status", "complete", "reason", "found", *answers.counters):
        column = np.asarray(answers.counters.get(name, getattr(answers, name, None)))
        if column.shape != (n,) or column.dtype.kind not in "iub":
            raise BadAnswer(f"column {name} is {column.dtype}{list(column.shape)}, not {n} integers")
    status, found, solutions = np.asarray(answers.status), np.asarray(answers.found), np.asarray(answers.solutions)
    if not np.isin(status, tuple(Status)).all():
        raise BadAnswer(f"no such status: {status[~np.isin(status, tuple(Status))][0]}")
    check_reasons(np.asarray(answers.reason))
    if not all(k in range(n) and isinstance(text, str) for k, text in answers.notes.items()):
        raise BadAnswer(f"notes are texts by position below {n}, not {dict(answers.notes)!r:.80}")
    if found.min() < 0 or found.max() > count:
        raise BadAnswer(f"from {found.min()} to {found.max()} solutions where {count} were asked for")
    if solutions.dtype.kind not in "iu" or solutions.shape != (found.sum(), variables):
        shape = list(solutions.shape)
        raise BadAnswer(f"the solutions are {solutions.dtype}{shape}, not {found.sum()} of {variables} value indices")


def check_reasons(reasons: Any) -> None:
    """Raise BadAnswer unless each reason is one that an answer may have."""
    other = reasons[~np.isin(reasons, ASK_REASONS)]
    if Reason.UNSUPPORTED in other:
        raise BadAnswer("the backend answered UNSUPPORTED, for which it raises Unsupported")
    if len(other):
        raise BadAnswer(f"no reason of an answer: {other[0]}")
