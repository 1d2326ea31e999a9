"""Sums, counts, means: functions that take any number of ranges and values."""

import math
import statistics
from collections.abc import Callable, Iterator

from ..values import DIV0, NUM, VALUE, ExcelError, Raised, Unsupported, Value, flat, matrix, number


def numbers(*values: Value) -> Iterator[float]:
    """The numbers as SUM sees them: text, truths and blanks in a range are left out."""
    for value in values:
        if isinstance(value, list):
            for cell in flat(value):
                if isinstance(cell, ExcelError):
                    raise Raised(cell)
                if isinstance(cell, float):
                    yield cell
        elif value is not None:
            yield number(value)


def average(*values: Value) -> Value:
    found = list(numbers(*values))
    return math.fsum(found) / len(found) if found else DIV0


def ranked(take: Callable[[list[float], int], float]) -> Callable[[Value, Value], Value]:
    def function(values: Value, rank: Value) -> Value:
        found = sorted(numbers(values))
        position = int(number(rank))
        return take(found, position) if 1 <= position <= len(found) else NUM

    return function


def sumproduct(*values: Value) -> Value:
    grids = [matrix(v) for v in values]
    shape = (len(grids[0]), len(grids[0][0]))
    if any((len(g), len(g[0])) != shape for g in grids):
        return VALUE
    total = 0.0
    for cells in zip(*(flat(g) for g in grids), strict=True):
        if error := next((c for c in cells if isinstance(c, ExcelError)), None):
            return error
        total += math.prod(c if isinstance(c, float) else 0.0 for c in cells)
    return total


def subtotal(kind: Value, *values: Value) -> Value:
    name = {1: "AVERAGE", 2: "COUNT", 3: "COUNTA", 4: "MAX", 5: "MIN", 6: "PRODUCT", 9: "SUM"}.get(
        int(number(kind)) % 100
    )
    if name is None:
        raise Unsupported("this kind of SUBTOTAL")
    return FUNCTIONS[name](*values)


def spread(measure: Callable[[list[float]], float]) -> Callable[..., Value]:
    def function(*values: Value) -> Value:
        found = list(numbers(*values))
        return measure(found) if len(found) > 1 else DIV0

    return function


def npv(rate: Value, *values: Value) -> Value:
    growth = 1 + number(rate)
    if growth == 0:
        return DIV0
    return math.fsum(v / growth**period for period, v in enumerate(numbers(*values), start=1))


def _cells(*values: Value) -> list[object]:
    return [cell for value in values for cell in flat(value)]


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "SUM": lambda *v: math.fsum(numbers(*v)),
    "AVERAGE": average,
    "MIN": lambda *v: min(numbers(*v), default=0.0),
    "MAX": lambda *v: max(numbers(*v), default=0.0),
    "PRODUCT": lambda *v: math.prod(numbers(*v)),
    "MEDIAN": lambda *v: statistics.median(found) if (found := list(numbers(*v))) else NUM,
    "COUNT": lambda *v: float(sum(isinstance(c, float) for c in _cells(*v))),
    "COUNTA": lambda *v: float(sum(c is not None for c in _cells(*v))),
    "COUNTBLANK": lambda *v: float(sum(c is None or c == "" for c in _cells(*v))),
    "LARGE": ranked(lambda found, k: found[-k]),
    "SMALL": ranked(lambda found, k: found[k - 1]),
    "STDEV": spread(statistics.stdev),
    "STDEV.S": spread(statistics.stdev),
    "VAR": spread(statistics.variance),
    "SUMPRODUCT": sumproduct,
    "NPV": npv,
    "SUBTOTAL": subtotal,
}
