"""Time until a page of `report --html` is usable in Chromium, and what a filter, a sort and a scatter then take.

    python benchmarks/page.py --make big.sqlite --instances 100000
    python -m harness report --html big.html big.sqlite
    python benchmarks/page_browser.py big.html [--beside table.html]

Needs `pip install -e '.[browser]'` and chromium. Usable: the ranking and the first plots are drawn (of another page:
its table has a row). Times are from the start of the navigation, or of the action, to the frame after it, by
performance.now(); CPU time is that of the page's main thread. Each is the least and the median of several rounds.
"""

import argparse
import shutil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OURS = "body:has(.ranking td):has(#cactus canvas):has(#scatter canvas)"
THEIRS = "[role=row] [role=cell], table tbody td"
WATCH = """selector => { (function look() {
    if (document.readyState !== 'loading' && document.querySelector(selector))
        requestAnimationFrame(() => setTimeout(() => { window.usable = performance.now(); }));
    else requestAnimationFrame(look);
})(); }"""
TIMED = """async action => {
    const [selector, kind, value] = action, element = document.querySelector(selector);
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    if (kind === 'click') element.click();
    else { element.value = value; element.dispatchEvent(new Event(kind, { bubbles: true })); }
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
}"""
SETTLED = "body:has(main[aria-busy=false]):not(:has([aria-busy=true]))"
Action = tuple[str, str, str]
SEARCH = "#filters input[type=search]"
ACTIONS: dict[str, tuple[str, list[Action]]] = {  # the part of the page in sight, and what is done
    "filter by name": ("ranking", [(SEARCH, "input", text) for text in ("7", "73", "731", "")]),
    "filter by outcome": (
        "ranking",
        [(".ranking [data-field=solved] a", "click", ""), (".chips button", "click", "")],
    ),
    "sort the table": ("instances", [(f".grid .head [data-column='{k}']", "click", "") for k in (0, 1, 2, 3, 3)]),
    "log to linear scale of the scatter": (
        "scatter",
        [(f"#scatter [data-focus=log-{v}]", "click", "") for v in ("false", "true")],
    ),
}


def opened(browser: "Browser", path: Path, selector: str) -> tuple["Page", float, float]:
    """Open a page; return it with the milliseconds until it is usable, and the CPU time of its main thread in them."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.add_init_script(f"({WATCH})({selector!r})")
    page.set_default_timeout(300_000)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(path.resolve().as_uri(), wait_until="commit")
    page.wait_for_selector(selector, state="attached")
    while not (usable := page.evaluate("window.usable ?? 0")):
        page.wait_for_timeout(10)
    metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    return page, float(usable), metrics["TaskDuration"] * 1000


def show(what: str, found: list[float], unit: str = "ms") -> None:
    print(f"{what}: {min(found):.0f} {unit} at least, median {median(found):.0f} {unit}, of {len(found)}")


def loading(browser: "Browser", path: Path, selector: str, rounds: int) -> None:
    usable, busy = [], []
    for _ in range(rounds):
        page, time, cpu = opened(browser, path, selector)
        usable.append(time)
        busy.append(cpu)
        page.close()
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")
    show("  usable after", usable)
    show("  CPU time of its main thread", busy)


def acting(browser: "Browser", path: Path, rounds: int) -> None:
    page, _, _ = opened(browser, path, OURS)
    page.wait_for_selector(SETTLED)
    for what, (part, actions) in ACTIONS.items():
        page.evaluate(f"document.getElementById('{part}').scrollIntoView()")
        page.wait_for_timeout(500)
        found = []
        for _ in range(rounds):
            for action in actions:
                found.append(page.evaluate(TIMED, action))
                page.wait_for_selector(SETTLED)
        show(f"  {what}", found)
    points = page.get_attribute("#scatter .plot", "aria-label")
    print(f"  {points}")


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--beside", type=Path, help="page of BenchExec's table-generator")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        loading(browser, args.page, OURS, args.rounds)
        acting(browser, args.page, args.rounds)
        if args.beside:
            loading(browser, args.beside, THEIRS, args.rounds)
        browser.close()


if __name__ == "__main__":
    main()
