"""Header of a run, and lines on agreement, disagreements and trouble."""

from collections import Counter
from collections.abc import Sequence

from harness.judging.alarms import is_grave
from harness.model.host import MEMORY_BY
from harness.model.lease import instances_of
from harness.model.lineage import in_common, suggested
from harness.model.settings import Limits
from harness.reporting.frame.entries import ContenderEntry, Summary, field_of
from harness.reporting.frame.machine_types import Machines, machine_types
from harness.reporting.writing.printable import printable
from harness.storing.journal import Journal
from harness.storing.problems import Outline
from puzzles.errors import plural
from puzzles.labels import unit_of
from puzzles.readers.malformed import MalformedFile, shown

PROOFS_REQUIRED = "an unsatisfiable answer counts only with a proof that holds (--require-proofs)"
MAX_TROUBLE_KINDS = 3  # kinds of trouble shown per contender
MAX_DISAGREEMENTS = 3  # disagreements shown, so that they do not bury the table
WHERE_ALL_ARE = "--html and --json have all"
MAX_LAYOUTS = 3  # named in a header
MAX_CORPORA = 6  # named in a header


def header(journal: Journal, cut: Machines | None = None) -> str:
    """Return one line that describes a run: corpora, contenders, limits, seed, machine; or only the part `cut`."""
    settings, meta, contenders = journal.facts.settings(), journal.facts.all(), journal.contenders.all()
    problems = journal.instances.problem_counts()
    labels = list(dict.fromkeys(problem.label for problem, _ in problems))
    called = labels[0] if len(labels) == 1 else unit_of(labels)
    corpora = ", ".join([*corpora_of(journal, called), *problem_kinds(problems)])
    if journal.facts.imported:
        others = f"{plural(len(contenders), 'contender')}, limit {settings.limits}"
        return printable(f"{corpora} | {others} | imported from {meta['imported']['format']}")
    warm = {c.warm for c in contenders}
    heat = "cold and warm" if len(warm) == 2 else "warm" if warm == {True} else "cold"
    enforced = meta["host"].get("system") == "Linux" and settings.memory_limit
    by = meta["host"].get(MEMORY_BY)
    of = "of the solver alone (cgroup)" if by == "cgroup" else "with child processes" + (f" ({by})" if by else "")
    memory = f" and {settings.memory_limit >> 20:,} MiB {of}" if enforced else ""
    repeats = f", {settings.repeats} repeats" if settings.repeats > 1 else ""
    shard = journal.instances.shard()
    part = f" | {shard}: {plural(instances_of(journal.instances.parts()), 'instance')}" if shard.of > 1 else ""
    types, python = machine_types(journal), ".".join(meta["versions"]["python"].split(".")[:2])
    machines = "mixed hosts" if len(types) > 1 else plural(types[0].type.cores, "core")
    only = f" | only what ran on {cut}: {plural(instances_of(journal.instances.parts()), 'instance')}" if cut else ""
    limits = f"limit {settings.limits}{memory}{repeats}"
    ignored = " | objectives ignored" if settings.ignore_objective else ""
    kept = ", sandboxed" if settings.sandbox else ""
    return printable(
        f"{corpora}{part} | {plural(len(contenders), 'contender')}, {heat}{kept}, {limits}"
        f" | seed {settings.seed} | {machines}, Python {python}{ignored}{only}"
    )


def corpora_of(journal: Journal, called: str) -> list[str]:
    """Return each corpus with its size; with more than MAX_CORPORA only their number."""
    sizes = list(journal.corpora.sizes())
    if len(sizes) > MAX_CORPORA:
        return [f"{len(sizes)} corpora: {plural(sum(n for _, n in sizes), called)}"]
    return [f"{name}: {plural(n, called)}" for name, n in sizes]


