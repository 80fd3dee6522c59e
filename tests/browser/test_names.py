"""Names and texts in a journal that would do harm: as markup, as a formula, by their direction or length."""

import csv
import io

from harness.reporting.writing.printable import printable
from tests.browser.conftest import Open
from tests.browser.journals import HOSTILE, Made

NARROW = {"width": 360, "height": 900}
TEXT = (
    "document.body.textContent + [...document.querySelectorAll('*')].flatMap(e => [...e.attributes].filter(a => "
    "['title', 'aria-label', 'placeholder'].includes(a.name)).map(a => a.value)).join(' ')"
)
WIDTH = "document.documentElement.scrollWidth"


def test_no_name_is_run_or_becomes_an_element(open_page: Open, hostile: Made) -> None:
    found = open_page(hostile)
    scripts = found.page.locator("script").count()
    for name in (*hostile.names, "no such instance <b>"):
        found.page.evaluate("name => { location.hash = `open=${encodeURIComponent(name)}` }", name)
        found.page.wait_for_selector("#details:not([hidden])")
        found.settle()
    found.page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    found.page.evaluate("document.querySelectorAll('#details button[aria-expanded]').forEach(e => e.click())")
    found.page.wait_for_timeout(50)
    assert found.page.evaluate("document.querySelectorAll('img, iframe, object, embed, [onerror]').length") == 0
    assert found.page.locator("script").count() == scripts
    text = found.page.evaluate(TEXT)
    assert HOSTILE[0] in text
    assert not [mark for mark in "\u202e\u2066\u2069" if mark in text]
    assert "\\u202egnp.exe" in text
    assert (found.requests, found.said) == ([hostile.page.as_uri()], [])


def test_long_names_do_not_widen_a_narrow_page(open_page: Open, hostile: Made) -> None:
    found = open_page(hostile, viewport=NARROW)
    assert found.page.evaluate(WIDTH) <= NARROW["width"]
    found.page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    for name in (HOSTILE[0], f"made:{HOSTILE[5]}", HOSTILE[4]):
        found.page.evaluate(
            "name => { location.hash = `search=made&where=*=error&open=${encodeURIComponent(name)}` }", name
        )
        found.settle()
        assert found.page.evaluate(WIDTH) <= NARROW["width"]
        details = found.page.locator("#details")
        assert details.evaluate("e => e.scrollWidth - e.clientWidth") <= 0


def test_csv_of_the_view_has_no_formulas(open_page: Open, hostile: Made) -> None:
    found = open_page(hostile, "#sort=-name")
    with found.page.expect_download() as download:
        found.page.click("[data-focus=csv]")
    text = download.value.path().read_text(encoding="utf-8")
    rows = list(csv.reader(io.StringIO(text)))
    assert len(rows) == len(hostile.names) + 1
    assert {row[0] for row in rows[1:]} == {f"'{n}" if n[0] == "=" else printable(n) for n in hostile.names}
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]
    assert "'=cmd() state" in rows[0]
    assert not [mark for mark in "\u202e\u2066\u2069" if mark in text]


def test_svg_of_a_plot_holds_names_as_text(open_page: Open, hostile: Made) -> None:
    found = open_page(hostile)
    with found.page.expect_download() as download:
        found.page.click("[data-focus=svg-cactus]")
    text = download.value.path().read_text(encoding="utf-8")
    parse = """text => new DOMParser().parseFromString(text, 'image/svg+xml')
        .querySelectorAll('parsererror, script, img').length"""
    assert found.page.evaluate(parse, text) == 0
    assert "backend0[x=&lt;/script&gt;" in text
    assert not [mark for mark in "\u202e\u2066\u2069" if mark in text]
