"""Typical failure: the fifth file, the calendar, is forgotten."""

# anneal-canary-54c4bd522a17b240

import csv
import datetime as dt
import json
from pathlib import Path

from docx import Document
from openpyxl import Workbook

GUESTS = 20
menu = [
    (r["dish"], float(r["cost_per_person"]) * GUESTS, r["vegetarian"] == "yes")
    for r in csv.DictReader(Path("menu.csv").open())
    if r["nuts"] == "no"
]
cheap = sorted(menu, key=lambda row: row[1])
chosen = [row for row in cheap if row[2]][:3]
chosen += [row for row in cheap if row not in chosen][:2]
dates = [dt.date(2025, 6, 2) + dt.timedelta(days=day) for day in range(5)]
days = [
    {"date": date.isoformat(), "dish": dish, "cost": round(cost, 2)}
    for date, (dish, cost, _) in zip(dates, chosen, strict=True)
]
plan = {"days": days, "total": round(sum(day["cost"] for day in days), 2)}
out = Path("output")
out.mkdir(exist_ok=True)
(out / "plan.json").write_text(json.dumps(plan, indent=2), encoding="utf-8")
(out / "plan.py").write_text(f"import json\n\nPLAN = {plan!r}\n\nprint(json.dumps(PLAN))\n", encoding="utf-8")

workbook = Workbook()
sheet = workbook.active
sheet.title = "Plan"
sheet.append(["Date", "Dish", "Cost"])
for day in days:
    sheet.append([day["date"], day["dish"], day["cost"]])
sheet.append(["Total", None, "=SUM(C2:C6)"])
workbook.save(out / "plan.xlsx")

document = Document()
table = document.add_table(rows=0, cols=2)
for texts in [("Date", "Dish"), *((day["date"], day["dish"]) for day in days)]:
    for cell, text in zip(table.add_row().cells, texts, strict=True):
        cell.text = text
document.save(out / "plan.docx")
