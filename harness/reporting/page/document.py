"""The page as one html file: data, script and style, and a policy that permits only these, and no network."""

import base64
import hashlib
from importlib.resources import files

POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; img-src data: blob:;"
    " base-uri 'none'; form-action 'none'"
)
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Crosscheck report</title>
<style>{style}</style>
</head>
<body>
<main><noscript>This report needs JavaScript, which draws it from the data in this file.</noscript></main>
<script type="application/octet-stream" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def document(data: bytes) -> str:
    """Return the page with this data, a packed container."""
    static = files("harness.reporting.page") / "static"
    script, style = ((static / name).read_text(encoding="utf-8").strip() for name in ("page.js", "page.css"))
    policy = POLICY.format(script=sha256(script), style=sha256(style))
    packed = base64.b64encode(data).decode()
    return PAGE.format(policy=policy, style=style, script=script, data=packed)


def sha256(text: str) -> str:
    """Return the digest of an inline element's text, in the form of a content security policy."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
