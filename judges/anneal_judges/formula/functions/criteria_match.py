"""The little language of SUMIF and its kin: ">=5", "<>done", "a*", or a plain value."""

import re
from collections.abc import Callable

from ..values import ExcelError, Scalar, Value, compare, single

_OPERATOR = re.compile(r"^(<=|>=|<>|=|<|>)?(.*)$", re.DOTALL)


def criteria_match(criterion: Value) -> Callable[[Scalar], bool]:
    """A test for one cell. Text compares without regard to case, with * and ? as wildcards."""
    wanted = single(criterion)
    if not isinstance(wanted, str):
        return lambda cell: not isinstance(cell, ExcelError) and cell is not None and compare(cell, wanted) == 0
    operator, rest = _OPERATOR.match(wanted).groups()  # type: ignore[union-attr]
    operand = _number(rest)
    if operator in (None, "=", "<>"):
        equal = _equality(rest, operand)
        return equal if operator != "<>" else (lambda cell: not equal(cell))
    return _ordering(operator, rest if operand is None else operand)


def _equality(rest: str, operand: float | None) -> Callable[[Scalar], bool]:
    if operand is not None:
        return lambda cell: (
            _number(cell) == operand if isinstance(cell, str) else cell == operand and not isinstance(cell, bool)
        )
    if rest == "":
        return lambda cell: cell is None or cell == ""
    pattern = re.compile(_wildcards(rest), re.IGNORECASE | re.DOTALL)
    return lambda cell: isinstance(cell, str) and pattern.fullmatch(cell) is not None


def _ordering(operator: str, operand: float | str) -> Callable[[Scalar], bool]:
    signs = {"<": (-1,), ">": (1,), "<=": (-1, 0), ">=": (1, 0)}[operator]
    kind = type(operand)
    return lambda cell: isinstance(cell, kind) and not isinstance(cell, bool) and compare(cell, operand) in signs


def _wildcards(text: str) -> str:
    """Runs of * collapse to one, so that matching stays cheap."""
    escaped = re.escape(re.sub(r"\*+", "*", text))
    return escaped.replace(r"\*", ".*").replace(r"\?", ".")


def _number(value: object) -> float | None:
    if not isinstance(value, str):
        return None
    try:
        return float(value.strip())
    except ValueError:
        return None
