"""`harness.run` and `harness.resume`: solve corpora with contenders from Python, as the verb `run` does."""

import argparse
import signal
from threading import current_thread, main_thread
from typing import Any, Unpack

from harness.commands import run as verb
from harness.commands.given import print_note
from harness.interface.errors import as_bad_usage
from harness.interface.results import Results
from harness.interface.settings import Names, Path, ResumeSettings, Settings, parsed, parsed_resume
from harness.model.errors import ClusterLost, JournalLost
from harness.model.outcome import MODEL_NAMES
from harness.runs.runner import Run


def run(corpora: Any, contenders: Names = (), **settings: Unpack[Settings]) -> Results:
    """Solve corpora with contenders, judge the answers, and return the results.

    corpora     files, names of shipped corpora, FILE:LINE for one instance, or models, which are written to files in
                results/models: lists of clauses, CNF, CNFPlus and WCNF of python-sat, models of
                CPMpy, CpModels of OR-Tools
    contenders  names, globs allowed, as -b takes them; none: the default ones
    settings    the long flags of `run`, with its defaults, such as timeout=10.0 (seconds), count=1, repeats=1, jobs=1,
                seed=1, memory (MiB), program={"mine": "./mine --fast"}, output="a.sqlite"; `harness.Settings` has all

    The journal is written to `output`, by default results/DATE-CORPUS-N.sqlite below the working directory. Workers are
    processes of their own, with `on="tcp://HOST:8786"` on a Dask cluster. Notes for the user go to standard error.

    Ctrl-C (in a notebook: interrupt) commits what has been solved, and raises KeyboardInterrupt; the loss of the
    cluster's scheduler does the same, and raises ClusterLost, and so does the loss of the journal, which is saved under
    another name: JournalLost. Their text names the journal: `harness.open` reads it, and `harness.resume` continues the
    run. Raises BadUsage.
    """
    with as_bad_usage():
        args = parsed(corpora, contenders, settings)
    return solved(args)


def resume(journal: Path, **settings: Unpack[ResumeSettings]) -> Results:
    """Continue the run of a journal that was interrupted, and return the results, as `run --resume` does.

    Corpora, contenders and limits are those of the journal. settings are jobs=1 and no_pin; force=True to resume
    although corpora or versions have changed; keep_proofs; and the consent to commands that the journal names, which
    somebody else may have written: program, env and checker, which name them again, or yes=True for all.

    Ctrl-C and the loss of a scheduler do what they do to `run`. Raises BadUsage.
    """
    with as_bad_usage():
        args = parsed_resume(journal, settings)
    return solved(args)


def solved(args: argparse.Namespace) -> Results:
    """Return the results of a run. Raises BadUsage, ClusterLost, JournalLost, KeyboardInterrupt."""
    lost: ClusterLost | JournalLost | None = None
    with as_bad_usage():
        keep_proofs, cluster, logs = verb.proof_folder(args), verb.cluster_of(args), verb.requested_logs(args)
        with verb.journal_of(args) as journal:
            if names := getattr(args, MODEL_NAMES, {}):
                journal.facts.put(**{MODEL_NAMES: names})
            this_run = Run(journal)
            handler = signal.getsignal(signal.SIGINT)
            try:
                try:
                    state = verb.solve(this_run, print_note, keep_proofs, cluster, logs)
                except (ClusterLost, JournalLost) as e:
                    state, lost = "interrupted", e
                if state == "complete":
                    verb.certify(this_run, print_note, keep_proofs)
                this_run.finish(state, print_note)
                results = Results(this_run.results())
            finally:
                if current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is not handler:
                    signal.signal(signal.SIGINT, handler)
    kept = f"{results.journal} keeps what was solved: harness.open(...) reads it, harness.resume(...) continues the run"
    if lost is not None:
        raise type(lost)(f"{lost}: {kept}") from lost
    if state == "interrupted":
        raise KeyboardInterrupt(kept)
    return results
