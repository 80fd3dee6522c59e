"""Speed-ups of cores on the page are those of `report --matrix cores --json`."""

from pathlib import Path

from harness.reporting.views.scaling import scaling, scaling_table
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.browser.conftest import Open
from tests.browser.journals import written
from tests.reporting.test_scaling import scaled


def test_speed_ups_are_those_of_the_report(open_page: Open, tmp_path: Path) -> None:
    path = scaled(tmp_path / "j.sqlite", 0.5)
    with open_journal(path) as journal:
        results = Run(journal).rejudge().results()
        rows = scaling_table(results, scaling(results)).records()
    page = open_page(written(path)).page
    shown = page.locator("#scaling [data-field=speed-up]").evaluate_all("cells => cells.map((c) => +c.dataset.value)")
    assert shown == [row["speed-up"] for row in rows]
    assert "cpsat, 4 cores, unsat" in page.locator("#scaling svg text").all_text_contents()
