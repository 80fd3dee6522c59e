"""Binary proofs for tests and benchmarks, made from text."""


def number(x: int) -> bytes:
    """Return a number in groups of seven bits, lowest first, its sign in the lowest bit."""
    code, groups = 2 * abs(x) + (x < 0), bytearray()
    while code > 127:
        groups.append(code & 127 | 128)
        code >>= 7
    return bytes([*groups, code])


def binary(text: bytes) -> bytes:
    """Return a proof of DRAT or LRAT, which is one step per line, in binary form."""
    steps = []
    for words in map(bytes.split, text.splitlines()):
        deletes = b"d" in words[:2]
        numbers = words[words.index(b"d") + 1 :] if deletes else words
        steps.append((b"d" if deletes else b"a") + b"".join(number(int(word)) for word in numbers))
    return b"".join(steps)
