"""Arguments of `run`: limits, measurement, machines and journal."""

from harness.commands import arguments as shared


def add_limits(group: shared.Arguments) -> None:
    """Add the options for the request to each solver, and its limits."""
    shared.add_limits(group, counts=True)
    group.add_argument("--proof", action="store_true", help="request proofs of completeness, and check them")
    group.add_argument(
        "--proof-limit",
        type=shared.positive_seconds,
        default=60.0,
        metavar="SECONDS",
        help="CPU time to check a proof, which has 2 GiB of memory and may have 1 GiB itself (default 60)",
    )
    group.add_argument(
        "--checker",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="with --proof or --certify: proof checker that prints 's VERIFIED', beside ours; {formula} and {proof}"
        " stand for files and are appended if missing",
    )
    group.add_argument(
        "--keep-proofs",
        metavar="FOLDER",
        help="with --proof or --certify: write proofs and their formulas to files of FOLDER",
    )
    group.add_argument(
        "--certify",
        action="store_true",
        help="after the run, let solvers that write proofs prove each answer that is claimed to be complete and has no"
        " proof, whoever claims it: optima, counts, no solution; each proof is checked twice",
    )
    group.add_argument(
        "--certify-by",
        action="append",
        default=[],
        metavar="CONTENDER",
        help="with --certify: solver to ask, several in this order (default: exact, then pysat:cadical195)",
    )
    group.add_argument(
        "--keep-logs",
        metavar="FOLDER",
        help="write what each run of a program prints to compressed files below FOLDER, and read the numbers of known"
        " solvers out of it",
    )
    group.add_argument(
        "--log-columns",
        metavar="FILE",
        help="TOML file with regular expressions by name, such as conflicts = 'c conflicts: *([0-9]+)', of more numbers"
        " in what programs print",
    )
    group.add_argument(
        *("--cpu", "--cpu-limit"),
        dest="cpu",
        type=shared.positive_seconds,
        metavar="SECONDS",
        help="CPU time per instance (default: no limit)",
    )
    group.add_argument(
        "--grace",
        type=shared.non_negative_seconds,
        default=1.0,
        metavar="SECONDS",
        help="with an objective: time that a program has to print its best after it was terminated (default 1)",
    )
    group.add_argument(
        "-m",
        "--memory",
        type=shared.mebibytes,
        metavar="MIB",
        help="memory limit per worker and all that it starts, such as 3G, 0 for none (default: half of the machine's"
        " memory, shared among the jobs, at least 1024)",
    )


def add_sandbox(group: shared.Arguments) -> None:
    """Add the options for what solvers see of the machine."""
    group.add_argument(
        "--sandbox",
        action="store_true",
        help="keep each worker in namespaces of its own: it sees its code, program and instances, read-only, and no"
        " journal, home, network or other process; refused where the system has none (docs/reference/trust.md)",
    )
    group.add_argument(
        "--expose",
        action="append",
        default=[],
        metavar="PATH",
        help="with --sandbox: file or folder that solvers see too, read-only, such as a licence or a library",
    )


def add_measurement(group: shared.Arguments) -> None:
    """Add the options for number and machines of measurements."""
    group.add_argument(
        *("-r", "--repeats", "--runs"),
        dest="repeats",
        type=shared.positive_int,
        default=1,
        metavar="N",
        help="number of repeats, each with fresh workers (default 1)",
    )
    group.add_argument(
        "-w",
        "--warmup",
        type=shared.non_negative_int,
        default=1,
        metavar="N",
        help="repeat the first ask of each worker N times if it is short, and measure only the last (default 1)",
    )
    group.add_argument(
        "--scramble",
        action="store_true",
        help="replace each puzzle by a random symmetric image, another one in each repeat",
    )
    group.add_argument(
        "--seed",
        type=shared.seed,
        default=1,
        metavar="N",
        help="random seed of the order of contenders, of --scramble and of --draw-seeds (default 1)",
    )
    group.add_argument(
        "--draw-seeds",
        action="store_true",
        help="give solvers another random seed in each repeat, those that have an option for one, or {seed} in their"
        " command, and do not state it; --matrix cores does so too",
    )
    group.add_argument(
        "--peak",
        action="store_true",
        help="measure the peak memory of each solve: of the solver alone by a control group, else of a program alone,"
        " which a shell then starts (1 ms, counted), of the worker, or of several processes together, sampled",
    )
    group.add_argument(
        "-j",
        "--jobs",
        type=shared.positive_int,
        default=1,
        metavar="N",
        help="number of leases at a time, each on a core of its own (default 1)",
    )
    group.add_argument(
        "--shard",
        type=shared.shard,
        metavar="K/N",
        help="run only part K of N, for example on one of N machines; `merge` joins the journals of all parts",
    )
    group.add_argument(
        "--cores",
        type=shared.positive_int,
        default=1,
        metavar="N",
        help="cores of each contender that states none, as cpsat[cores=4] does; its solver is told so (default 1)",
    )
    group.add_argument(
        "--families",
        metavar="FIELD|FILE",
        help="rankings are for other families of instances like these: corpus, folder, kind, or a file of"
        " INSTANCE,FAMILY",
    )
    group.add_argument("--no-pin", action="store_true", help="do not pin workers to cores")


def add_cluster(group: shared.Arguments) -> None:
    """Add the options for the machines of a run."""
    group.add_argument(
        "--on",
        metavar="ADDRESS|FILE",
        help="run on a Dask cluster, by its scheduler's address (tcp://10.0.0.5:8786) or file; who has the cluster's"
        " key can run code at all members, this one too (docs/reference/cluster.md)",
    )
    group.add_argument("--same", choices=("cpu",), help="with --on: only places of one processor, that of the first")


def add_journal(group: shared.Arguments) -> None:
    """Add the options for the storage of results."""
    group.add_argument(
        "--known",
        metavar="FILE",
        nargs="?",
        const="",
        help="compare answers with what is known of their instances, and add what is new, in an SQLite file (default:"
        " known.sqlite in the user's folder of data); a record that a checked solution refutes stays, and exits with 2",
    )
    group.add_argument("--correct-known", action="store_true", help="with --known: replace records that are refuted")
    group.add_argument("-o", "--output", metavar="PATH", help="journal to write (default results/DATE-CORPUS-N.sqlite)")
    group.add_argument("--save-baseline", metavar="NAME", help="save the journal for `compare --baseline NAME`")
    group.add_argument("--resume", metavar="JOURNAL", help="resume an interrupted run, with its contenders and limits")
    group.add_argument("--force", action="store_true", help="resume although corpora or versions have changed")
    shared.add_consent(group)