def problem_kinds(problems: Sequence[tuple[Outline, int]]) -> list[str]:
    """Return the layouts, at most MAX_LAYOUTS of them; for several kinds of instances, the number of each."""
    layouts = list(dict.fromkeys(problem.name for problem, _ in problems if problem.shared))
    more = len(layouts) - MAX_LAYOUTS
    others = Counter[str]()
    for problem, n in problems:
        if not problem.shared:
            others[problem.label] += n
    shown = layouts[:MAX_LAYOUTS]
    if more > 0:
        shown[-1] += f" and {plural(more, 'more layout')}"
    return shown + [plural(n, kind) for kind, n in others.items() if layouts or len(others) > 1]


def limits_text(summary: Summary, clock: str) -> str:
    """Return the limits of the run, the limit of scores by a clock, and the answers that count unless all do."""
    limits = Limits(summary["limit"], summary["cpu_limit"])
    used, names = summary["score_limits"][clock]["clock"], {"wall": "wall time", "cpu": "CPU time"}
    stand_in = "" if used == clock else f"; scores by {names[clock]} use that of {names[used]}"
    asked = "" if summary["proof"] else ", and the run asked for none (--proof)"
    proofs = f"; {PROOFS_REQUIRED}{asked}" if summary["proofs_required"] else ""
    return f"{limits}{stand_in}{proofs}"


def agreement_line(summary: Summary) -> str:
    """Return one line: instances agreed on, solutions verified, and known numbers of solutions."""
    a = summary["agreement"]
    if len(summary["contenders"]) < 2:
        parts = ["agreement: needs two contenders"]
    else:
        parts = [f"agreement: {a['agreed']:,} of {plural(a['puzzles'], summary['unit'])}"]
    if a["outvoted"]:
        parts.append(f"{a['outvoted']:,} where all but the refuted agree")
    if a["unjudged"] and len(summary["contenders"]) > 1:
        parts.append(f"{a['unjudged']:,} decided by fewer than two contenders")
    if summary.get("imported"):
        return " | ".join([*parts, "no solution verified: imported results hold none"])
    parts.append(f"{a['verified']:,} of {plural(a['shown'], 'solution')} verified")
    if a["objectives"]:
        parts += objective_parts(summary, "count" if summary.get("count_models") else "optimum")
    kinds = (("unique", "unique"), ("several", "with several solutions"), ("none", "confirmed to have no solution"))
    parts += [f"{number:,} {label}" for kind, label in kinds if (number := field_of(a, kind))]
    if a["certified"]:
        checkers = summary.get("checkers") or ()
        by = f" ({', '.join(('Crosscheck', *checkers))})" if checkers else ""
        parts.append(f"{a['certified']:,} certified by a checked proof{by}")
    if a["certified_formula"]:
        parts.append(f"{a['certified_formula']:,} of which only the formula is certified by a checked proof")
    if a["unconfirmed"]:
        parts.append(alone(summary, a["unconfirmed"], goal=False))
    if left := a["uncounted"] - a["unconfirmed"]:
        parts.append(f"{left:,} not checked for uniqueness{'; use --count 2' if summary['count'] == 1 else ''}")
    return " | ".join(parts)


def alone(summary: Summary, number: int, goal: bool) -> str:
    """Return the part of the line on answers that one kind of solver alone states, with one that would confirm them."""
    asked = [(c["backend"], c["encoding"]) for c in summary["contenders"]]
    shared, missing = in_common(asked), [] if summary.get("count_models") else suggested(asked, goal)
    kind = f"one kind of solver alone{f' ({shared})' if shared else ''}"
    such = f", such as {' or '.join(missing)}," if missing else ""
    return f"{number:,} unconfirmed, stated by {kind}: add another kind{such} to confirm"


