"""INDEX, MATCH and the lookups."""

from collections.abc import Callable, Sequence

from ..values import NA, REF, VALUE, ExcelError, Raised, Scalar, Value, compare, flat, matrix, number, single, truth
from .criteria_match import criteria_match


def index(values: Value, row: Value, column: Value = None) -> Value:
    grid = matrix(values)
    down, across = int(number(row)), int(number(column))
    if column is None and len(grid) == 1:
        down, across = 1, down
    elif column is None:
        across = 1 if len(grid[0]) == 1 or down else 0
    if not (0 <= down <= len(grid) and 0 <= across <= len(grid[0])):
        return REF
    if down and across:
        return grid[down - 1][across - 1]
    rows = grid if down == 0 else [grid[down - 1]]
    return rows if across == 0 else [[r[across - 1]] for r in rows]


def position(wanted: Value, cells: Sequence[Scalar], kind: int) -> int | None:
    """0-based: the first equal (0), the last not above (1), the last not below (-1)."""
    key = single(wanted)
    if isinstance(key, ExcelError):
        raise Raised(key)
    if kind == 0:
        matches = criteria_match(f"={key}") if isinstance(key, str) and any(c in key for c in "*?") else _equals(key)
        return next((i for i, cell in enumerate(cells) if matches(cell)), None)
    found = None
    for i, cell in enumerate(cells):
        if cell is None or isinstance(cell, ExcelError) or type(cell) is not type(key):
            continue
        order = compare(cell, key)
        if order == kind:
            break
        found = i
    return found


def _equals(key: Scalar) -> Callable[[Scalar], bool]:
    return lambda cell: type(cell) is type(key) and compare(cell, key) == 0


def match(wanted: Value, values: Value, kind: Value = 1.0) -> Value:
    found = position(wanted, flat(values), _sign(kind))
    return NA if found is None else float(found + 1)


def vlookup(wanted: Value, table: Value, column: Value, approximate: Value = True) -> Value:
    grid = matrix(table)
    across = int(number(column))
    if not 1 <= across <= len(grid[0]):
        return REF if across > 0 else VALUE
    found = position(wanted, [row[0] for row in grid], 1 if truth(approximate) else 0)
    return NA if found is None else grid[found][across - 1]


def hlookup(wanted: Value, table: Value, row: Value, approximate: Value = True) -> Value:
    turned = [list(column) for column in zip(*matrix(table), strict=True)]
    return vlookup(wanted, turned, row, approximate)


def xlookup(wanted: Value, keys: Value, results: Value, default: Value = NA, kind: Value = 0.0, *_: Value) -> Value:
    if number(kind) != 0:
        return VALUE
    found = position(wanted, flat(keys), 0)
    if found is None:
        return default
    grid = matrix(results)
    if len(matrix(keys)) > 1:
        return grid[found][0] if len(grid[found]) == 1 else [grid[found]]
    return grid[0][found] if len(grid) == 1 else [[row[found]] for row in grid]


def lookup(wanted: Value, keys: Value, results: Value = None) -> Value:
    found = position(wanted, flat(keys), 1)
    return NA if found is None else flat(keys if results is None else results)[found]


def _sign(kind: Value) -> int:
    given = number(kind)
    return (given > 0) - (given < 0)


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "INDEX": index,
    "MATCH": match,
    "VLOOKUP": vlookup,
    "HLOOKUP": hlookup,
    "XLOOKUP": xlookup,
    "LOOKUP": lookup,
    "TRANSPOSE": lambda v: [list(column) for column in zip(*matrix(v), strict=True)],
}
