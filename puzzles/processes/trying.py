"""Try a sandbox: `python -m puzzles.processes.trying FD` exits with 0 inside it, or prints why not.

A limit of the kernel, a container or a security module can forbid it.
"""

import os
import sys

from puzzles.processes.sandbox import Sandbox, start_within


def main() -> None:
    """Enter the sandbox of a file."""
    try:
        start_within(Sandbox.load(int(sys.argv[1])))
    except OSError as e:
        print(e.strerror, file=sys.stderr)
        sys.exit(1)
    sys.exit(os.getppid())  # 0: the parent is outside


if __name__ == "__main__":
    main()
