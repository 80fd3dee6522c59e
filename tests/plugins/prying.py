"""A solver that pries, as a backend and as a program: it tries to reach what belongs to others, and fails if it can.

`targets` are the things to reach, as JSON in an environment variable. As a program, `python prying.py FILE`, it answers
as SAT solvers do. Each attack returns True or raises nothing if it succeeded.
"""

import ctypes
import glob
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VARIABLE = "CROSSCHECK_PRYING"
KEYCTL = {"x86_64": 250, "ppc64le": 271, "s390x": 280}  # 219 elsewhere
GET_NUMBER, JOIN, CLEAR, LINK, SEARCH, READ = 0, 1, 7, 8, 10, 11  # KEYCTL_*
SESSION, USER = -3, -4  # KEY_SPEC_SESSION_KEYRING, KEY_SPEC_USER_KEYRING
MARK = "CROSSCHECK_RUN"


def reads(path: str) -> None:
    with open(path, "rb") as file:
        file.read(1)


def writes(path: str) -> None:
    with open(path, "r+b"):
        pass


def creates(path: str) -> None:
    with open(path, "w") as file:
        file.write("kept")


def connects(family: int, address: Any) -> None:
    with socket.socket(family) as link:
        link.settimeout(1)
        link.connect(address)


def sees_siblings() -> bool:
    """Return True if another worker's folder, or another process of the run with another mark, can be seen."""
    mine = os.environ["TMPDIR"]
    folders = set(glob.glob(f"{os.path.dirname(mine)}/worker-*")) - {mine}
    return bool(folders) or any(is_sibling(path) for path in glob.glob("/proc/[0-9]*/environ"))


def is_sibling(path: str) -> bool:
    """Return True if a process has a mark, and not ours."""
    try:
        variables = Path(path).read_bytes().split(b"\0")
    except OSError:
        return False
    marks = [variable for variable in variables if variable.startswith(f"{MARK}=".encode())]
    return bool(marks) and marks != [f"{MARK}={os.environ[MARK]}".encode()]


def kills_guard() -> bool:
    """Kill the first process of a sandbox; return True if that can be seen, which ends this process too."""
    if os.getppid() == 1:
        os.kill(1, signal.SIGKILL)
        time.sleep(0.1)
    return False


def keyctl(operation: int, *arguments: object) -> int:
    """Call the kernel's keyctl; the result is negative if it fails."""
    call = ctypes.CDLL(None).syscall
    call.restype = ctypes.c_long
    words = (ctypes.c_long(a) if isinstance(a, int) else a for a in arguments)
    return int(call(KEYCTL.get(os.uname().machine, 219), operation, *words))


def finds_key(ring: int, name: str) -> bool:
    """Return True if a key can be read that a keyring holds, after the keyring was linked to that of the session."""
    keyctl(LINK, ring, SESSION)
    found = keyctl(SEARCH, SESSION, b"user", name.encode(), 0)
    return found > 0 and keyctl(READ, found, ctypes.create_string_buffer(8), 8) > 0


def add_key(name: str, ring: int) -> int:
    """Add a key to a keyring; the result is negative if that fails."""
    call = ctypes.CDLL(None).syscall
    number = KEYCTL.get(os.uname().machine, 219) - 2
    return int(call(number, b"user", name.encode(), b"secret", ctypes.c_size_t(6), ctypes.c_long(ring)))


def planted_keys(name: str) -> dict[str, Any]:
    """Put a key into a new session keyring, which processes below inherit, and one into the user's keyring."""
    keyctl(JOIN, None)
    ring = keyctl(GET_NUMBER, USER, 1)
    add_key(name, SESSION)
    add_key(f"{name}-user", ring)
    return {"key": name, "user key": f"{name}-user", "ring": ring}


def forget_keys(ring: int) -> None:
    """Empty a keyring."""
    keyctl(CLEAR, ring)


def logged() -> bool:
    """Return True if the kernel's log can be read."""
    return bool(ctypes.CDLL(None).klogctl(3, ctypes.create_string_buffer(64), 64) >= 0)


