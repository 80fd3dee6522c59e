"""Provers of `run --certify`: contenders that write proofs."""

from collections.abc import Callable

from backends.contract.catalogue import describe
from backends.shared.zero_one import PROOF
from harness.model.certification import DEFAULT_PROVERS
from harness.model.contender import resolve
from harness.model.errors import BadUsage
from harness.model.settings import RunSettings


def provers_of(settings: RunSettings, notify: Callable[[str], object]) -> list[str]:
    """Return the names of the provers that settings ask for; of the default provers, those that are installed.

    Those of numbers of models are not chosen (runs/counting.py). Raises BadUsage.
    """
    if settings.count_models:
        return list(settings.certify)
    found = list[str]()
    for pattern in settings.certify:
        try:
            contenders = resolve([pattern], 1, settings.pythons, True, settings.programs)[0]
        except BadUsage as e:
            if tuple(settings.certify) != DEFAULT_PROVERS:
                raise
            notify(f"--certify does without {pattern}: {e}")
            continue
        for c in contenders:
            if PROOF not in describe(c.backend, settings.programs).can:
                raise BadUsage(f"--certify-by {c.name}: it writes no proofs")
        found += [c.name for c in contenders]
    if settings.certify and not found:
        raise BadUsage("--certify: no prover is installed")
    return list(dict.fromkeys(found))
