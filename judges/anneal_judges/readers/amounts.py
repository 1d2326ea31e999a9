"""Numbers and words as people type them, compared as people would."""

import re
import unicodedata

_NUMBER = re.compile(r"[-+−(]?\s*\d[\d.,'\s]*")


def squeezed(text: object) -> str:
    """One line, single spaces, compatibility forms resolved."""
    return " ".join(unicodedata.normalize("NFKC", "" if text is None else str(text)).split())


def same_words(left: object, right: object) -> bool:
    return squeezed(left).casefold() == squeezed(right).casefold()


def amount(value: object) -> float | None:
    """The number a cell or a piece of text states: 1,234.50 · €1 234.5 · (12) · 7 %; None for no or several.

    A single separator before exactly three digits is read as grouping.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return float(value)
    text = squeezed(value)
    found = _NUMBER.findall(text)
    return _parsed(found[0]) if len(found) == 1 else None


def amounts(text: object) -> list[float]:
    """Every number that a text states, in order."""
    return [n for n in (_parsed(t) for t in re.findall(r"[-−]?\d[\d,.]*", squeezed(text))) if n is not None]


def same_amount(left: object, right: object, tolerance: float = 1e-6) -> bool:
    first, second = amount(left), amount(right)
    return first is not None and second is not None and abs(first - second) <= tolerance


def same_entry(left: object, right: object, tolerance: float = 1e-6) -> bool:
    """Equal as numbers where both are numbers, else equal as words."""
    return same_amount(left, right, tolerance) or same_words(left, right)


def _parsed(text: str) -> float | None:
    negative = text.lstrip()[:1] in ("-", "−", "(")
    digits = re.sub(r"[^\d.,]", "", text).rstrip(".,")
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        grouping = "," if comma < point else "."
        digits = digits.replace(grouping, "").replace(",", ".")
    elif comma >= 0:
        digits = digits.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", digits) else digits.replace(",", ".", 1)
    elif digits.count(".") > 1:
        digits = digits.replace(".", "")
    try:
        parsed = float(digits)
    except ValueError:
        return None
    return -parsed if negative else parsed
