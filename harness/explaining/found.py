"""Explanations of an instance: the subsets of each extractor, each with its verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from harness.explaining import extractors
from harness.explaining.checking import UNCHECKED, SubsetVerdict, checked_mcs, checked_mus, satisfiable
from harness.explaining.members import Divided
from harness.explaining.oracles import Judges
from harness.explaining.subsets import Subset, Undecided, explored
from harness.model.errors import BadUsage
from harness.model.settings import RunSettings

JUDGES = ("pysat:glucose4", "native", "cpsat", "native:lazy")  # asked in turn until a proof, or two lineages, do


@dataclass(frozen=True)
class Found:
    """Subset of an extractor with its verdict: a MUS ("mus") or MCS ("mcs"); None if it found none."""

    extractor: str
    kind: str
    subset: Subset | None
    checked: SubsetVerdict


def explanations(
    known: Divided, names: Sequence[str], settings: RunSettings, most: int | None = None, fix: bool = False
) -> Iterator[Found]:
    """Yield one subset of each extractor, or up to `most` of each; with `fix` correction sets. Raises BadUsage."""
    with Judges(JUDGES, known, replace(settings, proof=True)) as judges:
        if satisfiable(known.all, judges.opened)[0]:
            raise BadUsage(f"{known.instance.name} has a solution, which was checked: nothing is to be explained")
        check = checked_mcs if fix else checked_mus
        kind = "mcs" if fix else "mus"
        for name in names or ["cpsat" if known.groups is None else "pysat:glucose4"]:
            try:
                for subset in subsets(name, known, settings, most, kind):
                    yield Found(name, kind, subset, check(subset, known.all, judges.opened))
            except Undecided as e:
                yield Found(name, kind, None, SubsetVerdict(UNCHECKED, why=str(e)))


def subsets(name: str, known: Divided, settings: RunSettings, most: int | None, kind: str) -> Iterator[Subset]:
    """Yield what an extractor finds. Raises Undecided, BadUsage."""
    if most is None and kind == "mus":
        yield extractors.extracted(name, known, settings)
        return
    if name.startswith(extractors.PREFIX):
        raise BadUsage(f"{name} names one subset: --all and --fix take contenders")
    oracle = extractors.oracle_of(name, known, settings)
    try:
        wanted = (some for found, some in explored(oracle, len(known.words)) if found == kind)
        yield from islice(wanted, most or 1)
    finally:
        oracle.close()
