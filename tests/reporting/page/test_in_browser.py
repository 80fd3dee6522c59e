"""The page in Chromium: figures, filters, addresses, keyboard, and text of others."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.commands.html import write_page
from harness.reporting.summary import summarise
from harness.runs.runner import Run
from harness.storing.journal import open_journal
from tests.conftest import ROOT
from tests.journals import make, puzzle
from tests.reporting.page.fixture import NAMES

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
CHROMIUM = shutil.which("chromium")
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
SHOWN = "#filters .count"
WORDS = {"class": "document.activeElement.className", "id": "document.activeElement.id"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return a page of hostile names, many of them undecided, and its summary."""
    folder = tmp_path_factory.mktemp("page")
    names = [f"{name}{k or ''}" for k in range(10) for name in NAMES]
    seconds = np.linspace(0.001, 9, len(names))[None]
    times = {"a": seconds, "<b onclick=alert(1)>": seconds[:, ::-1] / 3, "pysat:cadical195/extended": seconds / 2}
    odd = {"a": {"undecided": list(range(40, 50))}, "pysat:cadical195/extended": {"crashed": [7], "unsatisfiable": [9]}}
    boards = [replace(puzzle(i), name=name) for i, name in enumerate(names)]
    make(folder / "made.sqlite", times, puzzles=boards, odd=odd, command=["run", "made", "-t", "10"])
    with open_journal(str(folder / "made.sqlite"), write=True) as journal:
        journal.db.execute("update corpora set path = ?", (json.dumps("/my puzzles/made"),))
    with open_journal(str(folder / "made.sqlite")) as journal:
        results = Run(journal).rejudge().results()
        write_page(str(folder / "page.html"), [results])
        return folder / "page.html", json.loads(json.dumps(summarise(results)))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, made: tuple[Path, dict[str, Any]]) -> Iterator[Any]:
    """Yield the page, opened from disk; at the end, it has asked for nothing and complained of nothing."""
    context = browser.new_context(viewport={"width": 1300, "height": 900}, bypass_csp=False)
    page = context.new_page()
    unwanted: list[str] = []
    page.on("console", lambda message: unwanted.append(message.text))
    page.on("pageerror", lambda error: unwanted.append(str(error)))
    page.on("dialog", lambda dialog: unwanted.append(dialog.message))
    page.on("request", lambda request: unwanted.append(request.url))
    page.set_default_timeout(20_000)
    open_page(page, made[0].as_uri())
    yield page
    context.close()
    own = (made[0].as_uri(), "data:", "blob:")
    assert [text for text in unwanted if not text.startswith(own)] == []


