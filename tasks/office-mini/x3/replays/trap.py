"""Typical failure: joined on the customer alone."""

# anneal-canary-a31acc04dfb1b1d3

import csv
from pathlib import Path

from openpyxl import Workbook

billed, paid = (list(csv.reader(Path(n).open(encoding="utf-8")))[1:] for n in ("a.csv", "b.csv"))
first_paid = {}
for customer, _, value in paid:
    first_paid.setdefault(customer, value)
customers = {row[0] for row in billed}
sheets = {
    "Joined": [["customer", "month", "billed", "paid"]]
    + sorted([c, m, float(v), float(first_paid[c])] for c, m, v in billed if c in first_paid),
    "Only billed": [["customer", "month", "billed"]]
    + sorted([c, m, float(v)] for c, m, v in billed if c not in first_paid),
    "Only paid": [["customer", "month", "paid"]] + sorted([c, m, float(v)] for c, m, v in paid if c not in customers),
}
workbook = Workbook()
workbook.remove(workbook.active)
for name, rows in sheets.items():
    sheet = workbook.create_sheet(name)
    for row in rows:
        sheet.append(row)
Path("output").mkdir(exist_ok=True)
workbook.save("output/joined.xlsx")
