"""Messages of a worker to its parent."""

import json
import os
from typing import Any


class ReplyPipe:
    """Pipe of JSON lines. Each write wakes the parent, so a message that can wait is held, and goes with the next."""

    def __init__(self, fd: int) -> None:
        self.fd, self.held = fd, b""

    def hold(self, **message: Any) -> None:
        """Keep a message until the next one is sent."""
        self.held += json.dumps(message).encode() + b"\n"

    def send(self, **message: Any) -> None:
        """Send the messages that are held, and this one."""
        self.hold(**message)
        self.flush()

    def flush(self) -> None:
        """Send the messages that are held."""
        if self.held:
            os.write(self.fd, self.held)
            self.held = b""
