"""Reference solution: the copy is saved under its own name only."""

# anneal-canary-b556399b513934f8

from pathlib import Path

from openpyxl import load_workbook
from openpyxl.styles import Alignment, PatternFill

workbook = load_workbook("counts.xlsx")
for row in workbook["Counts"].iter_rows():
    for cell in row:
        cell.alignment = Alignment(horizontal="center")
        if cell.row == 1:
            cell.fill = PatternFill("solid", fgColor="FF87CEEB")
Path("output").mkdir(exist_ok=True)
workbook.save("output/counts_formatted.xlsx")
