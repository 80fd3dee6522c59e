"""Places on cores of this machine, in this process."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from harness.model.contender import Contender
from harness.model.lease import Lease, Place
from harness.model.settings import RunSettings
from harness.running.blocks import LeaseSize
from harness.running.control_groups import maker
from harness.running.cores import Cpus
from harness.running.dealer import Event, Finished, Joined
from harness.running.environment import temporary_folder
from harness.running.place import LeaseRunner, facts, wait_all, workers_of_place
from harness.running.reaper import Reaper
from harness.running.workers.run_context import Keep, MakeChecker, Notify, OpenState, RunContext, ignore
from puzzles.closing import Closing

if TYPE_CHECKING:
    from harness.running.workers.sandboxes import Sandboxes


class LocalPlaces(Closing):
    """Engine whose places have cores of this machine, () for any. It has to be closed.

    `notify` receives reasons for slow openings, `progress` numbers of new outcomes.
    """

    lease_size = LeaseSize()

    def __init__(
        self,
        contenders: Sequence[Contender],
        settings: RunSettings,
        every: Sequence[Cpus] = ((),),
        notify: Notify = ignore,
        progress: Callable[[int], object] = int,
        checker: MakeChecker | None = None,
        sandboxes: "Sandboxes | None" = None,
        keep: Keep | None = None,
    ) -> None:
        self.progress, self.settings = progress, settings
        self.reaper = Reaper(temporary_folder(), maker(settings.memory, settings.peak))
        self.states = [OpenState(settings.warmup) for _ in contenders]
        workers = workers_of_place(len(every))
        context = RunContext(contenders, settings, self.states, self.reaper, notify, workers, checker, sandboxes, keep)
        self.cpus = {f"job {job + 1}": cpus for job, cpus in enumerate(every)}
        self.runners = {place: LeaseRunner(context, cpus, len(every) == 1) for place, cpus in self.cpus.items()}
        self.joining = list(self.cpus)
        self.tickets: dict[str, int] = {}

    def facts(self, place: str) -> Place:
        """Return a place as the journal stores it."""
        return facts(self.cpus[place], self.settings.pass_env, self.settings.salt)

    def assign(self, place: str, ticket: int, lease: Lease) -> None:
        """Begin a lease at a place."""
        self.tickets[place] = ticket
        self.runners[place].begin(lease)

    def events(self) -> Iterator[Event]:
        """Wait until a lease is complete; at first all places join."""
        yield from map(Joined, self.joining)
        found = bool(self.joining)
        self.joining = []
        while not found:
            for place in list(self.tickets):
                if (result := self.runners[place].advance(self.progress)) is not None:
                    found = True
                    yield Finished(place, self.tickets.pop(place), result)
            if not found:
                wait_all(list(self.runners.values()))

    def opened(self) -> list[OpenState]:
        """Return the reports of the workers of each contender."""
        return self.states

    def dismiss(self, place: str) -> None:
        """Places of this process are never dismissed."""
        raise AssertionError(place)

    def close(self) -> list[Finished]:
        """End all workers; return the partial results of running leases."""
        parts = [(place, runner.close()) for place, runner in self.runners.items()]
        self.reaper.close()
        return [Finished(place, self.tickets[place], part) for place, part in parts if part is not None]