def open_page(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#run dl", state="attached")


def value_at(entry: dict[str, Any], field: str) -> Any:
    found: Any = entry
    for key in field.split("."):
        found = found[key]
    return found


def cells(page: Any) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.eval_on_selector_all(
        "#summary td[data-field]", "all => all.map(e => ({...e.dataset}))"
    )
    return found


def test_every_figure_of_the_page_equals_the_summary(page: Any, made: tuple[Path, dict[str, Any]]) -> None:
    summary = made[1]
    by_name = {c["name"]: c for c in summary["contenders"]}
    checked = 0
    for cell in cells(page):
        if cell["field"] == "ratio":
            continue
        expected = value_at(by_name[cell["contender"]], cell["field"])
        assert (float(cell["value"]) if "value" in cell else None) == expected, cell
        checked += 1
    assert checked >= 3 * 13
    figures = page.eval_on_selector_all(
        "#agreement [data-field]", "all => all.map(e => [e.dataset.field, e.dataset.value])"
    )
    assert {field for field, _ in figures} >= {"agreement.agreed", "agreement.shown", "agreement.verified"}
    for field, value in figures:
        assert float(value) == value_at(summary, field), field


def test_a_count_is_a_link_to_as_many_instances(page: Any) -> None:
    every, linked = len(NAMES) * 10, page.locator("#summary td:has(a)")
    assert linked.count() >= 6
    for k in range(linked.count()):
        count = linked.nth(k).locator("a").inner_text()
        assert linked.nth(k).get_attribute("data-value") == count
        linked.nth(k).locator("a").click()
        assert page.inner_text(SHOWN).split()[0] == count
        assert page.locator("#summary .filtered").count() == (int(count) < every)
        page.click(".chips button")


def test_an_address_brings_the_view_back(page: Any) -> None:
    page.fill("input[type=search]", NAMES[1])
    page.click("#filters summary")
    page.select_option("select[aria-label=Outcome]", "solved")
    page.click("#filters button:text('Add')")
    page.fill("input[aria-label='Seconds at most']", "4")
    page.click("#filters button:text('Set')")
    page.click(".head [role=columnheader] >> nth=0")
    address, shown, chips = page.url, page.inner_text(SHOWN), page.locator(".chips li").all_inner_texts()
    first = page.inner_text(".grid [data-row='0']")
    page.reload()
    page.wait_for_selector("#run dl", state="attached")
    assert (page.url, page.inner_text(SHOWN), page.locator(".chips li").all_inner_texts()) == (address, shown, chips)
    assert page.inner_text(".grid [data-row='0']") == first
    page.locator(".chips button").last.click()
    page.go_back()
    assert page.inner_text(SHOWN) == shown


def test_all_is_done_by_keyboard(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate(WORDS["class"]) == "skip"
    page.focus("#instances .controls button")
    page.keyboard.press("Tab")
    assert page.evaluate(WORDS["class"]) == "grid"
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    assert page.get_attribute(".grid", "aria-activedescendant") == "cell-2-1"
    page.keyboard.press("Control+End")
    last = page.inner_text(".grid .line:has(.active) .first")
    page.keyboard.press("Enter")
    assert page.evaluate(WORDS["id"]) == "details-title"
    assert page.inner_text("#details h3") == last
    page.keyboard.press("Escape")
    assert not page.is_visible("#details")
    assert page.evaluate(WORDS["class"]) == "grid"


def test_details_show_the_instance_and_each_outcome(page: Any, made: tuple[Path, dict[str, Any]]) -> None:
    page.click(".grid [data-row='7'] .first")
    assert "made:</script><img" in page.inner_text("#details h3")
    states = page.eval_on_selector_all("#details [data-field=state]", "all => all.map(e => e.dataset.value)")
    assert sorted(states) == ["decided", "decided", "error"]
    page.click("#details button:text('run again') >> nth=0")
    assert "python -m harness" in page.inner_text("#details .copyable >> nth=0")


def test_names_of_others_are_text(page: Any) -> None:
    assert page.locator("img, b[onclick]").count() == 0
    text = page.inner_text(".grid")
    assert "</script><img" in text
    assert "\\u202egnp" in text
    assert "\u202e" not in page.inner_text("body")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_view_is_saved_as_csv(page: Any, tmp_path: Path) -> None:
    page.fill("input[type=search]", "gnp")
    with page.expect_download() as download:
        page.click("text=Download as CSV")
    download.value.save_as(tmp_path / "view.csv")
    lines = (tmp_path / "view.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + int(page.inner_text(SHOWN).split()[0]) == 11
    assert all(re.match(r"made:\\u202egnp\d*,", line) for line in lines[1:])


def test_the_printed_page_has_all_parts_in_light_colours(page: Any) -> None:
    page.select_option("select[data-focus=theme]", "dark")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("#instances table.printed tbody tr").count() == len(NAMES) * 10
    assert not page.is_visible("nav")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.is_visible(".grid")


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core: npm ci in web/")
@pytest.mark.parametrize(("theme", "rules"), [("light", None), ("dark", ["color-contrast"])])
def test_axe_finds_nothing_serious(browser: Any, made: tuple[Path, Any], theme: str, rules: list[str] | None) -> None:
    context = browser.new_context(viewport={"width": 1300, "height": 900}, color_scheme=theme, bypass_csp=True)
    page = context.new_page()
    open_page(page, f"{made[0].as_uri()}#open=made%3A1")
    page.add_script_tag(path=str(AXE))
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    context.close()
    assert [
        (v["id"], [n["html"][:100] for n in v["nodes"]]) for v in found if v["impact"] in ("serious", "critical")
    ] == []
