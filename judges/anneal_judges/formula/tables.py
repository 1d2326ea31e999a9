"""Structured references such as Sales[Amount] or Sales[[#This Row],[Amount]], as blocks of cells."""

import re
from typing import TYPE_CHECKING, Any

from openpyxl.utils.cell import range_boundaries

from .reference import Block
from .values import Unsupported

if TYPE_CHECKING:
    from openpyxl import Workbook

_REFERENCE = re.compile(r"^(?P<table>[^\[\]]*)\[(?P<inner>.*)\]$", re.DOTALL)
_PART = re.compile(r"\[([^\[\]]*)\]")


def table_block(text: str, workbook: "Workbook", sheet: str, row: int) -> Block | None:
    """The cells of a structured reference written in `row`; None where the text is none.

    Raises Unsupported for an unknown table or column, or a form it does not know.
    """
    found = _REFERENCE.match(text)
    if found is None:
        return None
    owner, table = _table(found["table"], workbook, sheet, row)
    first_column, first_row, last_column, last_row = range_boundaries(table.ref)
    parts = _PART.findall(found["inner"]) or [found["inner"]]
    items = [part for part in parts if part.startswith("#")]
    names = [part.removeprefix("@") for part in parts if part and not part.startswith("#")]
    if found["inner"].startswith("@") or any(part.startswith("@") for part in parts):
        items.append("#This Row")
    columns = [_column(table, name, first_column) for name in names if name]
    left, right = (min(columns), max(columns)) if columns else (first_column, last_column)
    data_first = first_row + (table.headerRowCount if table.headerRowCount is not None else 1)
    data_last = last_row - (table.totalsRowCount or 0)
    rows = {
        (): (data_first, data_last),
        ("#data",): (data_first, data_last),
        ("#all",): (first_row, last_row),
        ("#headers",): (first_row, first_row),
        ("#totals",): (last_row, last_row),
        ("#this row",): (row, row),
    }.get(tuple(item.casefold() for item in items))
    if rows is None:
        raise Unsupported("this kind of structured reference")
    return Block(owner, rows[0], left, rows[1], right)


def _table(name: str, workbook: "Workbook", sheet: str, row: int) -> tuple[str, Any]:
    """Without a name it is the table around the formula's own row."""
    for worksheet in workbook.worksheets:
        for table in worksheet.tables.values():
            _, first, _, last = range_boundaries(table.ref)
            around = not name and worksheet.title == sheet and first <= row <= last
            if around or (name and table.displayName.casefold() == name.casefold()):
                return worksheet.title, table
    raise Unsupported(f"no table {name!r}")


def _column(table: Any, name: str, first_column: int) -> int:
    for offset, column in enumerate(table.tableColumns):
        if (column.name or "").casefold() == name.casefold():
            return first_column + offset
    raise Unsupported(f"no column {name!r}")
