"""Workbooks from rows."""

import io
from collections.abc import Sequence
from pathlib import Path

from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from .packages import write_package


def new_workbook(title: str, rows: Sequence[Sequence[object]], widths: Sequence[int] = ()) -> Workbook:
    workbook = Workbook()
    workbook.active.title = title
    fill_sheet(workbook.active, rows, widths)
    return workbook


def add_sheet(
    workbook: Workbook, title: str, rows: Sequence[Sequence[object]], widths: Sequence[int] = ()
) -> Worksheet:
    sheet = workbook.create_sheet(title)
    fill_sheet(sheet, rows, widths)
    return sheet


def fill_sheet(sheet: Worksheet, rows: Sequence[Sequence[object]], widths: Sequence[int] = ()) -> None:
    for row in rows:
        sheet.append(list(row))
    for letter, width in zip("ABCDEFGH", widths, strict=False):
        sheet.column_dimensions[letter].width = width


def save_workbook(workbook: Workbook, path: Path) -> None:
    buffer = io.BytesIO()
    workbook.save(buffer)
    write_package(path, buffer.getvalue())
