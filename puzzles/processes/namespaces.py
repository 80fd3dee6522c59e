"""Calls of Linux that set a process apart: namespaces, mounts, capabilities.

A process moves to a user namespace of its own, in which it may mount, and is still the same user. Its next child begins
a pid namespace: it sees no process outside, and whatever is below it ends with it. `give_up_rights` makes all of this
final.
"""

import ctypes
import fcntl
import os
import socket
import struct

NEW_MOUNTS, NEW_NAMES, NEW_IPC = 0x00020000, 0x04000000, 0x08000000  # CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC
NEW_USERS, NEW_PIDS, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
NO_SETUID, NO_DEVICES, REMOUNT, BIND, RECURSIVE, SLAVE = 2, 4, 32, 1 << 12, 1 << 14, 1 << 19  # MS_*
READ_ONLY = 1  # MOUNT_ATTR_RDONLY; those of NOSUID and NODEV are as MS_*
DETACH = 2  # MNT_DETACH
MOUNT_SETATTR, AT_RECURSIVE, AT_HERE = 442, 0x8000, -100  # the same number on every architecture
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "loongarch64": 41, "ppc64le": 203, "s390x": 217}
DROP_CAPABILITY, NO_NEW_PRIVILEGES, CAPABILITIES = 24, 38, 64  # PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS
CAPABILITY_VERSION = 0x20080522
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP


def call(name: str, *arguments: object) -> None:
    """Call a function of the C library. Raises OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def keep_identity(user: int, group: int) -> None:
    """Make this process the same user in the user namespace that it has just moved to. Raises OSError."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def mount(source: str, target: str, kind: str | None = None, flags: int = 0, options: str = "") -> None:
    """Mount a file system, or bind a file or folder. Raises OSError that names the target."""
    words = (os.fsencode(source), os.fsencode(target), kind.encode() if kind else None)
    try:
        call("mount", *words, ctypes.c_ulong(flags), os.fsencode(options) or None)
    except OSError as e:
        raise OSError(e.errno, f"mount {target}: {os.strerror(e.errno or 0)}") from None


def set_flags(target: str, on: int, off: int = 0, recursive: bool = False) -> None:
    """Set and clear flags of a mount, or of all below a folder (Linux 5.12). Raises OSError."""
    flags = struct.pack("=QQQQ", on, off, 0, 0)
    where = AT_RECURSIVE if recursive else 0
    call("syscall", MOUNT_SETATTR, AT_HERE, os.fsencode(target), where, flags, ctypes.c_size_t(len(flags)))


def change_root(root: str, folder: str) -> None:
    """Make a mount the root of this process, go to a folder in it, and lose the old root. Raises OSError."""
    os.chdir(root)
    number = PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(0, f"pivot_root: unknown on {os.uname().machine}")
    call("syscall", number, b".", b".")
    call("umount2", b".", DETACH)
    os.chdir(folder)


def raise_loopback() -> None:
    """Bring up the loopback of a new network namespace, which has no other device. Raises OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        request = fcntl.ioctl(link, GET_FLAGS, struct.pack("16sH14x", b"lo", 0))
        (flags,) = struct.unpack_from("H", request, 16)
        fcntl.ioctl(link, SET_FLAGS, struct.pack("16sH14x", b"lo", flags | UP))


def give_up_rights() -> None:
    """Drop all capabilities, for whatever this process executes too. Raises OSError.

    In a further user namespace it would have them again, but mounts that come from outside are locked there.
    """
    call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    library = ctypes.CDLL(None)
    for number in range(CAPABILITIES):
        library.prctl(DROP_CAPABILITY, number, 0, 0, 0)  # fails beyond the last one
    call("capset", struct.pack("=Ii", CAPABILITY_VERSION, 0), bytes(24))
