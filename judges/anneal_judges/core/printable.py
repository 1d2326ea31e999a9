"""Text from a hostile file, made safe to store and to show."""

import unicodedata

OBSERVED_LIMIT = 300


def printable(text: str, limit: int = OBSERVED_LIMIT) -> str:
    """One line without control, format or surrogate characters, at most `limit` characters."""
    cleaned = "".join(
        " " if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") else c for c in text[: 8 * limit]
    )
    line = " ".join(cleaned.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def quoted(text: object, limit: int = 60) -> str:
    """A value as it stands in a sentence: quoted, shortened."""
    return f"'{printable(str(text), limit)}'"


def listing(values: object, limit: int = 6) -> str:
    """The first few of several values, with the number of the rest."""
    items = [quoted(v, 40) for v in values]  # type: ignore[attr-defined]
    if not items:
        return "none"
    rest = len(items) - limit
    return ", ".join(items[:limit]) + (f" and {rest} more" if rest > 0 else "")
