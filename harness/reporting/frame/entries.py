"""Entries of what `--json` writes: types of docs/reference/summary.md and docs/ci-gate.md. JSON is one writer of them.

Tables, pages and reports for other systems read these, and so need neither journal nor arrays.
"""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from harness.model.agreement import AgreementCounts

Number = float | None


class ClockEntry(TypedDict):
    """Times of a contender on one clock."""

    seconds: dict[str, Number]
    puzzles_per_second: Number
    par2: Number
    par10: Number


class TroubleEntry(TypedDict):
    """Failure message of a contender: its first instance, and how often it occurred."""

    puzzle: str
    why: str
    times: int
    log: str


class ObjectiveEntry(TypedDict):
    """Results of a contender on instances with an objective."""

    instances: int
    optimal: int
    infeasible: int
    feasible: int
    none: int
    best: int
    gap: Number
    to_best: Number
    improvements: int
    dropped: int
    refuted_bounds: NotRequired[int]
    log10_error: NotRequired[Number]


class ContenderEntry(ClockEntry):
    """Contender: the parts of its name, counts of instances, and times, on wall time if not in `cpu`."""

    name: str
    version: str
    backend: str
    encoding: str
    at_most_one: str
    linear: str
    table: str
    warm: bool
    env: str
    origins: str
    cores: int
    cores_used: Number
    solved: int
    satisfiable: int
    unsatisfiable: int
    proofless: int
    unknown: int
    unsupported: int
    timeout: int
    memory: int
    error: int
    wrong: int
    uncertified: int
    confirmed: int
    certified: int
    certified_formula: int
    refused: int
    unchecked: int
    shown: int
    verified: int
    phases: dict[str, Number]
    outside: dict[str, float] | None
    cpu: ClockEntry
    amortised: bool
    peak: int | None
    peak_of: dict[str, int]
    counters: dict[str, int]
    trouble: list[TroubleEntry]
    objective: ObjectiveEntry | None
    statistics: NotRequired[dict[str, dict[str, Any]]]


class DisagreementEntry(TypedDict):
    """Refuted certificate, answer or claim."""

    alarm: str
    id: int
    puzzle: str
    contenders: list[str]
    why: str
    conflict: NotRequired[bool]
    corpus: NotRequired[bool]


class AgreementEntry(AgreementCounts):
    """Counts of instances by what their answers agree on, numbers of solutions, and all disagreements."""

    shown: int
    verified: int
    disagreements: list[DisagreementEntry]


class CertifyEntry(TypedDict):
    """Claims that provers were asked about (`--certify`)."""

    claims: int
    instance: dict[str, int]
    formula: dict[str, int]
    twice: int
    refuted: int
    left: list[dict[str, Any]]


class FlattenedEntry(TypedDict):
    """Instances that a compiler made, and the seconds that it took."""

    instances: int
    seconds: float
    longest: float


class HeadlineEntry(TypedDict):
    """Sentence on who is first."""

    clock: str
    sentence: str
    details: list[str]
    first: list[str]
    winner: str | None


class PortfolioEntry(TypedDict):
    """Virtual best solver."""

    par2: float
    contenders: list[dict[str, Any]]


class Summary(TypedDict):
    """Summary of a run. What is not required is of some verbs and options alone."""

    schema: int
    alarms: list[DisagreementEntry]
    command: list[str]
    seed: int
    count: int
    limit: Number
    cpu_limit: Number
    memory_limit: int | None
    memory_by: str | None
    score_limits: dict[str, dict[str, Any]]
    ignore_objective: bool
    count_models: bool
    sandbox: bool
    proof: bool
    proofs_required: bool
    checkers: list[str]
    certify: CertifyEntry | None
    journal: str
    imported: dict[str, Any] | None
    state: str
    interrupted: bool
    changed: int
    resume: list[str] | None
    host: dict[str, Any]
    versions: dict[str, str]
    corpora: list[dict[str, Any]]
    malformed: list[dict[str, Any]]
    logs: int
    flattened: FlattenedEntry | None
    unit: str
    contenders: list[ContenderEntry]
    agreement: AgreementEntry
    warnings: list[str]
    exit: int
    machines: NotRequired[list[dict[str, Any]]]
    machine: NotRequired[dict[str, Any]]
    headline: NotRequired[HeadlineEntry]
    portfolio: NotRequired[PortfolioEntry]
    ranking: NotRequired[dict[str, Any]]
    competition: NotRequired[dict[str, Any]]
    groups: NotRequired[dict[str, Any]]
    lists: NotRequired[dict[str, Any]]
    matrix: NotRequired[dict[str, Any]]
    scaling: NotRequired[dict[str, Any]]
    determinism: NotRequired[list[dict[str, Any]]]
    asks: NotRequired[dict[str, Any]]
    golden: NotRequired[dict[str, Any] | None]
    logs_from: NotRequired[str]


class RatioEntry(TypedDict):
    """Ratio of times after / before, or of peaks, with its interval."""

    ratio: float
    low: Number
    high: Number
    pairs: int
    call: str


class SideEntry(TypedDict):
    """One side of a comparison."""

    contender: str
    version: str
    journal: str


class ComparisonEntry(TypedDict):
    """Comparison of two contenders: the names of the instances of each kind of change."""

    before: SideEntry
    after: SideEntry
    call: str
    repeats_to_decide: int | None
    repeats: int
    times: dict[str, RatioEntry]
    puzzles: int
    measures: dict[str, Any]
    conflict: list[str]
    wrong: list[str]
    lost: list[str]
    gained: list[str]
    mended: list[str]
    undecided: list[str]
    flipped: list[str]
    missing: list[str]
    broken: list[str]
    slower: list[dict[str, Any]]
    faster: list[dict[str, Any]]
    exit: int
    values: NotRequired[dict[str, Any]]
    instances: NotRequired[list[dict[str, Any]]]
    by_machine: NotRequired[list[dict[str, Any]]]
    heterogeneity: NotRequired[dict[str, dict[str, float] | None]]
    other_machines: NotRequired[dict[str, list[dict[str, Any]]]]
    unpaired: NotRequired[int]
    luck: NotRequired[dict[str, Any]]


class ComparisonResult(TypedDict):
    """All comparisons of two journals, or within one."""

    schema: int
    threshold: float
    thresholds: dict[str, float]
    shift: float
    proofs_required: bool
    comparisons: list[ComparisonEntry]
    warnings: list[str]
    exit: int


def field_of(entry: Mapping[str, Any], key: str) -> Any:
    """Return the value of a key that is chosen while the program runs."""
    return entry[key]
