"""Functions of dates as serial numbers."""

import calendar
import datetime as dt
from collections.abc import Callable

from openpyxl.utils.datetime import from_excel, to_excel

from ..values import NUM, Raised, Unsupported, Value, number


def date_of(value: Value) -> dt.datetime:
    """The date of a serial number."""
    try:
        found = from_excel(number(value))
    except (OverflowError, ValueError):
        raise Raised(NUM) from None
    if not isinstance(found, dt.datetime):
        return dt.datetime(1899, 12, 30)
    return found


def _serial(year: int, month: int, day: int) -> float:
    years, month = divmod(month - 1, 12)
    try:
        return float(to_excel(dt.datetime(year + years, month + 1, 1) + dt.timedelta(days=day - 1)))
    except (OverflowError, ValueError):
        raise Raised(NUM) from None


def _month_end(year: int, month: int) -> tuple[int, int, int]:
    years, zero_based = divmod(month - 1, 12)
    if not 1 <= year + years <= 9_999:
        raise Raised(NUM)
    return year + years, zero_based + 1, calendar.monthrange(year + years, zero_based + 1)[1]


def eomonth(start: Value, months: Value) -> Value:
    date = date_of(start)
    return _serial(*_month_end(date.year, date.month + int(number(months))))


def edate(start: Value, months: Value) -> Value:
    date = date_of(start)
    year, month, last = _month_end(date.year, date.month + int(number(months)))
    return _serial(year, month, min(date.day, last))


def weekday(date: Value, kind: Value = 1.0) -> Value:
    """1 = Sunday first, 2 = Monday first, 3 = Monday as 0."""
    monday_based = date_of(date).weekday()
    found = {1: (monday_based + 1) % 7 + 1, 2: monday_based + 1, 3: monday_based}.get(int(number(kind)))
    return NUM if found is None else float(found)


def weeknum(date: Value, kind: Value = 1.0) -> Value:
    """Weeks from January 1 that begin on Sunday (1) or Monday (2)."""
    if int(number(kind)) not in (1, 2):
        raise Unsupported("this kind of WEEKNUM")
    day = date_of(date)
    first = day.replace(month=1, day=1)
    offset = (first.weekday() + 1) % 7 if int(number(kind)) == 1 else first.weekday()
    return float((day.timetuple().tm_yday + offset - 1) // 7 + 1)


def _whole(value: Value) -> int:
    found = int(number(value) // 1)
    if found < 0:
        raise Raised(NUM)
    return found


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "DATE": lambda y, m, d: _serial(int(number(y)), int(number(m)), int(number(d))),
    "YEAR": lambda v: float(date_of(v).year),
    "MONTH": lambda v: float(date_of(v).month),
    "DAY": lambda v: float(date_of(v).day),
    "DAYS": lambda end, start: float(_whole(end) - _whole(start)),
    "WEEKDAY": weekday,
    "WEEKNUM": weeknum,
    "EOMONTH": eomonth,
    "EDATE": edate,
}
