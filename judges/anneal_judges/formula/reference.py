"""A reference as written in a formula: a block of cells on one sheet, or not one at all."""

import re
from dataclasses import dataclass

from openpyxl.utils import column_index_from_string

_CELL = r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})"
_BLOCK = re.compile(rf"^{_CELL}(?::{_CELL})?$")
_COLUMNS = re.compile(r"^\$?([A-Za-z]{1,3}):\$?([A-Za-z]{1,3})$")
_ROWS = re.compile(r"^\$?([0-9]{1,7}):\$?([0-9]{1,7})$")


@dataclass(frozen=True)
class Block:
    """1-based and inclusive; `None` for an open end (whole columns or rows)."""

    sheet: str | None
    first_row: int
    first_column: int
    last_row: int | None
    last_column: int | None


def split_sheet(text: str) -> tuple[str | None, str]:
    """`'My sheet'!A1` to its sheet name and the rest."""
    sheet, mark, rest = text.rpartition("!")
    if not mark:
        return None, text
    if sheet.startswith("'") and sheet.endswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    return sheet, rest


def parse_block(text: str) -> Block | None:
    """The block that a reference names; None where the text is a name or anything else."""
    sheet, rest = split_sheet(text)
    if found := _BLOCK.match(rest):
        column, row, other_column, other_row = found.groups()
        columns = sorted(column_index_from_string(c) for c in (column, other_column or column))
        rows = sorted(int(r) for r in (row, other_row or row))
        return Block(sheet, rows[0], columns[0], rows[1], columns[1]) if rows[0] > 0 else None
    if found := _COLUMNS.match(rest):
        columns = sorted(column_index_from_string(c) for c in found.groups())
        return Block(sheet, 1, columns[0], None, columns[1])
    if found := _ROWS.match(rest):
        rows = sorted(int(r) for r in found.groups())
        return Block(sheet, rows[0], 1, rows[1], None) if rows[0] > 0 else None
    return None
