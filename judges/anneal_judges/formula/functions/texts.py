"""Functions of text."""

import calendar
import datetime as dt
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

from ..values import VALUE, Raised, Unsupported, Value, flat, number, text, truth
from .calendar_dates import date_of

TEXT_LIMIT = 32_767
_FORMAT = re.compile(r"^(#,##)?0(?:\.(0+))?(%)?$")
_DATE_PART = re.compile(r"y{4}|y{2}|m{1,4}|d{1,4}", re.IGNORECASE)
_DATE_FORMAT = re.compile(rf"({_DATE_PART.pattern}|[-/., ])+", re.IGNORECASE)


def _short(result: str) -> str:
    if len(result) > TEXT_LIMIT:
        raise Raised(VALUE)
    return result


def concat(*values: Value) -> Value:
    return _short("".join(text(cell) for value in values for cell in flat(value)))


def textjoin(separator: Value, ignore_empty: Value, *values: Value) -> Value:
    parts = [text(cell) for value in values for cell in flat(value)]
    return _short(text(separator).join(p for p in parts if p or not truth(ignore_empty)))


def substitute(value: Value, old: Value, new: Value, occurrence: Value = None) -> Value:
    subject, wanted = text(value), text(old)
    if not wanted:
        return subject
    if occurrence is None:
        return _short(subject.replace(wanted, text(new)))
    parts = subject.split(wanted)
    position = int(number(occurrence))
    if not 1 <= position < len(parts):
        return subject
    return _short(wanted.join(parts[:position]) + text(new) + wanted.join(parts[position:]))


def find(fold: bool) -> Callable[..., Value]:
    def function(wanted: Value, value: Value, start: Value = 1.0) -> Value:
        needle, subject = text(wanted), text(value)
        if fold:
            needle, subject = needle.casefold(), subject.casefold()
        found = subject.find(needle, max(0, int(number(start)) - 1))
        return VALUE if found < 0 else float(found + 1)

    return function


def formatted(value: Value, pattern: Value) -> Value:
    """TEXT with the plain number formats and the parts of a date; any other pattern is unsupported."""
    wanted = text(pattern)
    if found := _FORMAT.match(wanted):
        grouped, decimals, percent = found.groups()
        exact = Decimal(format(number(value) * (100 if percent else 1), ".15g"))
        shown = exact.quantize(Decimal(1).scaleb(-len(decimals or "")), rounding=ROUND_HALF_UP)
        return f"{shown:{',' if grouped else ''}f}" + (percent or "")
    if _DATE_FORMAT.fullmatch(wanted):
        date = date_of(value)
        return _DATE_PART.sub(lambda part: _date_part(part.group().lower(), date), wanted)
    raise Unsupported("this TEXT format")


def _date_part(part: str, date: dt.datetime) -> str:
    month, day = calendar.month_name[date.month], calendar.day_name[date.weekday()]
    parts = {
        "yyyy": f"{date.year:04d}",
        "yy": f"{date.year % 100:02d}",
        "mmmm": month,
        "mmm": month[:3],
        "mm": f"{date.month:02d}",
    }
    parts |= {"m": str(date.month), "dddd": day, "ddd": day[:3], "dd": f"{date.day:02d}", "d": str(date.day)}
    return parts[part]


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "LEFT": lambda v, n=1.0: text(v)[: max(0, int(number(n)))],
    "RIGHT": lambda v, n=1.0: text(v)[-int(number(n)) :] if number(n) >= 1 else "",
    "MID": lambda v, start, n: text(v)[max(0, int(number(start)) - 1) :][: max(0, int(number(n)))],
    "LEN": lambda v: float(len(text(v))),
    "UPPER": lambda v: text(v).upper(),
    "LOWER": lambda v: text(v).lower(),
    "PROPER": lambda v: text(v).title(),
    "TRIM": lambda v: " ".join(text(v).split(" ")) if "  " not in text(v) else " ".join(text(v).split()),
    "SUBSTITUTE": substitute,
    "FIND": find(fold=False),
    "SEARCH": find(fold=True),
    "REPT": lambda v, n: _short(text(v) * max(0, min(int(number(n)), TEXT_LIMIT + 1))),
    "EXACT": lambda a, b: text(a) == text(b),
    "VALUE": lambda v: number(v),
    "TEXT": formatted,
}
JOINS: dict[str, Callable[..., Value]] = {"CONCAT": concat, "CONCATENATE": concat, "TEXTJOIN": textjoin}
