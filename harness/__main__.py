"""`python -m harness`."""

import sys

try:
    from harness.cli import main

    code = main()
except KeyboardInterrupt:  # while that was still being imported
    code = 130
sys.exit(code)
