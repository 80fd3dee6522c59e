"""A filter of the system calls that reach what belongs to no namespace (seccomp, Linux).

keys     the keyrings of the user: a process reaches them by number, whatever session keyring it has joined, and reads
         and leaves keys there for the user's other processes
syslog   the kernel's log, which has names of processes that crashed
io_uring makes sockets, and is asked by memory, which a filter can't see
sockets  of the families VSOCK and QIPCRTR, which reach the host of a virtual machine, and others on it

Each fails as on a kernel without it. The filter is for a process and all below it, for good.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

SET_FILTER, ALLOW_SPECULATION = (
    1,
    4,
)  # SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW: solvers keep their speed
LOAD, MASK, EQUAL, RETURN = 0x20, 0x54, 0x15, 0x06  # BPF_LD|W|ABS, BPF_ALU|AND, BPF_JMP|JEQ, BPF_RET
NUMBER_AT, MACHINE_AT, FIRST_AT = 0, 4, 16 if sys.byteorder == "little" else 20  # fields of seccomp_data
ALLOW, FAIL = 0x7FFF0000, 0x00050000  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO
NO_X32 = 0xBFFFFFFF  # clears __X32_SYSCALL_BIT
FAMILIES = (40, 42)  # AF_VSOCK, AF_QIPCRTR


class Calls(NamedTuple):
    """Numbers of calls on a kind of machine: its AUDIT_ARCH, the calls that fail, and the call that makes sockets."""

    machine: int
    failing: Sequence[int]
    socket: int


# add_key, request_key, keyctl, syslog, io_uring_setup; of 32 bits also socketcall, whose arguments are in memory
GENERIC = (217, 218, 219, 116, 425)
MACHINES: dict[str, tuple[int, Sequence[Calls]]] = {  # seccomp, and the calls of 64 and of 32 bits
    "x86_64": (
        317,
        (
            Calls(0xC000003E, (248, 249, 250, 103, 425), 41),
            Calls(0x40000003, (286, 287, 288, 103, 425, 102), 359),
        ),
    ),
    "aarch64": (277, (Calls(0xC00000B7, GENERIC, 198), Calls(0x40000028, (309, 310, 311, 103, 425), 281))),
    "riscv64": (277, (Calls(0xC00000F3, GENERIC, 198),)),
    "loongarch64": (277, (Calls(0xC0000102, GENERIC, 198),)),
    "ppc64le": (358, (Calls(0xC0000015, (269, 270, 271, 103, 425, 102), 326),)),
    "s390x": (348, (Calls(0x80000016, (278, 279, 280, 103, 425, 102), 359),)),
}
KEYCTL = {"x86_64": 250, "ppc64le": 271, "s390x": 280}  # 219 elsewhere
JOIN_SESSION = 1  # KEYCTL_JOIN_SESSION_KEYRING


def instruction(code: int, value: int, if_equal: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_equal, otherwise, value)


def failing(value: int, error: int) -> Iterator[bytes]:
    """Yield the instructions that fail with an error if the word that was loaded is a value."""
    yield instruction(EQUAL, value, 0, 1)
    yield instruction(RETURN, FAIL | error)


def section(calls: Calls) -> bytes:
    """Return the instructions for a kind of machine."""
    families = b"".join(part for family in FAMILIES for part in failing(family, errno.EAFNOSUPPORT))
    socket = instruction(LOAD, FIRST_AT) + families
    return b"".join(
        [
            instruction(LOAD, NUMBER_AT),
            instruction(MASK, NO_X32),
            *(part for number in calls.failing for part in failing(number, errno.ENOSYS)),
            instruction(EQUAL, calls.socket, 0, len(socket) // 8),
            socket,
            instruction(RETURN, ALLOW),
        ]
    )


def program(kinds: Sequence[Calls]) -> bytes:
    """Return the filter of a machine; calls of a kind of machine that is not known fail."""
    parts = [instruction(LOAD, MACHINE_AT)]
    for calls in kinds:
        body = section(calls)
        parts += [instruction(EQUAL, calls.machine, 0, len(body) // 8), body]
    return b"".join([*parts, instruction(RETURN, FAIL | errno.ENOSYS)])


def filter_calls() -> None:
    """Let the calls fail from now on, here and in all processes below, which have no new privileges. Raises OSError."""
    machine = os.uname().machine
    if machine not in MACHINES:
        raise OSError(0, f"seccomp: unknown on {machine}")
    number, kinds = MACHINES[machine]
    text = program(kinds)
    buffer = ctypes.create_string_buffer(text, len(text))
    described = struct.pack("@HP", len(text) // 8, ctypes.addressof(buffer))
    library = ctypes.CDLL(None, use_errno=True)
    if library.syscall(number, SET_FILTER, ALLOW_SPECULATION, described) != 0:
        raise OSError(ctypes.get_errno(), f"seccomp: {os.strerror(ctypes.get_errno())}")


def leave_session_keyring() -> None:
    """Join a new session keyring, so that the kernel finds no keys of the user's session for this process.

    Where that is forbidden, `filter_calls` keeps them from it.
    """
    ctypes.CDLL(None).syscall(KEYCTL.get(os.uname().machine, 219), JOIN_SESSION, None)
