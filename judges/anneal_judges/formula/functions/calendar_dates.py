"""Functions of dates as serial numbers."""

import calendar
import datetime as dt
from collections.abc import Callable

from openpyxl.utils.datetime import from_excel, to_excel

from ..values import NUM, Raised, Value, number


def _date(value: Value) -> dt.datetime:
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
    date = _date(start)
    return _serial(*_month_end(date.year, date.month + int(number(months))))


def edate(start: Value, months: Value) -> Value:
    date = _date(start)
    year, month, last = _month_end(date.year, date.month + int(number(months)))
    return _serial(year, month, min(date.day, last))


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "DATE": lambda y, m, d: _serial(int(number(y)), int(number(m)), int(number(d))),
    "YEAR": lambda v: float(_date(v).year),
    "MONTH": lambda v: float(_date(v).month),
    "DAY": lambda v: float(_date(v).day),
    "EOMONTH": eomonth,
    "EDATE": edate,
}
