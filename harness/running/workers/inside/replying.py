"""Messages of a worker to its parent."""

import json
import os
from typing import Any


class ReplyPipe:
    """Pipe of JSON lines. Each write wakes the parent, so a message that can wait goes with the next."""

    def __init__(self, fd: int) -> None:
        self.fd, self.pending = fd, b""

    def hold(self, **message: Any) -> None:
        """Keep a message until the next one is sent."""
        self.pending += json.dumps(message).encode() + b"\n"

    def send(self, **message: Any) -> None:
        """Send the pending messages, and this one."""
        self.hold(**message)
        self.flush()

    def flush(self) -> None:
        """Send the pending messages."""
        if self.pending:
            os.write(self.fd, self.pending)
            self.pending = b""
