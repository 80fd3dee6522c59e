"""Normalise typed boards: box-drawing frames to ASCII, comma- or tab-separated fields to words."""

FRAMES = dict.fromkeys(range(9472, 9600), "+")  # the block Box Drawing
FRAMES |= (
    {ord(c): "|" for c in "│┃║┆┇┊┋╎╏"} | {ord(c): "-" for c in "─━═┄┅┈┉╌╍"} | {0xA0: " "}
)  # and the no-break space
MAX_FIELD_CHARS = 3  # characters of a field: a number


def normalise(raw: str) -> str:
    """Return a line with its frame in ASCII and its comma or tab fields as words, '.' for an empty field."""
    if not raw.isascii():
        raw = raw.translate(FRAMES)
    if "," in raw and not any(c in raw for c in " \t|:"):
        return join_fields(raw.split(","), raw)
    if "\t" in raw:
        return join_fields([field.strip() for field in raw.split("\t")], raw)
    return raw


def join_fields(fields: list[str], raw: str) -> str:
    """Join fields with spaces, or return the raw line if they can't be marks: too few, or one too long."""
    if len(fields) < 4 or max(map(len, fields)) > MAX_FIELD_CHARS:
        return raw
    return " ".join(field or "." for field in fields)
