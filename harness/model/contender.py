"""Contender patterns: BACKEND[:VARIANT][[OPTION=VALUE,...]][/ENCODING][+AT_MOST_ONE][+linear=NAME][+table=NAME][+warm]
[@ENV].

A glob matches field by field; an omitted field takes its default. An unsupported combination is bad usage if it was
named, and is left out with a note if a glob matched it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from backends.contract import catalogue, registry
from backends.contract.cores import with_cores
from backends.contract.description import Description, Missing
from backends.contract.options import BadOption, matching_options
from backends.contract.registry import NO_PROGRAMS
from backends.programs.backend import PROGRAM_BASES
from encoders.axes import DEFAULTS, joined
from encoders.formula import Cnf
from encoders.linear.pindakaas import PINDAKAAS, missing
from encoders.registry import AXIS_WORDS, CHOICES, ENCODINGS, Encoding, lookup, names, takes
from harness.model.environments import elsewhere
from harness.model.errors import BadUsage
from harness.model.origins.origins import origins
from harness.model.patterns import GLOB, PAIRWISE, NamePattern, is_glob, parse
from harness.model.settings import DEFAULT_CONTENDERS
from puzzles.plugins import PluginFailed

Choices = tuple[str, str, str]  # at-most-one, linear and table encoding
MAX_REASONS = 5  # reasons named in the note on combinations that a glob reached in vain


@dataclass(frozen=True)
class Contender:
    """Solver configuration: names only, so that it can be stored and sent. `name` is canonical."""

    name: str
    backend: str
    encoding: str
    at_most_one: str
    warm: bool
    env: str
    version: str
    linear: str = DEFAULTS.linear  # left out in journals of before
    table: str = DEFAULTS.table
    origins: str = ""  # origins of its answers (origins/origins.py); '' in older journals

    @property
    def encoded(self) -> str:
        """Encoding with its choices on the axes, as `spec` takes it."""
        return joined(self.encoding, self.at_most_one, self.linear, self.table)


def default_encoding(backend: Description) -> Encoding | None:
    """Return the first encoding whose formula the backend accepts, or None."""
    return next((e for e in ENCODINGS.values() if e.formula in backend.accepts), None)


def refusal(
    backend: Description, encoding: Encoding, choices: Choices, warm: bool, count: int, proof: bool
) -> str | None:
    """Return the reason why a combination is not supported, or None."""
    at_most_one, linear, table = choices
    if encoding.formula not in backend.accepts:
        return f"{backend.name} takes no {encoding.name} encoding"
    if at_most_one != PAIRWISE and not encoding.combines:
        return f"{encoding.name} does not combine with an at-most-one encoding"
    for axis, choice in (("linear", linear), ("table", table)):
        if choice != getattr(DEFAULTS, axis) and not takes(encoding, axis):
            return f"{encoding.name} does not combine with a {axis} encoding"
    if at_most_one == "cardinality" and "at_most" not in backend.can:
        return f"{backend.name} takes no native cardinality constraints"
    if warm and "warm" not in backend.can:
        return f"{backend.name} can't be kept warm"
    if warm and encoding.per_puzzle:
        return f"{encoding.name} depends on the givens, so it can't be kept warm"
    if warm and proof:
        return "a warm solver can't prove a single puzzle: use --proof without +warm"
    if count > 1 and "count" not in backend.can:
        advice = "; a program that counts has {count} in its command" if backend.name.startswith("lines:") else ""
        return f"{backend.name} finds one solution only, so it does not support --count {count}{advice}"
    return None


def unusable(linear: str, env: str, proof: bool) -> str:
    """Return the reason why a linear encoding can't be used, or ''. An environment has packages of its own."""
    if linear not in PINDAKAAS:
        return ""
    if env:
        return f"linear={linear} may be another version @{env} than here, where proofs are checked" if proof else ""
    return f"linear={linear}: {why}" if (why := missing()) else ""


def canonical_name(backend: Description, encoding: Encoding, choices: Choices, warm: bool, env: str) -> str:
    """Return the name of a contender. The encoding is left out if it is the default and not CNF."""
    shown = encoding is not default_encoding(backend) or encoding.formula is Cnf
    return (
        joined(backend.name + (f"/{encoding.name}" if shown else ""), *choices)
        + ("+warm" if warm else "")
        + (f"@{env}" if env else "")
    )


def matching(names: Iterable[str], pattern: str) -> list[str]:
    return [n for n in names if fnmatchcase(n, pattern)]


def matching_backends(pattern: str, programs: Mapping[str, str], notes: list[str]) -> list[Description]:
    """Return the backends of a pattern. A missing one raises BadUsage if named, adds a note if globbed."""
    if not GLOB.search(pattern):
        try:
            return [catalogue.describe(pattern, programs)]
        except registry.NoBackend as e:
            raise BadUsage(str(e)) from None
    base, colon, variant = pattern.partition(":")
    found: list[Description] = []
    for name, parts in catalogue.catalogues(matching(registry.bases(), base)).items():
        named = [f"{name}:{p}" for p in matching(programs, variant) if colon and name in PROGRAM_BASES]
        found += [catalogue.describe(n, programs) for n in named]
        missing = [p for p in parts if isinstance(p, Missing)]  # `list` tells of each program that is not installed
        lacking = [p for p in missing if p.name == name or (name not in PROGRAM_BASES and fnmatchcase(p.name, pattern))]
        notes += [f"{m.name} left out: {m.why}" for m in lacking if not named]
        variants = [p for p in parts if isinstance(p, Description)]
        if colon:
            found += [b for b in variants if fnmatchcase(b.name.partition(":")[2], variant) and ":" in b.name]
        else:
            found += variants[:1]
    if not found:
        usual = "options are written as [NAME=VALUE,...]" if "[" in pattern else "see `list --backends`"
        raise BadUsage(f"no backend matches {pattern!r}: {'; '.join(notes) or usual}")
    return found


