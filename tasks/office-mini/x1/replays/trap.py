"""Typical failure: the sum is worked out in Python and written as a constant."""

# anneal-canary-dd66ef43b1384576

from pathlib import Path

from openpyxl import load_workbook

workbook = load_workbook("sales.xlsx")
sheet = workbook["Sales"]
sheet["B14"] = round(sum(sheet[f"B{row}"].value for row in range(2, 14)), 2)
Path("output").mkdir(exist_ok=True)
workbook.save("output/sales.xlsx")
