"""Functions of where a reference lies, not of what stands there."""

from collections.abc import Callable

from ..place import Place
from ..reference import Block
from ..values import Unsupported, Value

SPAN_LIMIT = 200_000


def row(blocks: list[Block], place: Place) -> Value:
    if not blocks:
        return float(place.row)
    numbers = _span(blocks[0].first_row, blocks[0].last_row)
    return [[n] for n in numbers] if len(numbers) > 1 else numbers[0]


def column(blocks: list[Block], place: Place) -> Value:
    if not blocks:
        return float(place.column)
    numbers = _span(blocks[0].first_column, blocks[0].last_column)
    return [list(numbers)] if len(numbers) > 1 else numbers[0]


def rows(blocks: list[Block], _: Place) -> Value:
    return float(len(_span(_only(blocks).first_row, _only(blocks).last_row)))


def columns(blocks: list[Block], _: Place) -> Value:
    return float(len(_span(_only(blocks).first_column, _only(blocks).last_column)))


def _only(blocks: list[Block]) -> Block:
    if len(blocks) != 1:
        raise Unsupported("the size of nothing")
    return blocks[0]


def _span(first: int, last: int | None) -> list[float]:
    if last is None or last - first >= SPAN_LIMIT:
        raise Unsupported("the positions of a whole column or row")
    return [float(n) for n in range(first, last + 1)]


FUNCTIONS: dict[str, Callable[[list[Block], Place], Value]] = {
    "ROW": row,
    "COLUMN": column,
    "ROWS": rows,
    "COLUMNS": columns,
}
