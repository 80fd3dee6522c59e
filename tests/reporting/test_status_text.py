"""Text of a cluster while runs go on."""

from harness.reporting.machines.status_text import duration, text
from harness.running.engines.status import ClusterStatus, PlaceStatus, RunStatus


def place(name: str, lease: str = "", since: int = 0) -> PlaceStatus:
    """Return a place of a machine."""
    return PlaceStatus(name, "node1", 2, lease, since, 5, 34)


def test_a_look_shows_leases_refusals_idle_and_silent_places_and_the_expected_end() -> None:
    places = (place("b"), place("a\x1b[2J", "instance 7, repeat 1, 3 contenders", 75))
    run = RunStatus("j.sqlite", 400, 100, 60, places, ("place-c: numpy: 1 here, 2 there",))
    shown = text(ClusterStatus("tls://h:1", {"place-b": 0.1, "place-c": 12.0, "place-d": 0.0}, (run,))).splitlines()
    assert shown[0] == "scheduler at tls://h:1: 3 places, 1 run"
    assert shown[2] == "j.sqlite: 100 of 400 outcomes (25%) in 1 min, about 3 min left"
    assert shown[3] == "refused: place-c: numpy: 1 here, 2 there"
    assert [line.split()[:3] for line in shown[6:8]] == [["a\\x1b[2J", "node1", "2"], ["b", "node1", "2"]]
    assert "instance 7, repeat 1, 3 contenders  1 min 15 s" in shown[6]
    assert shown[9::2] == ["in no run: place-c, place-d", "silent: place-c for 12 s"]


def test_durations_have_two_units() -> None:
    assert [duration(s) for s in (0.4, 59, 60, 3661, 90_000, 7200)] == [
        "0 s",
        "59 s",
        "1 min",
        "1 h 1 min",
        "1 d 1 h",
        "2 h",
    ]
