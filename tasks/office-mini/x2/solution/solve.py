"""Reference solution."""

# anneal-canary-8a0c25a7b6a83cb2

from pathlib import Path

from openpyxl import load_workbook

workbook = load_workbook("model.xlsx")
workbook.defined_names["RateTable"].attr_text = "Rates!$B$2:$B$6"
Path("output").mkdir(exist_ok=True)
workbook.save("output/model.xlsx")
