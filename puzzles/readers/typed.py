"""How people and their programs type boards: frames of box-drawing characters, and fields between commas or tabs."""

FRAMES = dict.fromkeys(range(9472, 9600), "+")  # the block Box Drawing
FRAMES |= (
    {ord(c): "|" for c in "│┃║┆┇┊┋╎╏"} | {ord(c): "-" for c in "─━═┄┅┈┉╌╍"} | {0xA0: " "}
)  # and the no-break space
WIDEST = 3  # characters of a field: a number


def plain(raw: str) -> str:
    """A line with its frame in ASCII, and its fields, if commas or tabs part them, as words: '.' where one is empty."""
    if not raw.isascii():
        raw = raw.translate(FRAMES)
    if "," in raw and not any(c in raw for c in " \t|:"):
        return words(raw.split(","), raw)
    if "\t" in raw:
        return words([field.strip() for field in raw.split("\t")], raw)
    return raw


def words(fields: list[str], raw: str) -> str:
    """Fields as words, or the line as it was where they are no squares' marks."""
    if len(fields) < 4 or max(map(len, fields)) > WIDEST:
        return raw
    return " ".join(field or "." for field in fields)