def runs(*words: str) -> bool:
    """Return True if a command succeeds."""
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def attacks(t: dict[str, Any]) -> dict[str, Callable[[], object]]:
    """Return the attacks by what they harm, on these targets."""
    remount = ("mount", "-o", "remount,bind,rw", "/usr")
    return {
        "journal read": lambda: reads(t["journal"]),
        "journal written": lambda: writes(t["journal"]),
        "journal's folder written": lambda: creates(f"{t['journal']}-planted"),
        "journal read by the run's root": lambda: reads(f"/proc/{t['pid']}/root{t['journal']}"),
        "corpus written": lambda: writes(t["instance"]),
        "corpus's permissions set": lambda: os.chmod(t["instance"], 0o644),
        "expected results read": lambda: reads(t["claims"]),
        "other instances read": lambda: reads(t["other"]),
        "own code written": lambda: writes(__file__),
        "home read": lambda: reads(t["secret"]),
        "/tmp read": lambda: reads(t["temporary"]),
        "/dev/shm read": lambda: reads(t["shared"]),
        "siblings seen": sees_siblings,
        "run signalled": lambda: os.kill(t["pid"], 0),
        "guard of the run's workers signalled": lambda: os.kill(os.getppid(), 0) if os.getppid() > 9 else 1 / 0,
        "memory of the run opened": lambda: open(f"/proc/{t['pid']}/mem", "rb").close(),
        "network reached": lambda: connects(socket.AF_INET, ("127.0.0.1", t["port"])),
        "socket without a file reached": lambda: connects(socket.AF_UNIX, t["abstract"]),
        "journal read by the first process's root": lambda: reads(f"/proc/1/root{t['journal']}"),
        "kernel set": lambda: os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY)),
        "system remounted": lambda: runs(*remount),
        "system remounted further in": lambda: runs("unshare", "-Um", "--map-current-user", *remount),
        "home uncovered": lambda: runs("umount", os.path.expanduser("~")),
        "key of the session read": lambda: finds_key(SESSION, t["key"]),
        "key of the user read by its keyring's number": lambda: finds_key(t["ring"], t["user key"]),
        "key left with the user": lambda: add_key("left", t["ring"]) > 0,
        "keys listed": lambda: open("/proc/keys").read(1) != "",
        "kernel's log read": logged,
        "host of the machine reached": lambda: socket.socket(40, socket.SOCK_STREAM).close(),
        "guard killed": kills_guard,
    }


def succeeded(attack: Callable[[], object]) -> bool:
    try:
        return attack() in (None, True)
    except Exception:
        return False


def pry() -> None:
    """Try everything; leave files where others could find them. Raises RuntimeError with the numbers of successes."""
    targets = json.loads(os.environ[VARIABLE])
    found = [str(i) for i, attack in enumerate(attacks(targets).values()) if succeeded(attack)]
    for path in targets["left"]:
        succeeded(lambda path=path: creates(path))  # type: ignore[misc]
    if found:
        raise RuntimeError(f"reached: {' '.join(found)}")


@dataclass(frozen=True)
class Prying:
    name: str = "prying:backend"
    version: str = "1.0"
    can: frozenset[str] = frozenset({"count", "domains"})

    @property
    def accepts(self) -> frozenset[type]:
        from encoders.formula import Cnf

        return frozenset({Cnf})

    def open(self, formula: Any) -> Any:
        from backends.contract import registry

        session = registry.find("pysat:minisat22").open(formula)
        return PryingSession(session)


@dataclass
class PryingSession:
    session: Any

    def ask(self, ask: Any) -> Any:
        pry()
        return self.session.ask(ask)

    def close(self) -> None:
        self.session.close()


def backends() -> list[Prying]:
    return [Prying()]


if __name__ == "__main__":
    if "--version" not in sys.argv:
        Path(sys.argv[1]).read_text()
    try:
        pry()
    except RuntimeError as e:
        sys.exit(str(e))
    print("s SATISFIABLE\nv 1 0")
