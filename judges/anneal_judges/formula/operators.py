"""Operators, element by element where an operand is a matrix."""

from collections.abc import Callable

from .values import (
    DIV0,
    NA,
    NUM,
    VALUE,
    ExcelError,
    Raised,
    Scalar,
    Unsupported,
    Value,
    compare,
    matrix,
    number,
    single,
    text,
)


def unary(operator: str, value: Value) -> Value:
    if operator == "%":
        return _each(lambda v: number(v) / 100, value)
    if operator == "-":
        return _each(lambda v: -number(v), value)
    if operator == "+":
        return value
    raise Unsupported(f"operator {operator!r}")


def binary(operator: str, left: Value, right: Value) -> Value:
    apply = _BINARY.get(operator)
    if apply is None:
        raise Unsupported(f"operator {operator!r}")
    if not isinstance(left, list) and not isinstance(right, list):
        return _settle(apply, left, right)
    left_rows, right_rows = matrix(left), matrix(right)
    height = max(len(left_rows), len(right_rows))
    width = max(len(left_rows[0]), len(right_rows[0]))
    return [
        [_settle(apply, element(left_rows, r, c), element(right_rows, r, c)) for c in range(width)]
        for r in range(height)
    ]


def lifted(function: Callable[..., Value]) -> Callable[..., Value]:
    """A function of single values, applied cell by cell where an argument is a matrix."""

    def apply(*arguments: Value) -> Value:
        grids = [matrix(a) for a in arguments]
        height = max((len(g) for g in grids), default=1)
        width = max((len(g[0]) for g in grids), default=1)
        if height == 1 and width == 1:
            return function(*arguments)
        return [
            [_lifted_cell(function, [element(g, r, c) for g in grids]) for c in range(width)] for r in range(height)
        ]

    return apply


def _lifted_cell(function: Callable[..., Value], arguments: list[Scalar]) -> Scalar:
    try:
        return single(function(*arguments))
    except Raised as raised:
        return raised.error


def element(rows: list[list[Scalar]], row: int, column: int) -> Scalar:
    """The cell of a matrix; a single row or column stretches over any size, as in Excel."""
    row = 0 if len(rows) == 1 else row
    column = 0 if len(rows[0]) == 1 else column
    return rows[row][column] if row < len(rows) and column < len(rows[0]) else NA


def _each(apply: Callable[[Scalar], Scalar], value: Value) -> Value:
    if isinstance(value, list):
        return [[_settle(apply, cell) for cell in row] for row in value]
    return _settle(apply, value)


def _settle(apply: Callable[..., Scalar], *operands: Scalar) -> Scalar:
    for operand in operands:
        if isinstance(operand, ExcelError):
            return operand
    try:
        return apply(*operands)
    except Raised as raised:
        return raised.error
    except OverflowError:
        return NUM


def _divide(left: Scalar, right: Scalar) -> Scalar:
    divisor = number(right)
    return number(left) / divisor if divisor != 0 else DIV0


def _power(left: Scalar, right: Scalar) -> Scalar:
    try:
        result = number(left) ** number(right)
    except ZeroDivisionError:
        return DIV0
    return result if isinstance(result, float) else NUM


_BINARY: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "+": lambda a, b: number(a) + number(b),
    "-": lambda a, b: number(a) - number(b),
    "*": lambda a, b: number(a) * number(b),
    "/": _divide,
    "^": _power,
    "&": lambda a, b: text(a) + text(b) if len(text(a)) + len(text(b)) <= 32_767 else VALUE,
    "=": lambda a, b: compare(a, b) == 0,
    "<>": lambda a, b: compare(a, b) != 0,
    "<": lambda a, b: compare(a, b) < 0,
    ">": lambda a, b: compare(a, b) > 0,
    "<=": lambda a, b: compare(a, b) <= 0,
    ">=": lambda a, b: compare(a, b) >= 0,
}
