"""The program as the user called it, and its verbs: for usage, commands in messages, and errors."""

import re
import shlex
import sys
from pathlib import Path

BY_SCRIPT = Path(sys.argv[0]).name.removesuffix(".exe") == "crosscheck"
PROGRAM = "crosscheck" if BY_SCRIPT else "python -m harness"
PREFIX = "crosscheck" if BY_SCRIPT else "harness"
GROUPS = {  # verbs, each a file in commands/, with what it does
    "look": {
        "solve": "solve one instance, check the answer and draw it",
        "count": "count the solutions of one instance, and check each",
        "show": "draw a board, its candidates, or the units of a square",
        "trace": "print the search of a solver step by step",
        "encode": "write instances as DIMACS, OPB, XCSP3, MiniZinc, LP, ...",
        "record": "run a program, and keep what it asks its SAT solvers",
        "generate": "make a shipped corpus again, or new puzzles of a kind",
    },
    "compare": {
        "run": "time solvers on instances, and check that the answers agree",
        "report": "print the tables of a journal, its plots, or its page",
        "compare": "compare two runs: slower, faster, lost; exit codes for CI",
        "check": "check answers without timing them, against a golden file",
    },
    "doubt": {
        "fuzz": "search for wrong answers, crashes and hangs",
        "shrink": "make the case of a finding small",
        "replay": "run the cases of findings again",
        "rehearse": "run a solver as a competition does, and tell its faults",
        "explain": "tell which parts of an instance contradict each other",
    },
    "share": {
        "export": "write a journal or a finding in another format",
        "import": "make a journal of other people's results",
        "merge": "join the shards of a run, or journals of the same corpora",
        "site": "make static pages of many journals",
    },
    "setup": {
        "list": "list solvers, encodings, families and corpora",
        "get": "install another version of a solver beside the present one",
    },
}
UNLISTED = {  # what few people call, which the help leaves out
    "judge": "check every stored solution of a journal again",
    "compile": "compile the native solvers beforehand",
}
FORMER = {  # verbs of earlier releases, with the command in their place
    "pack": "export JOURNAL --to zip -o FILE.zip",
    "place": "dask worker",
    "places": "report JOURNAL --places",
    "scheduler": "dask scheduler",
}
VERBS = {verb: purpose for group in (*GROUPS.values(), UNLISTED) for verb, purpose in group.items()}
QUOTED = re.compile(rf"`(?=(?:{'|'.join(VERBS)}) [^`]+`)")  # a command in a message, without the program


def called(*words: str) -> str:
    """Return the shell command of a verb with its arguments."""
    return f"{PROGRAM} {shlex.join(words)}"


def as_called(message: str) -> str:
    """Name the program in the commands that a message quotes: `list --all` becomes `crosscheck list --all`."""
    return QUOTED.sub(f"`{PROGRAM} ", message)
