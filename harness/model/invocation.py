"""Name of the program as the user called it: for usage, commands in messages, and errors."""

import sys
from pathlib import Path

BY_SCRIPT = Path(sys.argv[0]).name.removesuffix(".exe") == "crosscheck"
PROGRAM = "crosscheck" if BY_SCRIPT else "python -m harness"
PREFIX = "crosscheck" if BY_SCRIPT else "harness"
