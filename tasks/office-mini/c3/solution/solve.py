"""Reference solution."""

# anneal-canary-cbdd5e9b151a714c

import csv
import datetime as dt
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

from docx import Document
from icalendar import Calendar, Event
from openpyxl import Workbook, load_workbook

XLSX = "vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DOCX = "vnd.openxmlformats-officedocument.wordprocessingml.document"
found = []
for row in csv.DictReader(Path("ledger.csv").open()):
    value = float(row["amount"])
    if value > 5000 and not row["second_approver"]:
        found.append((row["id"], "R1", value))
    if dt.date.fromisoformat(row["date"]).weekday() >= 5:
        found.append((row["id"], "R2", value))
    if value > 100 and not row["receipt"]:
        found.append((row["id"], "R3", value))
for id, value, prepared, approved in load_workbook("manual.xlsx")["Manual"].iter_rows(min_row=2, values_only=True):
    if prepared == approved:
        found.append((id, "R4", value))
statements = [f"Exceptions: {len(found)}", f"Total amount: {sum(value for *_, value in found):.2f}"]
out = Path("output")
out.mkdir(exist_ok=True)

workbook = Workbook()
workbook.active.title = "Exceptions"
for row in [("Id", "Rule", "Amount"), *found]:
    workbook.active.append(row)
workbook.save(out / "exceptions.xlsx")

document = Document()
for line in ["Audit memo, first quarter", *statements, *(f"{id} breaks {rule}." for id, rule, _ in found)]:
    document.add_paragraph(line)
document.save(out / "memo.docx")

mail = EmailMessage()
mail["From"], mail["To"], mail["Subject"] = (
    "finance@example.com",
    "audit@example.com",
    "Audit exceptions, first quarter",
)
mail.set_content("Please find the files attached.\n\n" + "\n".join(statements) + "\n")
for name, subtype in (("exceptions.xlsx", XLSX), ("memo.docx", DOCX)):
    mail.add_attachment((out / name).read_bytes(), maintype="application", subtype=subtype, filename=name)
(out / "notice.eml").write_bytes(mail.as_bytes())

calendar, event = Calendar(), Event()
calendar.add("prodid", "-//audit//EN")
calendar.add("version", "2.0")
event.add("uid", "audit-review-2025-q1@example.com")
event.add("dtstamp", dt.datetime(2025, 4, 1, tzinfo=dt.timezone.utc))
event.add("dtstart", dt.datetime(2025, 4, 15, 10, 0, tzinfo=ZoneInfo("Europe/London")))
event.add("dtend", dt.datetime(2025, 4, 15, 11, 0, tzinfo=ZoneInfo("Europe/London")))
event.add("summary", "Audit review")
event.add("description", "See exceptions.xlsx and memo.docx in the notice.")
calendar.add_component(event)
(out / "review.ics").write_bytes(calendar.to_ical())
