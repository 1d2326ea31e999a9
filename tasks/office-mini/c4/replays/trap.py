"""Typical failure: the time is written without a zone."""

# anneal-canary-9f3fe7452c041143

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

from docx import Document
from icalendar import Calendar, Event

BERLIN, HOUR = ZoneInfo("Europe/Berlin"), dt.timedelta(hours=1)
calendars = {name: Calendar.from_ical(Path(f"{name}.ics").read_bytes()) for name in ("anna", "ben")}
busy = [(e["DTSTART"].dt, e["DTEND"].dt) for c in calendars.values() for e in c.walk("VEVENT")]
candidates = [
    dt.datetime(2025, 3, 31, 9, 0, tzinfo=BERLIN) + dt.timedelta(days=day, minutes=15 * step)
    for day in range(3)
    for step in range(9)
]
start = next(s for s in candidates if all(s + HOUR <= a or s >= b for a, b in busy))
out = Path("output")
out.mkdir(exist_ok=True)
for name, calendar in calendars.items():
    event = Event()
    event.add("uid", "budget-review-2025@example.com")
    event.add("dtstamp", dt.datetime(2025, 3, 20, tzinfo=dt.timezone.utc))
    event.add("dtstart", start.replace(tzinfo=None))
    event.add("dtend", (start + HOUR).replace(tzinfo=None))
    event.add("summary", "Budget review")
    calendar.add_component(event)
    (out / f"{name}.ics").write_bytes(calendar.to_ical())
document = Document()
document.add_paragraph("Budget review")
document.add_paragraph(f"Date: {start:%Y-%m-%d}, {start:%H:%M} to {start + HOUR:%H:%M}, Berlin time")
document.add_paragraph("With Anna and Ben")
document.save(str(out / "schedule.docx"))
