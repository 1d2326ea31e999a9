"""Functions of where a reference lies, not of what stands there."""

from collections.abc import Callable

from ..reference import Block
from ..values import Unsupported, Value


def _only(blocks: list[Block]) -> Block:
    if len(blocks) != 1:
        raise Unsupported("a position without a reference")
    return blocks[0]


def _count(first: int, last: int | None) -> Value:
    if last is None:
        raise Unsupported("the size of a whole column or row")
    return float(last - first + 1)


FUNCTIONS: dict[str, Callable[[list[Block]], Value]] = {
    "ROW": lambda blocks: float(_only(blocks).first_row),
    "COLUMN": lambda blocks: float(_only(blocks).first_column),
    "ROWS": lambda blocks: _count((b := _only(blocks)).first_row, b.last_row),
    "COLUMNS": lambda blocks: _count((b := _only(blocks)).first_column, b.last_column),
}
