"""The page from disk, without a network: what it asks for, what it reports, and what axe finds, in each look."""

from pathlib import Path
from typing import Any

import pytest

from harness.storing.journal import open_journal
from tests.browser.conftest import Open
from tests.browser.journals import Made, written
from tests.journals import make, noisy

SERIOUS = ("serious", "critical")


def findings(page: Any) -> list[str]:
    """Return what axe finds that is serious: rule, help, and the elements."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing")
    found = axe.Axe().run(page).response["violations"]
    return [f"{v['id']}: {v['help']}: {[n['html'][:200] for n in v['nodes']]}" for v in found if v["impact"] in SERIOUS]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_asks_for_nothing_but_its_file_and_axe_finds_nothing_serious(
    open_page: Open, small: Made, scheme: str
) -> None:
    found = open_page(small, color_scheme=scheme)
    assert found.page.evaluate("document.documentElement.dataset.theme") == scheme
    assert findings(found.page) == []
    found.page.click("#filters summary")
    found.page.evaluate("location.hash = 'where=*%3Dwrong&search=made'")
    found.page.wait_for_selector(".chips button")
    found.settle()
    found.click("#agreement .long a")
    found.click("#details .outcomes button")
    found.page.evaluate("document.querySelectorAll('.figure details').forEach(e => { e.open = true })")
    found.settle()
    assert findings(found.page) == []
    assert found.requests == [small.page.as_uri()]
    assert found.said == []


def test_print_is_light_and_has_all_of_the_page(open_page: Open, small: Made) -> None:
    found = open_page(small, color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert found.page.evaluate(ground) == "rgb(21, 24, 27)"
    found.page.emulate_media(media="print")
    assert found.page.evaluate(ground) == "rgb(255, 255, 255)"
    shown = "document.querySelector('#filters .controls').checkVisibility()"
    assert not found.page.evaluate(shown)
    found.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert found.page.locator("#instances .printed tbody tr").count() == len(small.names)
    assert found.page.locator("main section h2").count() >= 9
    found.page.evaluate("dispatchEvent(new Event('afterprint'))")
    found.page.emulate_media(media="screen")
    found.settle()
    assert found.page.evaluate(ground) == "rgb(21, 24, 27)"
    assert found.page.locator("#instances .grid .line").count() > 5
    assert (found.requests, found.said) == ([small.page.as_uri()], [])


@pytest.mark.parametrize(
    ("state", "said"),
    [("running", "killed, or still running: partial results"), ("interrupted", "interrupted: partial results")],
)
def test_the_top_of_a_page_says_that_its_run_is_not_complete(
    open_page: Open, tmp_path: Path, state: str, said: str
) -> None:
    journal = make(tmp_path / "part.sqlite", {"cpsat": noisy(1, 1, 9)}, limit=10.0)
    assert "partial" not in open_page(written(journal)).page.inner_text("header")
    with open_journal(journal, write=True) as opened:
        opened.facts.put(state=state)
    found = open_page(written(journal)).page
    assert f"part.sqlite ({said})" in found.inner_text("header")
    assert found.inner_text("#run [data-field='settings.state']") == said


@pytest.mark.parametrize("width", [400, 1000, 1400, 1920])
def test_plots_are_as_wide_as_the_paper_whatever_the_window(open_page: Open, small: Made, width: int) -> None:
    found = open_page(small, viewport={"width": width, "height": 900})
    drawn = "all => Math.max(...all.map(canvas => canvas.getBoundingClientRect().width))"
    plots, paper = "#cactus canvas, #ecdf canvas", 960  # the widest plot, less than an A4 page is long
    prepare = "dispatchEvent(new Event('beforeprint')); await null"  # no frame comes before the printer looks
    at_once = f"async () => {{ {prepare}; return ({drawn})([...document.querySelectorAll('{plots}')]) }}"
    assert found.page.evaluate(at_once) == pytest.approx(min(width, paper), abs=1)
    found.page.emulate_media(media="print")
    assert found.page.eval_on_selector_all(plots, drawn) == pytest.approx(min(width, paper), abs=30)


def test_the_policy_stops_what_a_page_could_ask_for(open_page: Open, small: Made) -> None:
    found = open_page(small)
    script = "fetch('https://example.org/').then(() => 'loaded', error => 'refused')"
    assert found.page.evaluate(script) == "refused"
    found.page.evaluate("document.body.append(Object.assign(new Image(), {src: 'https://example.org/x.png'}))")
    found.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b onclick=\"document.title=1\" id=b>b</b>')")
    found.page.evaluate("document.getElementById('b').click()")
    assert found.page.title() == f"Crosscheck: {small.summary['journal']}"
    found.until(lambda: len([text for text in found.said if "Content Security Policy" in text]) >= 3)
    found.until(lambda: found.failed == {"https://example.org/x.png": "csp"})
