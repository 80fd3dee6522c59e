"""`run`: solve corpora with contenders, timed, judged, stored in a journal and reported.

The file is long because each option that is more than a setting, from logs to clusters, has its function here.
"""

import argparse
from typing import TYPE_CHECKING

from harness.commands import arguments as shared
from harness.commands import run_arguments as groups
from harness.commands.given import print_note, pythons_of, reader_options
from harness.commands.progress import progress_bar

if TYPE_CHECKING:
    from pathlib import Path

    from harness.model.settings import Cluster, RunSettings
    from harness.reporting.frame.entries import Summary
    from harness.running.logs.keeping import RequestedLogs
    from harness.running.workers.run_context import Notify
    from harness.runs.runner import Run
    from harness.storing.journal import Journal


USAGE = "CORPUS... [options]"
EPILOG = f"""\
examples:
  run hardest                                  a corpus, default contenders
  run hard -b 'pysat:*/extended,cpsat' -t 30   every SAT solver, and CP-SAT
  run mine.txt:6 -b native,lines:mine --program mine='./mine --fast'
  run hard -b pysat,pysat@old --env old=../old/bin/python -r 5 -o gate.sqlite
  run unsolvable several --count 2 --proof     uniqueness, with checked proofs
  run hard -b cpsat --on tcp://10.0.0.5:8786   on a Dask cluster
  run experiment.toml -t 60                    docs/reference/experiments.md

{shared.CONTENDERS}

{shared.EXIT_CODES}
"""
BRIEF = {  # the short help
    "corpus": "file, folder, 'sat/*.cnf', @LIST, shipped corpus",
    "backend": "solvers, such as cpsat,dimacs:minisat; see `list`",
    "program": "mine='./mine {cnf}'; see `list --protocols`",
    "puzzles": "only the first N of each corpus",
    "timeout": "wall time for each instance (default 10)",
    "memory": "memory of each worker (default half the machine)",
    "count": "solutions wanted; 2 shows if one is unique",
    "proof": "ask for proofs, and check them",
    "repeats": "repeats, each with fresh workers (default 1)",
    "jobs": "cores that work at a time (default 1)",
    "rank": "rank by par2, solved, borda, maxsat, minizinc, ...",
    "matrix": "a matrix of encodings and solvers",
    "html": "write a page with plots and every instance",
    "json": "write all figures; - in place of the table",
    "output": "journal (default results/DATE-NAME-N.sqlite)",
    "resume": "continue an interrupted run",
}
EXPERIMENT_ENDING = ".toml"
TRUST = "whoever can join this cluster can run code at all its members, here too (docs/reference/trust.md)"
FROM_JOURNAL = (  # arguments that a resumed run takes from the journal
    *(
        "corpus",
        "puzzles",
        "only",
        "exclude",
        *("distinct", "where", "sample", "by", "families"),
        "as_",
        "alphabet",
        "ignore_objective",
        "backend",
        "pass_env",
        "count",
        "timeout",
    ),
    *("open_limit", "proof", "proof_limit", "certify", "certify_by"),
    *("cpu", "grace", "memory", "repeats", "warmup", "scramble", "seed", "draw_seeds", "audit_determinism", "peak"),
    *("shard", "output", "sandbox", "expose", "cores"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    shared.add_corpora(parser.add_argument_group("puzzles"), "*")
    contenders = parser.add_argument_group("contenders")
    shared.add_contenders(contenders)
    shared.add_programs(contenders)
    shared.add_environments(contenders)
    contenders.add_argument(
        "--pass-env",
        action="append",
        default=[],
        metavar="NAME",
        help="environment variable that workers inherit too; the journal records a digest of its value",
    )
    groups.add_limits(parser.add_argument_group("limits"))
    groups.add_sandbox(parser.add_argument_group("sandbox"))
    groups.add_measurement(parser.add_argument_group("measurement"))
    groups.add_cluster(parser.add_argument_group("other machines"))
    groups.add_journal(parser.add_argument_group("journal"))
    report = parser.add_argument_group("report")
    shared.add_json(report)
    shared.add_html(report)
    shared.add_matrix(report)
    shared.add_rank(report)
    report.add_argument(
        "--audit-determinism",
        type=shared.positive_int,
        metavar="R",
        help="run everything R times with the same seed, and list what differs by contender: status, value, solution,"
        " counters",
    )
    shared.add_format(report, "latex")


def with_experiment(args: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments of a run, with those of the experiment whose file is among the corpora. Raises BadUsage."""
    if not any(name.endswith(EXPERIMENT_ENDING) for name in args.corpus):
        return args
    from harness.commands.experiments import expanded, named

    words = args.command[1:]
    if (at := named(words, args.corpus, add_arguments)) is None:
        return args
    words, text = expanded(words, at, add_arguments)
    parser = shared.SettingsParser(add_help=False)
    add_arguments(parser)
    given = {"command": [args.command[0], *words], "experiment": text}
    return argparse.Namespace(**vars(args) | vars(parser.parse_args(words)) | given)


def run(args: argparse.Namespace) -> int:
    from harness.commands.html import write_page
    from harness.commands.output import (
        add_headline,
        rank_parts,
        require_one_table,
        show,
        texts,
        try_to_write,
        view_parts,
    )
    from harness.model.errors import ClusterLost, JournalLost
    from harness.reporting.frame.summary import summarise
    from harness.reporting.views.comparing import matrix
    from harness.reporting.views.ranking.score_matrix import matrix_of
    from harness.reporting.views.run_lines import header
    from harness.reporting.writing.printable import wrapped
    from harness.runs.runner import Run
    from harness.storing.baselines import baseline_path, check_writable, save_baseline

    args = with_experiment(args)
    pivot = matrix.requested(args.matrix, args.pivot, args.fold, args.matrix_only, args.time)
    require_one_table(
        args, {"--matrix": args.matrix or pivot, "--rank": args.rank, "--audit-determinism": args.audit_determinism}
    )
    for path in (args.json, args.html):
        if path and path != "-":
            try_to_write(path)
    if args.save_baseline:
        check_writable(baseline_path(args.save_baseline))  # fails before the run too
    keep_proofs, cluster, logs = proof_folder(args), cluster_of(args), requested_logs(args)
    require_score(args.rank, logs)
    with journal_of(args) as journal:
        this_run = Run(journal)
        require_cores(args, journal)
        if args.json != "-" and args.format == "table" and not args.matrix_only:
            print(wrapped(header(journal)), end="\n\n", flush=True)
        try:
            state = solve(this_run, print_note, keep_proofs, cluster, logs)
        except (ClusterLost, JournalLost) as e:
            print_note(f"{e}: what was committed is kept, and --resume goes on with it")
            state = "interrupted"
        if state == "complete":
            certify(this_run, print_note, keep_proofs)
        this_run.finish(state, print_note)
        if args.save_baseline and state == "complete":
            save_baseline(journal, args.save_baseline)
        results = found = this_run.results()
        refuted = args.known is not None and known_answers(args, journal, this_run)
        if args.require_proofs:
            from harness.reporting.frame.proofs import with_proofs_required

            results = with_proofs_required(found)
        summary = summarise(results)
        if summary["resume"]:
            summary["resume"] += cluster.words() if cluster else []
            summary["resume"] += ["--keep-proofs", str(keep_proofs)] if keep_proofs else []
            summary["resume"] += log_words(args)
        add_headline(args, results, summary)
        suggestions = suggest_shrinking(journal, summary)
        parts = texts(args, [*rank_parts(args, results, summary), *view_parts(args, results, summary)])
        try:
            show(args, summary, matrix_of(results, summary, pivot) if pivot else None, suggestions, parts)
        finally:
            if args.html:
                write_page(args.html, [found], [summarise(found)], logs=args.keep_logs)
    code: int = summary["exit"]
    return 2 if refuted and code in (0, 3, 4) else code


def known_answers(args: argparse.Namespace, journal: "Journal", this_run: "Run") -> bool:
    """Compare the answers of a run with known ones, and store what is new; return True if a record is refuted.

    Raises BadUsage.
    """
    from pathlib import Path

    from harness.reporting.formats.known_answers import compared
    from harness.storing import known
    from puzzles.caches import data_home

    path = Path(args.known) if args.known else data_home() / "known.sqlite"
    report = compared(journal, this_run.referee, path)
    known.store(path, [*report.new, *(report.corrected if args.correct_known else ())])
    done = "corrected" if args.correct_known else "kept, --correct-known replaces it"
    for text in report.refuted:
        print_note(f"KNOWN ANSWER REFUTED: {text}; {done}")
    for text in report.differing:
        print_note(f"known answer differs, and no solution shows which is wrong: {text}")
    print_note(f"{path}: {report.agreed:,} known answers agree, {len(report.new):,} are new or stronger")
    return bool(report.refuted)


def journal_of(args: argparse.Namespace) -> "Journal":
    """Return the journal of a new run, or of the run to resume. Raises BadInput, BadUsage."""
    from functools import partial
    from pathlib import Path

    from harness.model.consent import commands_of, require_consent
    from harness.model.reading import parse_assignments
    from harness.runs.start import Request, create_run, resume_run

    if args.resume:
        require_resumable(args)
        stated = commands_of((), *map(parse_assignments, (args.program, args.env, args.checker)))
        consent = partial(require_consent, args.resume, stated=stated, agreed=args.yes)
        return resume_run(Path(args.resume), args.jobs, not args.no_pin, args.force, consent, print_note)
    request = Request(
        args.corpus,
        args.backend,
        settings(args),
        reader_options(args),
        args.puzzles,
        Path(args.output) if args.output else None,
        args.command,
        args.shard,
        cores=args.cores,
        experiment=getattr(args, "experiment", ""),
        cluster=args.on is not None,
        families=args.families,
    )
    return create_run(request, print_note)


def require_resumable(args: argparse.Namespace) -> None:
    """Raise BadUsage if --resume comes with arguments that the journal fixes."""
    from harness.model.errors import BadUsage

    parser = argparse.ArgumentParser(add_help=False)
    add_arguments(parser)
    for name in FROM_JOURNAL:
        if getattr(args, name) not in (parser.get_default(name), []):
            stated = "corpora" if name == "corpus" else f"--{name.rstrip('_').replace('_', '-')}"
            raise BadUsage(f"--resume takes {stated} from the journal: leave it out")


def proof_folder(args: argparse.Namespace) -> "Path | None":
    """Return the folder of --keep-proofs, created if missing. Raises BadUsage."""
    from harness.model.errors import BadUsage

    if (args.keep_proofs or args.checker) and not (args.proof or args.certify or args.resume):
        raise BadUsage(f"{'--keep-proofs' if args.keep_proofs else '--checker'} needs --proof or --certify")
    if args.certify_by and not args.certify:
        raise BadUsage("--certify-by needs --certify")
    if not args.keep_proofs:
        return None
    return writable_folder(args.keep_proofs)


def requested_logs(args: argparse.Namespace) -> "RequestedLogs | None":
    """Return the folder for outputs of programs, created if missing, and the numbers to read. Raises BadUsage."""
    if not (args.keep_logs or args.log_columns):
        return None
    from pathlib import Path

    from harness.running.logs.columns import read_columns
    from harness.running.logs.keeping import RequestedLogs

    columns = read_columns(Path(args.log_columns)) if args.log_columns else None
    return RequestedLogs(writable_folder(args.keep_logs) if args.keep_logs else None, columns)


def require_score(name: str | None, logs: "RequestedLogs | None") -> None:
    """Raise BadUsage for a ranking by a number that no program of the run is asked for."""
    from harness.model.errors import BadUsage
    from harness.reporting.views.comparing.measures import COUNTED, score_name

    number = score_name(name).number if name else ""
    if number and number not in COUNTED and not (logs and logs.may_have(number)):
        raise BadUsage(f"--rank {name}: state the number in --log-columns")


def require_cores(args: argparse.Namespace, journal: "Journal") -> None:
    """Raise BadUsage, and remove a new journal, if --matrix cores has no solver with several numbers of cores."""
    from harness.model.errors import BadUsage
    from harness.reporting.views.comparing.measures import SCALING

    if args.matrix != SCALING:
        return
    from harness.reporting.views.scaling import require_several

    try:
        require_several(journal.contenders.all())
    except BadUsage:
        if not args.resume:
            journal.discard()
        raise


def log_words(args: argparse.Namespace) -> list[str]:
    """Return the options on outputs of programs, as words of the command line."""
    options = (("--keep-logs", args.keep_logs), ("--log-columns", args.log_columns))
    return [word for option, value in options if value for word in (option, value)]


def writable_folder(name: str) -> "Path":
    """Return a folder in which files can be written, created if missing. Raises BadUsage."""
    import tempfile
    from pathlib import Path

    from harness.model.errors import BadUsage

    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as e:
        raise BadUsage(f"{folder}: {e.strerror}") from e
    return folder


def cluster_of(args: argparse.Namespace) -> "Cluster | None":
    """Return the cluster to run on, None for this machine. Raises BadUsage, also if the scheduler does not answer."""
    from harness.model.errors import BadUsage
    from harness.model.settings import Cluster

    if args.on is None:
        if args.same:
            raise BadUsage("--same needs --on")
        return None
    for option, given in (("--jobs", args.jobs > 1), ("--no-pin", args.no_pin), ("--keep-proofs", args.keep_proofs)):
        if given:
            raise BadUsage(f"{option} does not go with --on: each place has its cores, and checks its proofs")
    from harness.running.engines.connection import DaskConnection

    cluster = Cluster.parse(args.on, args.same)
    DaskConnection(cluster.target).close()  # before there is a journal
    print_note(f"--on {cluster.target}: {TRUST}")
    return cluster


def settings(args: argparse.Namespace) -> "RunSettings":
    """Return the settings that the command line states; a scaling report draws seeds."""
    from harness.model.errors import BadUsage
    from harness.model.host import default_memory
    from harness.model.reading import parse_assignments
    from harness.model.settings import RunSettings
    from harness.reporting.views.comparing.measures import SCALING

    if args.audit_determinism and (args.repeats > 1 or args.draw_seeds or args.scramble):
        raise BadUsage(
            "--audit-determinism has repeats of its own, all alike: leave out -r, --draw-seeds and --scramble"
        )
    if args.audit_determinism == 1:
        raise BadUsage("--audit-determinism 1: one repeat shows no difference: state 2 or more")
    return RunSettings(
        limit=args.timeout,
        count=args.count or 1,
        count_models=not args.count,
        cpu=args.cpu,
        memory=(args.memory or 0) << 20,
        default_memory=default_memory(args.jobs) if args.memory is None else 0,
        opening=args.open_limit,
        warmup=args.warmup,
        peak=args.peak,
        proof=args.proof,
        proof_limit=args.proof_limit,
        checkers=parse_assignments(args.checker),
        repeats=args.audit_determinism or args.repeats,
        seed=args.seed,
        scramble=args.scramble,
        draw_seeds=args.draw_seeds or (args.matrix == SCALING and not args.audit_determinism),
        jobs=args.jobs,
        pin=not args.no_pin,
        programs=parse_assignments(args.program),
        pythons=pythons_of(args),
        pass_env=args.pass_env,
        grace=args.grace,
        ignore_objective=args.ignore_objective,
        sandbox=args.sandbox,
        expose=exposed_paths(args),
        certify=certify_patterns(args),
    )


def certify_patterns(args: argparse.Namespace) -> list[str]:
    """Return the contenders that --certify asks for proofs; none without it."""
    from harness.model.certification import DEFAULT_PROVERS

    return list(args.certify_by or DEFAULT_PROVERS) if args.certify else []


def exposed_paths(args: argparse.Namespace) -> list[str]:
    """Return the paths of --expose from the root. Raises BadUsage."""
    import os

    from harness.model.errors import BadUsage

    if args.expose and not args.sandbox:
        raise BadUsage("--expose needs --sandbox")
    for path in args.expose:
        if not os.path.exists(path):
            raise BadUsage(f"--expose {path}: no such file or folder")
        if os.path.realpath(path) == "/":
            raise BadUsage("--expose /: name the folders in it that solvers need")
    return [os.path.abspath(path) for path in args.expose]


def suggest_shrinking(journal: "Journal", summary: "Summary") -> list[str]:
    """Write a finding for the first wrong answer or crash of each contender; return the commands that shrink these."""
    first: dict[str, int] = {}
    if journal.facts.settings().count_models:  # a number has no finding
        return []
    for disagreement in summary["agreement"]["disagreements"]:
        for contender in disagreement["contenders"]:
            first.setdefault(contender, disagreement["id"])
    if not first and not any(c["trouble"] for c in summary["contenders"]):
        return []
    from harness.fuzzing.exporting.suggestions import crashes, suggestions

    folder = journal.path.parent / "findings"
    return suggestions(journal, crashes(journal) | first, folder)


def solve(
    this_run: "Run",
    notify: "Notify",
    keep_proofs: "Path | None" = None,
    cluster: "Cluster | None" = None,
    logs: "RequestedLogs | None" = None,
) -> str:
    """Solve everything, with a progress bar; return the state: complete or interrupted.

    Raises ClusterLost, JournalLost.
    """
    import signal

    from harness.model.lease import instances_of

    instances = instances_of(this_run.journal.instances.parts())
    try:
        total = instances * len(this_run.contenders) * this_run.settings.repeats - this_run.journal.outcomes.count()
        with progress_bar(max(0, total), cluster is not None) as progress:
            for _ in this_run.solve(notify, progress, keep_proofs, cluster, logs):
                pass
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left takes a moment and completes the journal
        return "interrupted"
    return "complete"


def certify(this_run: "Run", notify: "Notify", keep_proofs: "Path | None" = None) -> None:
    """Ask provers about the claims of contenders if the run has --certify; after Ctrl-C the results so far are kept.

    Cores of answers to query scripts are always checked.
    """
    if this_run.journal.instances.scripts.any():
        from harness.runs.cores import check_cores

        try:
            check_cores(this_run, notify)
        except KeyboardInterrupt:
            notify("cores: interrupted; what was checked is kept")
    if not this_run.settings.certify:
        return
    if this_run.settings.count_models:
        from harness.runs.counting import certify_counts

        with progress_bar(this_run.journal.instances.size()) as progress:
            certify_counts(this_run, notify, progress)
        return
    from harness.runs.certifying import certify, claims_of

    claims = len(claims_of(this_run))
    try:
        with progress_bar(claims) as progress:
            certify(this_run, notify, progress, keep_proofs)
    except KeyboardInterrupt:
        notify("certify: interrupted; what was proved is kept")
