"""Things that have to be closed, which a `with` statement does."""

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """Base of what holds processes or files until it is closed."""

    @abstractmethod
    def close(self) -> object:
        """Release all that is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
