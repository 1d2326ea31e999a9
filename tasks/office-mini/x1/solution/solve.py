"""Reference solution."""

# anneal-canary-dd66ef43b1384576

from pathlib import Path

from openpyxl import load_workbook

workbook = load_workbook("sales.xlsx")
workbook["Sales"]["B14"] = "=SUM(B2:B13)"
Path("output").mkdir(exist_ok=True)
workbook.save("output/sales.xlsx")
