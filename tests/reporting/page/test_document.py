"""The html of the page: its policy, its size, and text of others in it."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

from harness.reporting.page.document import document
from tests.conftest import ROOT

PAGE = document(b"data")


class Elements(HTMLParser):
    """Elements and attributes of a document, as a browser's parser sees them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def inline(tag: str) -> str:
    """Return the text of the inline element that runs."""
    found: list[str] = re.findall(f"<{tag}>(.*?)</{tag}>", PAGE, re.DOTALL)
    return found[-1]


def policy() -> dict[str, str]:
    found = next(a["content"] for _, a in Elements(PAGE).found if a.get("http-equiv") == "Content-Security-Policy")
    assert found is not None
    return dict(part.strip().split(" ", 1) for part in found.split(";"))


def test_the_policy_permits_this_script_and_style_alone_and_no_network() -> None:
    found = policy()
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        digest = base64.b64encode(hashlib.sha256(inline(tag).encode()).digest()).decode()
        assert found.pop(directive) == f"'sha256-{digest}'"
    assert found.pop("img-src") == "data: blob:"
    assert found == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}


def test_the_page_names_no_other_file_and_no_host() -> None:
    for tag, attributes in Elements(PAGE).found:
        assert not {"src", "href", "style", "onload"} & set(attributes), tag
    assert "import(" not in inline("script")
    assert "url(" not in inline("style")


def test_the_page_without_data_takes_at_most_150_kb() -> None:
    assert len(document(b"").encode()) <= 150_000


def test_the_page_contains_nobody_elses_code() -> None:
    package = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    assert "dependencies" not in package


def test_the_wheel_has_the_static_files() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert '"harness.reporting.page" = ["static/*"]' in text
    assert {p.name for p in Path(ROOT / "harness/reporting/page/static").iterdir()} == {"page.js", "page.css"}
