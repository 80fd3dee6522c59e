"""Pages of the site as static HTML without scripts: the front page, and a page for each series of journals."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from harness.reporting.page.document import sha256
from harness.reporting.site.drawing import Line
from harness.reporting.site.facts import Facts, moment, report_of
from harness.reporting.site.history import History
from harness.reporting.writing.numbers import format_number, format_seconds
from harness.reporting.writing.printable import printable
from puzzles.errors import plural

NUMBER = re.compile(r"[\d.,/]+( [a-z]+)?")  # with its unit
MOST_RANKED = 10  # contenders of a series on the front page
MOST_CALLS = 30  # calls on the front page
STYLE = (
    ":root{color-scheme:light dark}body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin:2rem 0 .3rem}h3{font-size:1rem;margin:1.2rem 0 .2rem}"
    "table{border-collapse:collapse;display:block;overflow-x:auto}th,td{padding:.15rem .7rem .15rem 0;text-align:left;"
    "white-space:nowrap}td.n{text-align:right}th{font-weight:600;border-bottom:1px solid #8888}"
    "svg{width:100%;height:auto;max-width:40rem}path{fill:none;stroke:currentColor;stroke-width:1.5}"
    "path.open{stroke-dasharray:2 4;opacity:.6}circle{fill:currentColor}.worse{fill:#c5221f;color:#c5221f}"
    ".better{fill:#188038;color:#188038}small{opacity:.75}"
)
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


def text(value: object) -> str:
    """Return a value as text of HTML."""
    return escape(printable(str(value)), quote=True)


def link(target: str, shown: object) -> str:
    """Return a link to a page of the site."""
    return f'<a href="{text(target)}">{text(shown)}</a>'


def page(title: str, body: Iterable[str]) -> str:
    """Return a page."""
    return PAGE.format(title=text(title), style=STYLE, digest=sha256(STYLE), body="\n".join(body))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are HTML; numbers are aligned to the right."""
    head = "".join(f"<th>{text(h)}</th>" for h in heads)
    lines = ("".join(cell(c) for c in row) for row in rows)
    return f"<table><tr>{head}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def cell(html: str) -> str:
    """Return one cell."""
    return f'<td class="n">{html}</td>' if NUMBER.fullmatch(html) else f"<td>{html}</td>"


def front_page(every: Sequence[History]) -> str:
    """Return the front page: the latest ranking of each series, and the latest calls."""
    number = sum(len(of.journals) for of in every)
    body = [f"<p>{plural(number, 'journal')}, {len(every)} series. Times are compared between neighbours alone.</p>"]
    for of in every:
        body += latest(of)
    body += ["<h2>Calls</h2>", calls_table([row for of in every for row in calls(of)])]
    return page("Crosscheck results", body)


def latest(of: History) -> list[str]:
    """Return the part of the front page on a series."""
    now = of.journals[-1]
    rows = [ranked(of, c) for c in now["contenders"][:MOST_RANKED]]
    more = len(now["contenders"]) - MOST_RANKED
    counted = f"{plural(now['puzzles'], 'puzzle')}, {plural(len(of.journals), 'run')}"
    about = f"{counted}, the latest {now['date']} {now['commit']}"
    return [
        f"<h2>{link(of.page, of.title)}</h2>",
        f"<p>{text(now['sentence'])} <small>({text(now['clock'])})</small></p>",
        table(("rank", "contender", "solved", "PAR-2", "version", "since the last run"), rows),
        f"<p><small>{text(about)}{text(f'; {more} more contenders') if more > 0 else ''};"
        f" {link(report_of(now), 'report')}</small></p>",
    ]


def ranked(of: History, c: Facts) -> list[str]:
    """Return the row of a contender in the latest ranking."""
    change = Line(of, c["name"]).change(len(of.journals) - 1)
    wrong = f' <span class="worse">{c["wrong"]} wrong</span>' if c["wrong"] else ""
    return [
        text("-" if c["rank"] is None else c["rank"]),
        text(c["name"]),
        text(f"{c['solved']:,}/{c['asked']:,}") + wrong,
        text("-" if c["score"] is None else format_seconds(c["score"])),
        text(c["version"]),
        change_text(change) if change else "first",
    ]


def change_text(change: Facts) -> str:
    """Return a verdict, which tells what was lost and wrong, and the ratio of its call; coloured if it is called."""
    kind = "worse" if change["exit"] in (1, 3) else "better" if change["call"] == "improved" else ""
    ratio = (
        f" {format_number(change['ratio'])}x" if change["ratio"] and change["call"] in ("regressed", "improved") else ""
    )
    return f'<span class="{kind}">{text(change["verdict"] + ratio)}</span>'


def calls(of: History) -> list[list[str]]:
    """Return the rows of all calls of a series, each after its date."""
    rows = []
    for i, journal in enumerate(of.journals):
        for name in of.names:
            change = Line(of, name).change(i)
            if change and (change["exit"] in (1, 3) or change["call"] == "improved"):
                where = link(report_of(journal), moment(journal))
                rows.append([journal["date"], where, link(of.page, of.title), text(name), change_text(change)])
    return rows


def calls_table(rows: Sequence[Sequence[str]]) -> str:
    """Return the latest calls, the newest first."""
    some = sorted(rows, key=lambda row: row[0], reverse=True)
    if not some:
        return "<p>No run was called better or worse than the one before it.</p>"
    more = f"<p><small>and {len(some) - MOST_CALLS} earlier ones</small></p>" * (len(some) > MOST_CALLS)
    return table(("run", "series", "contender", "call"), [row[1:] for row in some[:MOST_CALLS]]) + more


def series_page(of: History) -> str:
    """Return the page of a series: each contender's line over time, and all runs."""
    body = [f"<p>{link('index.html', 'all results')}</p>", f"<p>{text(of.journals[-1]['sentence'])}</p>"]
    body += [
        "<p><small>A line is the time relative to the first run; up is slower. It changes where <code>compare</code>"
        " calls a change between neighbours, and nowhere else; it is dotted where the call is open.</small></p>"
    ]
    for name in of.names:
        line = Line(of, name)
        body += [f"<h3>{text(name)}</h3>", f"<p><small>{text(line.words())}</small></p>", line.svg()]
    heads = ("run", "commit", "version", "machine", "first place", "against the run before")
    body += ["<h2>Runs</h2>", table(heads, [run_row(of, i) for i in reversed(range(len(of.journals)))])]
    return page(of.title, body)


def run_row(of: History, i: int) -> list[str]:
    """Return the row of a run."""
    journal = of.journals[i]
    known = of.changes.get(journal["id"])
    state = "" if journal["state"] == "complete" else f" ({journal['state']})"
    return [
        link(report_of(journal), journal["date"] + state),
        *(text(journal[key] or "-") for key in ("commit", "version", "machine", "sentence")),
        against(known),
    ]


def against(known: dict[str, Any] | None) -> str:
    """Return the call of a comparison in one cell."""
    if known is None:
        return "first"
    if known["why"]:
        return text(f"not compared: {known['why']}")
    found = [c["verdict"] for c in known["contenders"].values()]
    words = [f"{found.count(word)} {word}" for word in dict.fromkeys(found)]
    kind = "worse" if known["exit"] in (1, 3) else ""
    return f'<span class="{kind}">{text(", ".join(words))}</span>'
