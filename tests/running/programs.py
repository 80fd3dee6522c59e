"""Programs as contenders, for tests: scripts that read an instance and do something besides solving it."""

import sys
from pathlib import Path

ANSWERS_VERSION = """
import sys
if "--version" in sys.argv:
    sys.exit("1.0")
"""

SEES = """
import json, os, resource, signal, sys
sys.stdin.read()
status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
kinds = [name for name in dir(resource) if name.startswith("RLIMIT_")]
fds = {}
for fd in os.listdir("/proc/self/fd"):
    try:
        fds[fd] = os.readlink(f"/proc/self/fd/{fd}").partition(":")[0]
    except OSError:
        pass
seen = {
    "variables": dict(os.environ),
    "limits": {name: resource.getrlimit(getattr(resource, name)) for name in kinds},
    "nice": os.nice(0),
    "oom": open("/proc/self/oom_score_adj").read(),
    "umask": status["Umask"],
    "signals": [status[name] for name in ("SigBlk", "SigIgn", "SigCgt", "ShdPnd")],
    "groups": os.getgroups(),
    "privileges": [status[name] for name in ("NoNewPrivs", "Seccomp", "CapEff")],
    "cores": sorted(os.sched_getaffinity(0)),
    "policy": os.sched_getscheduler(0),
    "folder": os.getcwd(),
    "descriptors": fds,
    "leads": os.getsid(0) == os.getpgid(0) or os.getpgid(0) == os.getpid(),
    "terminal": [os.isatty(fd) for fd in range(3)],
}
with open(os.environ["CROSSCHECK_TEST_FILE"], "w") as file:
    json.dump(seen, file)
print("s UNKNOWN")
"""

KILLS_ITS_PLACE = """
import os, signal, sys
sys.stdin.read()
pid = os.getpid()
while pid > 1:
    with open(f"/proc/{pid}/stat") as file:
        pid = int(file.read().rpartition(")")[2].split()[1])
    with open(f"/proc/{pid}/cmdline") as file:
        if "place_process import main" in file.read():
            os.kill(pid, signal.SIGKILL)
            break
print("s UNKNOWN")
"""

FILLS_ITS_DISK = """
import os, sys, tempfile
sys.stdin.read()
with open(tempfile.mkstemp()[0], "wb") as file:
    while True:
        file.write(bytes(1 << 20))
"""

FILLS_ANOTHER_DISK = """
sys.stdin.read()
with open("{calls}", "a") as calls:
    calls.write(".")
    last = calls.tell() == 3
if last:
    try:
        with open("{file}", "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 10))
    except OSError:
        pass
print("s UNKNOWN")
"""


HOARDS = """
sys.stdin.read()
hoard = []
while True:
    hoard.append(bytearray(b"x") * (1 << 24))
"""


def program(folder: Path, name: str, text: str) -> tuple[str, str]:
    """Write a program; return the options of `run` that name it, as contender `lines:NAME`."""
    (folder / f"{name}.py").write_text(f"{ANSWERS_VERSION}{text}")
    return "--program", f"{name}={sys.executable} {folder / name}.py"
