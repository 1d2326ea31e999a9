"""Branches, truths and tests for kinds of values."""

from collections.abc import Callable

from ..operators import element
from ..values import NA, VALUE, ExcelError, Matrix, Raised, Value, compare, flat, matrix, number, single, truth

Thunks = list[Callable[[], Value]]


def _if(arguments: Thunks) -> Value:
    given = arguments[0]()
    if isinstance(given, list) and (len(given) > 1 or len(given[0]) > 1):
        return _if_each(given, arguments[1:])
    condition = single(given)
    if isinstance(condition, ExcelError):
        return condition
    if truth(condition):
        return arguments[1]() if len(arguments) > 1 else True
    return arguments[2]() if len(arguments) > 2 else False


def _if_each(conditions: Matrix, branches: Thunks) -> Value:
    """An array condition picks cell by cell; a branch of one row or column stretches over it."""
    yes: Matrix = matrix(branches[0]()) if branches else [[True]]
    no: Matrix = matrix(branches[1]()) if len(branches) > 1 else [[False]]
    return [
        [
            c if isinstance(c, ExcelError) else element(yes if truth(c) else no, row, column)
            for column, c in enumerate(cells)
        ]
        for row, cells in enumerate(conditions)
    ]


def _ifs(arguments: Thunks) -> Value:
    for condition, result in zip(arguments[::2], arguments[1::2], strict=False):
        if truth(condition()):
            return result()
    return NA


def _rescue(caught: Callable[[object], bool]) -> Callable[[Thunks], Value]:
    def function(arguments: Thunks) -> Value:
        value = arguments[0]()
        return arguments[1]() if caught(single(value)) else value

    return function


def _switch(arguments: Thunks) -> Value:
    wanted = single(arguments[0]())
    rest = arguments[1:]
    for case, result in zip(rest[::2], rest[1::2], strict=False):
        if compare(wanted, single(case())) == 0:
            return result()
    return rest[-1]() if len(rest) % 2 else NA


def _choose(arguments: Thunks) -> Value:
    position = int(number(arguments[0]()))
    return arguments[position]() if 1 <= position < len(arguments) else VALUE


def _truths(*values: Value) -> list[bool]:
    cells = [c for v in values for c in flat(v) if c is not None and not (isinstance(v, list) and isinstance(c, str))]
    if not cells:
        raise Raised(VALUE)
    return [truth(c) for c in cells]


def _is_error(value: object) -> bool:
    return isinstance(value, ExcelError)


LAZY: dict[str, Callable[[Thunks], Value]] = {
    "IF": _if,
    "IFS": _ifs,
    "IFERROR": _rescue(_is_error),
    "IFNA": _rescue(lambda v: v == NA),
    "SWITCH": _switch,
    "CHOOSE": _choose,
}
EAGER: dict[str, Callable[..., Value]] = {
    "AND": lambda *v: all(_truths(*v)),
    "OR": lambda *v: any(_truths(*v)),
    "XOR": lambda *v: sum(_truths(*v)) % 2 == 1,
    "TRUE": lambda: True,
    "FALSE": lambda: False,
    "NA": lambda: NA,
}
TESTS: dict[str, Callable[..., Value]] = {
    "NOT": lambda v: not truth(v),
    "ISBLANK": lambda v: single(v) is None,
    "ISNUMBER": lambda v: isinstance(single(v), float),
    "ISTEXT": lambda v: isinstance(single(v), str),
    "ISERROR": lambda v: _is_error(single(v)),
    "ISERR": lambda v: _is_error(single(v)) and single(v) != NA,
    "ISNA": lambda v: single(v) == NA,
    "N": lambda v: found if isinstance(found := single(v), float) else 0.0,
}
