"""Reference solution: both keys together are the key."""

# anneal-canary-a31acc04dfb1b1d3

import csv
from pathlib import Path

from openpyxl import Workbook


def table(name: str) -> dict[tuple[str, str], float]:
    rows = list(csv.reader(Path(name).open(encoding="utf-8")))[1:]
    return {(customer, month): float(value) for customer, month, value in rows}


billed, paid = table("a.csv"), table("b.csv")
sheets = {
    "Joined": [["customer", "month", "billed", "paid"]]
    + [[*k, billed[k], paid[k]] for k in sorted(billed.keys() & paid.keys())],
    "Only billed": [["customer", "month", "billed"]] + [[*k, billed[k]] for k in sorted(billed.keys() - paid.keys())],
    "Only paid": [["customer", "month", "paid"]] + [[*k, paid[k]] for k in sorted(paid.keys() - billed.keys())],
}
workbook = Workbook()
workbook.remove(workbook.active)
for name, rows in sheets.items():
    sheet = workbook.create_sheet(name)
    for row in rows:
        sheet.append(row)
Path("output").mkdir(exist_ok=True)
workbook.save("output/joined.xlsx")
