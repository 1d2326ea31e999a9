"""The workbook inside a chart: what 'Edit data' opens."""

from typing import TYPE_CHECKING, Any

from ..core.openers import open_workbook

if TYPE_CHECKING:
    from openpyxl import Workbook

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


def embedded_workbook(chart: Any) -> "Workbook | None":
    """Guarded like every package; None where the chart carries none."""
    part = chart.part.chart_workbook.xlsx_part
    return open_workbook(part.blob) if part is not None else None


def referenced_cells(series: Any) -> dict[str, str]:
    """Where a series says its parts come from: tx, cat and val to a reference such as Sheet1!$B$2:$B$5."""
    found: dict[str, str] = {}
    for role in ("tx", "cat", "val"):
        formula = series._element.find(f"{_C}{role}//{_C}f")
        if formula is not None and formula.text:
            found[role] = formula.text
    return found


def cells_at(workbook: "Workbook", reference: str) -> list[object]:
    """The values of a reference, row by row."""
    from ..formula.reference import parse_block

    block = parse_block(reference)
    if block is None or block.last_row is None or block.last_column is None or block.last_row > 10_000:
        raise ValueError("a chart reference of no ordinary form")
    sheet = workbook[block.sheet] if block.sheet in workbook.sheetnames else workbook.worksheets[0]
    rows = sheet.iter_rows(block.first_row, block.last_row, block.first_column, block.last_column, values_only=True)
    return [value for row in rows for value in row]
