"""Arguments shared by several verbs, and the parsers of their values."""

import argparse
import math
import re
from collections.abc import Mapping
from typing import NoReturn

from harness.model.errors import BadUsage
from harness.model.settings import DEFAULT_CONTENDERS, DEFAULT_OPTIMISERS
from harness.reporting.views.comparing.measures import (
    DEFAULT_MEASURE,
    DEFAULT_PIVOT,
    FIELDS,
    FOLDS,
    MEASURES,
    OBJECTIVE_SCORES,
    SCALING,
    SCORES,
    score_name,
)
from puzzles.errors import brief

Arguments = argparse.ArgumentParser | argparse._ArgumentGroup
MAX_SHARDS = 100_000
SECONDS = {"": 1, "s": 1, "sec": 1, "ms": 1e-3, "m": 60, "min": 60, "h": 3600, "d": 86_400}  # units of a time
MEBIBYTES = {  # units of a size
    "": 1,
    "m": 1,
    "mib": 1,
    "k": 1 / 1024,
    "kib": 1 / 1024,
    "g": 1024,
    "gib": 1024,
    "t": 1 << 20,
    "tib": 1 << 20,
    "mb": 1e6 / (1 << 20),
    "gb": 1e9 / (1 << 20),
    "tb": 1e12 / (1 << 20),
}
CONTENDERS = """\
names of contenders (docs/reference/encodings.md):
  BACKEND[:VARIANT][[OPTION=VALUE,...]][/ENCODING]
         [+AT_MOST_ONE][+linear=NAME][+table=NAME][+warm][@ENV]"""
EXIT_CODES = """\
exit codes:
  0  clean                         3    a regression, or a puzzle lost
  1  a wrong answer                4    undecided: timeout, memory or crash
  2  bad usage, input or corpus    130  interrupted"""


class SettingsParser(argparse.ArgumentParser):
    """Parser whose errors are exceptions."""

    def error(self, message: str) -> NoReturn:
        raise BadUsage(message)


MOST, MOST_SECONDS = 10**12, 10**9  # of an argument: what is larger, a journal does not hold


def whole(text: str, least: int) -> int:
    """Parse a whole number from `least` to MOST."""
    known = re.fullmatch("-?[0-9]+", text) is not None
    number = int(text) if known and len(text) < 40 else None
    if not known or (number is not None and number < least):
        raise argparse.ArgumentTypeError(f"{brief(text)} is not a whole number from {least}")
    if number is None or number > MOST:
        raise argparse.ArgumentTypeError(f"{brief(text)} is more than {MOST:,}")
    return number


def seed(text: str) -> int:
    """Parse a random seed."""
    return whole(text, -MOST)


def positive_int(text: str) -> int:
    """Parse a whole number from 1."""
    return whole(text, 1)


def count_or_all(text: str) -> int:
    """Parse a whole number from 1, or `all`, which is 0."""
    return 0 if text == "all" else positive_int(text)


def non_negative_int(text: str) -> int:
    """Parse a whole number from 0."""
    return whole(text, 0)


def measured(text: str, units: Mapping[str, float]) -> float:
    """Parse a number with a unit, in which '' stands for none; 0 if it is no number above 0."""
    found = re.fullmatch(r"([0-9]*\.?[0-9]+(?:e[+-]?[0-9]+)?|[0-9]+\.) ?([a-z]*)", text.strip().lower())
    value = float(found[1]) * units.get(found[2], 0) if found else 0.0
    return value if value < float("inf") else 0.0


def mebibytes(text: str) -> int:
    """Parse a size in MiB, 0 or more: a number of MiB, or one with a unit."""
    if text.strip() == "0":
        return 0
    if (value := math.ceil(measured(text, MEBIBYTES))) < 1:
        raise argparse.ArgumentTypeError(f"{brief(text)} is not a size: a number of MiB, or one such as 512M or 3G")
    if value > MOST:
        raise argparse.ArgumentTypeError(f"{brief(text)} is more than {MOST:,}")
    return value


def positive_seconds(text: str) -> float:
    """Parse a time above 0: seconds, or a number with a unit."""
    if not (value := measured(text, SECONDS)):
        what = "a number of seconds above 0, nor a time such as 500ms, 5m or 2h"
        raise argparse.ArgumentTypeError(f"{brief(text)} is not {what}")
    if value > MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{brief(text)} is more than {MOST_SECONDS:,} s")
    return value


def non_negative_seconds(text: str) -> float:
    """Parse a number of seconds, 0 or more."""
    return 0.0 if text.strip() == "0" else positive_seconds(text)


def names(text: str) -> list[str]:
    """Parse contenders separated by commas; a comma in brackets is part of a glob."""
    found = [part.strip() for part in re.split(r",(?![^\[]*\])", text)]
    if not all(found):
        raise argparse.ArgumentTypeError(f"{text!r} has an empty name between its commas")
    return found


