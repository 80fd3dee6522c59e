"""Numbers as people read them: three digits, and a unit."""


def format_seconds(value: float | None) -> str:
    """Format a time with three digits and a unit, such as 1.23 ms."""
    if value is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= scale * 0.9995:
            return f"{format_number(value / scale)} {unit}"
    return f"{value * 1e9:.0f} ns" if value else "0"


def format_megabytes(value: int) -> str:
    return f"{value / 1e6:,.0f} MB"


def format_number(value: float) -> str:
    """Format a number with three significant digits, without an exponent."""
    if value >= 999.5:
        return f"{value:,.0f}"
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def format_ratio(value: float) -> str:
    return f"{format_number(value)}x"


def format_fraction(value: float) -> str:
    return f"{value:.4f}"


def format_percent(share: float) -> str:
    """Format a share as a percentage with three digits."""
    return f"{format_number(100 * share)} %" if share else "0"


def grouped(value: int) -> str:
    return f"{value:,}"
