"""Check of a subset that somebody calls a minimal unsatisfiable one, or a minimal correction set.

    correct       the subset has no solution, and without any of its members there is one
    not minimal   it has no solution without a member either, which is named
    wrong         it has a solution, or names members that do not exist
    unchecked     the judges did not decide it, or only judges of one lineage did

That there is no solution takes a proof, which is checked, or two judges of different lineages; that there is one takes
a solution, which is checked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.explaining.oracles import ByContender
from harness.explaining.subsets import Subset, Undecided
from harness.model.lineage import lineage

CORRECT, NOT_MINIMAL, WRONG, UNCHECKED = "correct", "not minimal", "wrong", "unchecked"


@dataclass(frozen=True)
class SubsetVerdict:
    """Verdict on a subset; `member` is superfluous, `why` says more."""

    verdict: str
    member: int | None = None
    why: str = ""


def satisfiable(kept: Subset, judges: Sequence[ByContender]) -> tuple[bool | None, str]:
    """Return True with a checked solution, False by a checked proof or two lineages, or None with the reason."""
    against: list[ByContender] = []
    reasons = []
    for judge in judges:
        try:
            answer = judge.ask(kept)
        except Undecided as e:
            reasons.append(str(e))
            continue
        if answer.satisfiable:
            return True, ""
        against.append(judge)
        if answer.proved or any(
            lineage(judge.contender).independent(lineage(other.contender)) for other in against[:-1]
        ):
            return False, ""
    alone = f"only {', '.join(j.contender.name for j in against)} says that there is no solution" if against else ""
    return None, "; ".join([*([alone] if alone else []), *reasons])


def checked_mus(found: Iterable[int], members: Subset, judges: Sequence[ByContender]) -> SubsetVerdict:
    """Check a minimal unsatisfiable subset."""
    subset = frozenset(found)
    if unknown := subset - members:
        return SubsetVerdict(WRONG, why=f"there is no member {min(unknown) + 1}: there are {len(members)}")
    whole, why = satisfiable(subset, judges)
    if whole is None:
        return SubsetVerdict(UNCHECKED, why=why)
    if whole:
        return SubsetVerdict(WRONG, why="it has a solution")
    return needed(subset, [(m, subset - {m}) for m in sorted(subset)], True, judges)


def checked_mcs(found: Iterable[int], members: Subset, judges: Sequence[ByContender]) -> SubsetVerdict:
    """Check a minimal correction set: without it there is a solution, with any member back none."""
    gone = frozenset(found)
    rest, why = satisfiable(members - gone, judges)
    if rest is None:
        return SubsetVerdict(UNCHECKED, why=why)
    if not rest:
        return SubsetVerdict(WRONG, why="there is no solution without it either")
    return needed(gone, [(m, (members - gone) | {m}) for m in sorted(gone)], False, judges)


def needed(
    subset: Subset, without: Sequence[tuple[int, Subset]], wanted: bool, judges: Sequence[ByContender]
) -> SubsetVerdict:
    """Check that each member is needed: the subset beside it has a solution if `wanted`, else none."""
    unknown = ""
    for member, rest in without:
        found, why = satisfiable(rest, judges)
        if found is None:
            unknown = unknown or why
        elif found is not wanted:
            return SubsetVerdict(NOT_MINIMAL, member, "superfluous")
    return SubsetVerdict(UNCHECKED, why=unknown) if unknown else SubsetVerdict(CORRECT)