def add_reading(parser: Arguments) -> None:
    """Add the options for reading puzzles."""
    parser.add_argument(
        "--as", dest="as_", metavar="LAYOUT", help="layout of the board: 'sudoku 2x3', 'latin 5', 'colouring 4'"
    )
    parser.add_argument("--alphabet", metavar="SYMBOLS", help="symbols of the values, in order")
    parser.add_argument(
        "--ignore-objective",
        action="store_true",
        help="decide instances instead of optimising them: objectives (WCNF, min: in OPB, XCSP3 COP) are not read",
    )


def add_puzzle(parser: Arguments, more: str = "") -> None:
    """Add the argument of verbs that take one puzzle, and the options for reading it."""
    parser.add_argument(
        "puzzle",
        metavar="PUZZLE",
        help=f"a puzzle in one line, a file, the name of a corpus, FILE:LINE, or - for standard input{more}",
    )
    parser.add_argument(
        *("-n", "--number"),
        type=positive_int,
        default=1,
        metavar="N",
        help="number of the puzzle in its file (default 1)",
    )
    add_reading(parser)


def add_corpora(parser: Arguments, nargs: str) -> None:
    """Add the argument of verbs that take corpora, and the options for reading them."""
    parser.add_argument(
        "corpus",
        nargs=nargs,
        metavar="CORPUS",
        help="a file, a folder, a quoted pattern such as 'sat/*.cnf', @FILE for a list of such, the name of a shipped"
        " corpus (see `list --corpora`), FILE:LINE for one puzzle, or - for standard input",
    )
    parser.add_argument("-n", "--puzzles", type=positive_int, metavar="N", help="only the first N of each corpus")
    for option, what in (("--only", "take only instances that match"), ("--exclude", "leave out instances that match")):
        parser.add_argument(
            option,
            action="append",
            default=[],
            metavar="PATTERN",
            help=f"{what}: a name, file, folder or path, with wildcards; may be repeated",
        )
    parser.add_argument(
        "--where",
        metavar="CONDITIONS",
        help="take only instances whose features hold, such as 'clauses<1e6,variables>=100' (`list CORPUS --features`)",
    )
    parser.add_argument(
        "--sample", type=positive_int, metavar="N", help="take N random instances of each corpus, stratified by --by"
    )
    parser.add_argument(
        "--by",
        choices=("family", "kind"),
        default="family",
        help="strata of --sample: folders, or kinds where there are none (default family)",
    )
    parser.add_argument(
        "--distinct",
        action="store_true",
        help="leave out instances that are equal to an earlier one, by content or by a renaming that was checked",
    )
    add_reading(parser)


def shard(text: str) -> tuple[int, int]:
    """Return the number of a shard and the number of shards from K/N."""
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= MAX_SHARDS):
        raise argparse.ArgumentTypeError(f"{text!r} is not K/N with 1 <= K <= N <= {MAX_SHARDS:,}")
    return int(number), int(of)


def add_contenders(parser: Arguments) -> None:
    """Add -b, the contenders that take part."""
    parser.add_argument(
        *("-b", "--backend"),
        action="extend",
        type=names,
        default=[],
        metavar="CONTENDER",
        help="contenders, separated by commas, globs allowed; may be repeated; `list` shows all names"
        f" (default {','.join(DEFAULT_CONTENDERS)}; of instances with an objective {','.join(DEFAULT_OPTIMISERS)})",
    )


def add_contender(parser: Arguments, task: str) -> None:
    """Add -b of verbs that run one contender."""
    parser.add_argument(
        *("-b", "--backend"),
        metavar="CONTENDER",
        help=f"contender that {task} (default native; of an instance with an objective {DEFAULT_OPTIMISERS[0]})",
    )
    add_programs(parser)


def add_programs(parser: Arguments) -> None:
    """Add --program, the command lines of external solvers."""
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="command line of dimacs:NAME, wcnf:NAME, opb:NAME, xcsp3:NAME, fzn:NAME, lp:NAME, mps:NAME, mcc:NAME or"
        " lines:NAME, split like a shell does; not needed for names on the PATH; {cnf}, {wcnf}, {opb}, {xcsp3}, {fzn},"
        " {lp} or {mps} stands for the file; for"
        " lines, {count} stands for --count and {layouts: NAME, ...} at the end states what it takes;"
        " `list --protocols` says what each must print",
    )


def add_consent(parser: Arguments) -> None:
    """Add --yes, the consent to commands that a journal or finding names."""
    parser.add_argument(
        "--yes", action="store_true", help="run the commands that the file names, without naming them again"
    )


def add_environments(parser: Arguments) -> None:
    """Add --env, the interpreters of contenders @NAME."""
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME=PYTHON", help="Python interpreter for contenders @NAME"
    )


