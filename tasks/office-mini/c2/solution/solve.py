"""Reference solution: the three cheapest vegetarian dishes and the two cheapest others."""

# anneal-canary-54c4bd522a17b240

import csv
import datetime as dt
import json
from pathlib import Path
from zoneinfo import ZoneInfo

from docx import Document
from icalendar import Calendar, Event
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

calendar = Calendar()
calendar.add("prodid", "-//lunch//EN")
calendar.add("version", "2.0")
for date, day in zip(dates, days, strict=True):
    event = Event()
    event.add("uid", f"lunch-{date}@example.com")
    event.add("dtstamp", dt.datetime(2025, 5, 1, tzinfo=dt.timezone.utc))
    event.add("dtstart", dt.datetime.combine(date, dt.time(12, 30), ZoneInfo("Europe/Berlin")))
    event.add("dtend", dt.datetime.combine(date, dt.time(13, 15), ZoneInfo("Europe/Berlin")))
    event.add("summary", day["dish"])
    calendar.add_component(event)
(out / "plan.ics").write_bytes(calendar.to_ical())