def matching_configurations(
    pattern: str, words: Sequence[str], programs: Mapping[str, str], notes: list[str]
) -> list[Description]:
    """Return the backends of a pattern with the options that match. Raises BadUsage; adds notes on those left out."""
    found, refused = [], []
    for backend in matching_backends(pattern, programs, notes):
        try:
            choices = matching_options(backend.name, backend.options, words)
            found += [catalogue.configured(backend, chosen, programs) for chosen in choices]
        except BadOption as e:
            refused.append(str(e))
    if refused and (not found or not GLOB.search(pattern)):
        raise BadUsage(refused[0])
    notes += [f"left out: {why}" for why in refused]
    return found


def matching_fields(word: str, names: Sequence[str], pattern: str) -> list[str]:
    found = matching(names, pattern)
    if not found:
        raise BadUsage(f"unknown {word} {pattern!r}: known are {', '.join(names)}")
    return found


def matching_encodings(pattern: str, notes: list[str]) -> list[Encoding]:
    """Return the encodings of a pattern. A broken one raises BadUsage if named, adds a note if globbed."""
    found = lookup(matching_fields("encoding", names(), pattern))
    broken = {name: f"can't be loaded: {e}" for name, e in found.items() if isinstance(e, PluginFailed)}
    usable = [e for e in found.values() if isinstance(e, Encoding)]
    if not usable or (broken and not GLOB.search(pattern)):
        raise BadUsage("; ".join(f"encoding {name!r} {why}" for name, why in broken.items()))
    notes += [f"encoding {name} left out: it {why}" for name, why in broken.items()]
    return usable


def matching_choices(wanted: NamePattern) -> list[Choices]:
    """Return the choices on the axes that a pattern matches. Raises BadUsage."""
    patterns = (wanted.at_most_one, wanted.linear, wanted.table)
    axes = zip(AXIS_WORDS.values(), CHOICES, patterns, strict=True)
    return [
        (one, linear, table)
        for one, linear, table in product(
            *(matching_fields(f"{word} encoding", known, p or known[0]) for word, known, p in axes)
        )
    ]


def expand(
    pattern: str,
    count: int,
    proof: bool,
    envs: Iterable[str],
    programs: Mapping[str, str],
    notes: list[str],
    cores: int = 1,
) -> list[Contender]:
    """Return the contenders of one -b. Raises BadUsage; appends to `notes` the contenders left out of a glob."""
    wanted = parse(pattern)
    warm, env = wanted.warm, wanted.env
    if env and env not in envs:
        raise BadUsage(f"contender {pattern!r}: no --env {env}=PYTHON was given, and `get` has made no such version")
    choices = matching_choices(wanted)
    named = not is_glob(pattern)
    found, refused = [], []
    for backend in matching_configurations(wanted.backend, with_cores(wanted.options, cores), programs, notes):
        default = default_encoding(backend)
        if wanted.encoding:
            encodings = matching_encodings(wanted.encoding, notes)
        elif default is None:
            raise BadUsage(f"{backend.name} accepts the formula of no encoding")
        else:
            encodings = [default]
        for encoding, choice in product(encodings, choices):
            why = refusal(backend, encoding, choice, warm, count, proof) or unusable(choice[1], env, proof)
            why = why or ("" if env else elsewhere(backend.name))
            if why and named:
                raise BadUsage(f"contender {pattern!r} is not supported: {why}")
            if why:
                refused.append(why)
                continue
            name = canonical_name(backend, encoding, choice, warm, env)
            one, linear, table = choice
            version = "" if env else backend.version
            recorded = origins(backend.name, encoding.name, programs)
            found.append(Contender(name, backend.name, encoding.name, one, warm, env, version, linear, table, recorded))
    if not found:
        raise BadUsage(f"contender {pattern!r} is not supported: {refused[0]}")
    if refused:
        reasons = list(dict.fromkeys(refused))
        more = f"; {len(reasons) - MAX_REASONS} more reasons" if len(reasons) > MAX_REASONS else ""
        skipped = f"{len(refused)} of {len(refused) + len(found)} combinations skipped"
        notes.append(f"{pattern}: {skipped}: {'; '.join(reasons[:MAX_REASONS])}{more}")
    return found


def resolve(
    patterns: Sequence[str],
    count: int = 1,
    envs: Iterable[str] = (),
    proof: bool = False,
    programs: Mapping[str, str] = NO_PROGRAMS,
    cores: int = 1,
) -> tuple[tuple[Contender, ...], tuple[str, ...]]:
    """Return all contenders, each once, in the named order, and the notes. Raises BadUsage, with all reasons.

    `envs` are the names of --env, `programs` the commands of --program by name, `cores` those of contenders that state
    none.
    """
    notes, wrong, found = list[str](), list[str](), dict[str, Contender]()
    for pattern in patterns or DEFAULT_CONTENDERS:
        try:
            found |= {c.name: c for c in expand(pattern, count, proof, tuple(envs), programs, notes, cores)}
        except BadUsage as e:
            wrong.append(str(e))
    if wrong:
        raise BadUsage("; ".join(dict.fromkeys(wrong)))
    return tuple(found.values()), tuple(dict.fromkeys(notes))
