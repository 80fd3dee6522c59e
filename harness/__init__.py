"""Run puzzles through SAT, CP and native solvers, time them, and check that the answers agree."""

import sys
from pathlib import Path

BY_SCRIPT = Path(sys.argv[0]).name.removesuffix(".exe") == "crosscheck"
PROGRAM = "crosscheck" if BY_SCRIPT else "python -m harness"  # as the user has called it, for commands in messages
PREFIX = "crosscheck" if BY_SCRIPT else "harness"  # of error messages
