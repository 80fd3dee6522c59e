"""Arrays that grow in place, so that a large file's numbers are held once, not in parts and again as a whole."""

from typing import Any

import numpy as np
import numpy.typing as npt


class Growing:
    """An array of numbers; `used` is how many there are."""

    def __init__(self, kind: type[np.generic]) -> None:
        self.array: npt.NDArray[Any] = np.empty(0, kind)
        self.used = 0

    def room(self, count: int) -> int:
        """Return the address after the last number, with room for `count` more, until the next call."""
        if self.used + count > len(self.array):
            self.array.resize(self.used + max(count, self.used // 8), refcheck=False)
        return int(self.array.ctypes.data) + self.used * self.array.itemsize

    def append(self, numbers: npt.NDArray[Any]) -> None:
        """Add numbers at the end."""
        self.room(len(numbers))
        self.array[self.used : self.used + len(numbers)] = numbers
        self.used += len(numbers)

    def whole(self) -> npt.NDArray[Any]:
        """Return all numbers; nothing is added after that."""
        self.array.resize(self.used, refcheck=False)
        return self.array
