"""Functions of single numbers."""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, ROUND_UP, Decimal

from ..values import DIV0, NUM, Value, number


def rounded(mode: str) -> Callable[..., Value]:
    """Decimal rounding of the number as Excel shows it, to 15 significant digits."""

    def function(value: Value, digits: Value = 0.0) -> Value:
        places = max(-300, min(300, int(number(digits))))
        exact = Decimal(format(number(value), ".15g"))
        return (
            float(exact.quantize(Decimal(1).scaleb(-places), rounding=mode)) if _fits(exact, places) else float(exact)
        )

    return function


def _fits(exact: Decimal, places: int) -> bool:
    return exact.adjusted() + places < 27


def stepped(mode: str) -> Callable[..., Value]:
    def function(value: Value, step: Value = 1.0) -> Value:
        width = Decimal(format(number(step), ".15g"))
        if width == 0:
            return 0.0
        exact = Decimal(format(number(value), ".15g")) / abs(width)
        return float(exact.to_integral_value(rounding=mode) * abs(width))

    return function


def modulo(value: Value, divisor: Value) -> Value:
    by = number(divisor)
    return number(value) - by * math.floor(number(value) / by) if by else DIV0


def guarded(function: Callable[..., float]) -> Callable[..., Value]:
    """Outside the function's domain the result is #NUM!."""

    def safe(*values: Value) -> Value:
        try:
            result = function(*(number(v) for v in values))
        except (ValueError, OverflowError, ZeroDivisionError):
            return NUM
        return float(result) if isinstance(result, (int, float)) else NUM

    return safe


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "ROUND": rounded(ROUND_HALF_UP),
    "ROUNDUP": rounded(ROUND_UP),
    "ROUNDDOWN": rounded(ROUND_DOWN),
    "TRUNC": rounded(ROUND_DOWN),
    "INT": lambda v: float(math.floor(number(v))),
    "CEILING": stepped(ROUND_CEILING),
    "FLOOR": stepped(ROUND_FLOOR),
    "MROUND": stepped(ROUND_HALF_UP),
    "ABS": lambda v: abs(number(v)),
    "SIGN": lambda v: float((number(v) > 0) - (number(v) < 0)),
    "MOD": modulo,
    "SQRT": guarded(math.sqrt),
    "POWER": guarded(lambda a, b: a**b),
    "EXP": guarded(math.exp),
    "LN": guarded(math.log),
    "LOG": guarded(lambda v, base=10.0: math.log(v, base)),
    "LOG10": guarded(math.log10),
    "PI": lambda: math.pi,
}
