"""Name of the program as the user has called it: in usage, in commands of messages, and before errors."""

import sys
from pathlib import Path

BY_SCRIPT = Path(sys.argv[0]).name.removesuffix(".exe") == "crosscheck"
PROGRAM = "crosscheck" if BY_SCRIPT else "python -m harness"
PREFIX = "crosscheck" if BY_SCRIPT else "harness"