def add_timeout(parser: Arguments, default: float, per: str = "puzzle") -> None:
    """Add -t, the limit of wall time."""
    parser.add_argument(
        *("-t", "--timeout"),
        type=positive_seconds,
        default=default,
        metavar="SECONDS",
        help=f"wall time per {per} (default {default:g})",
    )


def add_limits(parser: Arguments, counts: bool = False) -> None:
    """Add the number of solutions, or with `counts` that of all models, and the time limits."""
    exact = ", all to count every model exactly, or sum up weights, with models:*" * counts
    parser.add_argument(
        "--count",
        type=count_or_all if counts else positive_int,
        default=1,
        metavar="N",
        help=f"number of solutions to look for in each instance; 2 shows if it is unique{exact} (default 1)",
    )
    add_timeout(parser, 10.0)
    parser.add_argument(
        "--open-limit",
        type=positive_seconds,
        default=60.0,
        metavar="SECONDS",
        help="CPU time for imports and compilation (default 60)",
    )


def add_jobs(parser: Arguments) -> None:
    """Add -j of verbs that do not measure time."""
    parser.add_argument(
        *("-j", "--jobs"),
        type=positive_int,
        metavar="N",
        help="number of workers at a time (default: one per core)",
    )


def add_json(parser: Arguments, what: str = "summary") -> None:
    """Add --json, the machine-readable result."""
    parser.add_argument(
        "--json",
        metavar="PATH",
        help=f"write the {what} as JSON to PATH, or with - to standard output instead of the table",
    )


def add_html(parser: Arguments) -> None:
    """Add --html, the page."""
    parser.add_argument("--html", metavar="PATH", help="write a page with plots, tables and boards, in one file")


def add_logs(parser: Arguments) -> None:
    """Add --logs, the folder of kept logs."""
    text = "link or pack the logs (--keep-logs) that lie in this folder (default: in that of the journal)"
    parser.add_argument("--logs", metavar="FOLDER", help=text)


def add_format(parser: Arguments, *more: str) -> None:
    """Add --format, the form of the tables."""
    choices = ("table", "markdown", "csv", *more, "junit", "github")
    parser.add_argument("--format", choices=choices, default="table", help="format of the report (default table)")


def add_matrix(parser: Arguments) -> None:
    """Add --matrix, --matrix-only, --pivot, --fold and --time."""
    parser.add_argument(
        "--matrix",
        nargs="?",
        const=DEFAULT_MEASURE,
        metavar="MEASURE",
        help=f"also print a matrix of a measure (default {DEFAULT_MEASURE}): {', '.join(MEASURES)}, or a"
        f" score of --rank; {SCALING} is the scaling report, of contenders such as 'cpsat[cores=1|2|4]' that differ in"
        " cores alone",
    )
    parser.add_argument(
        "--matrix-only", action="store_true", help="print the matrix alone, without the ranking of the contenders"
    )
    parser.add_argument(
        "--pivot",
        metavar="ROWS,COLUMNS",
        help=f"row and column fields of the matrix (default {DEFAULT_PIVOT}), two of {', '.join(FIELDS)}",
    )
    parser.add_argument(
        "--fold",
        choices=FOLDS,
        default=FOLDS[0],
        help="several contenders in a cell of the matrix: mean ratio of those that differ in the row's field alone,"
        f" or their minimum (default {FOLDS[0]})",
    )
    add_time(parser, "clock of tables and of the result, except phases")


def add_rank(parser: Arguments) -> None:
    """Add --rank, the ranking by a score."""
    parser.add_argument(
        "--rank",
        type=score,
        metavar="SCORE",
        help="add a ranking with 95 %% intervals of scores and ranks, and groups of contenders that do not differ, by"
        f" {', '.join((*SCORES, *OBJECTIVE_SCORES))}; target:P is within P percent, sgm:S has a shift of S seconds,"
        " conflicts and number:NAME are means of what contenders count or print, vbs:SCORE and shapley:SCORE what a"
        " contender contributes to the best of all",
    )
    add_require_proofs(parser)


def score(text: str) -> str:
    """Return the name of a score. Raises argparse.ArgumentTypeError if it is none."""
    try:
        score_name(text)
    except ValueError as e:
        raise argparse.ArgumentTypeError(str(e)) from None
    return text


def add_require_proofs(parser: Arguments) -> None:
    """Add --require-proofs, by which unsatisfiable answers count only with a proof."""
    parser.add_argument(
        "--require-proofs",
        action="store_true",
        help="count an unsatisfiable answer only with a proof that holds, as the SAT competition does: else it is"
        " undecided, in tables, scores and plots; the page has a switch",
    )


def add_time(parser: Arguments, meaning: str) -> None:
    """Add --time, the clock of tables."""
    parser.add_argument("--time", choices=("wall", "cpu"), default="wall", help=f"{meaning} (default wall)")
