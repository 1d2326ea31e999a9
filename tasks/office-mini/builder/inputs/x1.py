"""Twelve months of sales without their total."""

from pathlib import Path
from random import Random

from openpyxl.styles import Font

from ..workbooks import add_sheet, new_workbook, save_workbook

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def write(directory: Path, random: Random) -> None:
    rows = [[month, random.randrange(80_000, 240_000) / 100, random.randrange(20, 90)] for month in MONTHS]
    workbook = new_workbook("Sales", [["Month", "Sales", "Orders"], *rows, ["Total", None, None]], [12, 14, 10])
    sheet = workbook["Sales"]
    for cell in sheet["B"][1:]:
        cell.number_format = "#,##0.00"
    sheet["A14"].font = Font(bold=True)
    sheet["B14"].font = Font(bold=True)
    add_sheet(workbook, "Notes", [["May was corrected twice."], ["Returns are not deducted."]])
    save_workbook(workbook, directory / "sales.xlsx")
