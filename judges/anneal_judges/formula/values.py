"""Cell values as Excel sees them: number, text, truth, blank or error, and matrices of these."""

import datetime as dt
from dataclasses import dataclass

from openpyxl.utils.datetime import to_excel


class Unsupported(Exception):
    """A formula this evaluator does not know how to compute."""


@dataclass(frozen=True)
class ExcelError:
    """An error value such as #REF!; it travels through a computation like any value."""

    code: str


VALUE = ExcelError("#VALUE!")
DIV0 = ExcelError("#DIV/0!")
NA = ExcelError("#N/A")
NAME = ExcelError("#NAME?")
NUM = ExcelError("#NUM!")
REF = ExcelError("#REF!")

Scalar = float | str | bool | None | ExcelError
Matrix = list[list[Scalar]]
Value = Scalar | Matrix


class Raised(Exception):
    """Carries an error value out of a nested computation."""

    def __init__(self, error: ExcelError) -> None:
        super().__init__(error.code)
        self.error = error


def scalar_of(raw: object) -> Scalar:
    """What a cell holds, as a value; dates become serial numbers."""
    if raw is None or isinstance(raw, (bool, str, ExcelError)):
        return ExcelError(raw) if isinstance(raw, str) and raw.startswith("#") and raw in _CODES else raw
    if isinstance(raw, (int, float)):
        return float(raw)
    if isinstance(raw, (dt.datetime, dt.date, dt.time, dt.timedelta)):
        return float(to_excel(raw))
    raise Unsupported(f"a cell of type {type(raw).__name__}")


_CODES = {e.code for e in (VALUE, DIV0, NA, NAME, NUM, REF)} | {"#NULL!"}


def single(value: Value) -> Scalar:
    """The one value of an argument; a matrix gives its first."""
    if isinstance(value, list):
        return value[0][0] if value and value[0] else None
    return value


def flat(value: Value) -> list[Scalar]:
    return [cell for row in value for cell in row] if isinstance(value, list) else [value]


def matrix(value: Value) -> Matrix:
    return value if isinstance(value, list) else [[value]]


def number(value: Value) -> float:
    """Coerced as an operand is: truth to 0 or 1, numeric text to its number, blank to 0."""
    scalar = single(value)
    if isinstance(scalar, ExcelError):
        raise Raised(scalar)
    if scalar is None:
        return 0.0
    if isinstance(scalar, bool):
        return 1.0 if scalar else 0.0
    if isinstance(scalar, str):
        return _number_from_text(scalar)
    return scalar


def _number_from_text(text: str) -> float:
    stripped = text.strip().replace(",", "")
    percent = stripped.endswith("%")
    try:
        parsed = float(stripped.removesuffix("%"))
    except ValueError:
        raise Raised(VALUE) from None
    if parsed in (float("inf"), float("-inf")) or parsed != parsed:
        raise Raised(VALUE)
    return parsed / 100 if percent else parsed


def text(value: Value) -> str:
    scalar = single(value)
    if isinstance(scalar, ExcelError):
        raise Raised(scalar)
    if scalar is None:
        return ""
    if isinstance(scalar, bool):
        return "TRUE" if scalar else "FALSE"
    if isinstance(scalar, float):
        return str(int(scalar)) if scalar.is_integer() and abs(scalar) < 1e15 else format(scalar, ".15g")
    return scalar


def truth(value: Value) -> bool:
    scalar = single(value)
    if isinstance(scalar, str):
        if scalar.upper() in ("TRUE", "FALSE"):
            return scalar.upper() == "TRUE"
        raise Raised(VALUE)
    return number(scalar) != 0


def compare(left: Scalar, right: Scalar) -> int:
    """-1, 0 or 1; numbers before text before truths, text without regard to case."""
    for side in (left, right):
        if isinstance(side, ExcelError):
            raise Raised(side)
    left = _blank_like(left, right)
    right = _blank_like(right, left)
    left_key, right_key = _sort_key(left), _sort_key(right)
    return (left_key > right_key) - (left_key < right_key)


def _blank_like(value: Scalar, other: Scalar) -> Scalar:
    if value is not None:
        return value
    return "" if isinstance(other, str) else False if isinstance(other, bool) else 0.0


def _sort_key(value: Scalar) -> tuple[int, float | str]:
    if isinstance(value, bool):
        return (2, float(value))
    if isinstance(value, str):
        return (1, value.casefold())
    return (0, value)  # type: ignore[return-value]