def objective_parts(summary: Summary, what: str) -> list[str]:
    """Return the parts of the line on instances with an objective, of which the optimum or the count is wanted."""
    a = summary["agreement"]
    wanted = a["objectives"] - a["infeasible"]
    known = f"{a['optimal']:,} of {plural(wanted, what)} confirmed".replace("optimums", "optima")
    parts = [known] if wanted else []
    if a["unopposed"]:
        parts.append(alone(summary, a["unopposed"], goal=True))
    if a["feasible"]:
        best = "with a solution that nobody proved to be the best"
        parts.append(f"{a['feasible']:,} {'with enumerated models alone' if what == 'count' else best}")
    return parts


def alarm_lines(summary: Summary) -> list[str]:
    """Return a line for each certificate that a checked solution contradicts, to be shown first."""
    every = list(filter(is_grave, summary["agreement"]["disagreements"]))
    lines = [f"FALSE CERTIFICATE: {d['puzzle']}: {', '.join(d['contenders'])}: {d['why']}" for d in every]
    more = [f"FALSE CERTIFICATE: {plural(len(every) - MAX_DISAGREEMENTS, 'more line')} like these; {WHERE_ALL_ARE}"]
    return [*map(printable, lines[:MAX_DISAGREEMENTS]), *(more if len(every) > MAX_DISAGREEMENTS else [])]


def disagreement_lines(summary: Summary) -> list[str]:
    """Return a line per further disagreement: contender or corpus, puzzle, reason; at most MAX_DISAGREEMENTS."""
    lines = []
    every = [d for d in summary["agreement"]["disagreements"] if not is_grave(d)]
    for d in every[:MAX_DISAGREEMENTS]:
        said = "INCONSISTENT" if d.get("alarm") == "inconsistent" else "WRONG"
        wrong = "CONFLICT" if "conflict" in d else f"{said}: {', '.join(d['contenders'])}"
        blamed = "CORPUS WRONG" if "corpus" in d else wrong
        lines.append(printable(f"{blamed}: {d['puzzle']}: {d['why']}"))
    if len(every) > MAX_DISAGREEMENTS:
        lines.append(
            f"WRONG: {plural(len(every) - MAX_DISAGREEMENTS, 'more line')} like these; --html and --json have all"
        )
    return lines


def malformed_lines(summary: Summary) -> list[str]:
    """Return a line for each file that could not be read, at most as many as messages name."""
    found = [f"{MalformedFile(f['name'], f['line'], f['reason'])}" for f in summary.get("malformed", ())]
    return [printable(f"MALFORMED: {text}") for text in shown(found)]


def flattening_lines(summary: Summary) -> list[str]:
    """Return a line on the time of MiniZinc's compiler, if it made some instance."""
    found = summary.get("flattened")
    if not found:
        return []
    models, each = plural(found["instances"], "model"), f", at most {found['longest']:.1f} s"
    each *= found["instances"] > 1
    return [f"flattened: {models} in {found['seconds']:.1f} s{each}; no contender is charged"]


def trouble_texts(contender: ContenderEntry) -> list[str]:
    """Return a line for each kind of failure of a contender: its first instance, reason, and number of times."""
    lines = []
    for t in contender["trouble"]:
        more = f" (and {plural(t['times'] - 1, 'more outcome')})" if t["times"] > 1 else ""
        log = f"; log: {t['log']}" if t.get("log") else ""
        lines.append(printable(f"{t['puzzle']}: {t['why']}{more}{log}"))
    return lines


def trouble_lines(summary: Summary) -> list[str]:
    """Return a line for each kind of failure, at most MAX_TROUBLE_KINDS per contender."""
    lines = []
    for c in summary["contenders"]:
        name = printable(f"trouble: {c['name']}: ")
        lines += [name + text for text in trouble_texts(c)[:MAX_TROUBLE_KINDS]]
        if len(c["trouble"]) > MAX_TROUBLE_KINDS:
            more = plural(len(c["trouble"]) - MAX_TROUBLE_KINDS, "more kind")
            lines.append(f"trouble: {c['name']}: {more}, all in the journal")
    return lines
