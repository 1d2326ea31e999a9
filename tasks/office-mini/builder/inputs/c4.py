"""Two calendars in different time zones, days after the change to summer time."""

from pathlib import Path
from random import Random

from ..texts import write_text

BRIEF = """\
# Budget review

Anna and Ben meet for one hour, called "Budget review".

- Some day from Monday 2025-03-31 to Wednesday 2025-04-02, between 09:00 and 12:00 in Berlin.
- Both must be free for the whole hour; meetings that touch end to start are fine.
- Berlin changed to summer time on 2025-03-30.
"""
ZONE = """\
BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:CEST
END:DAYLIGHT
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:CET
END:STANDARD
END:VTIMEZONE
"""
LOCAL, UTC = "TZID=Europe/Berlin:", "Z"
# In Berlin only Tuesday from 10:00 to 11:00 is free for both; 10:00 read as UTC meets Anna's lunch.
ANNA = [
    ("Planning", "20250331T090000", "20250331T113000"),
    ("Call with Oslo", "20250401T110000", "20250401T120000"),
    ("Team lunch", "20250401T120000", "20250401T133000"),
    ("Interviews", "20250402T093000", "20250402T120000"),
]
BEN = [
    ("Audit", "20250331T083000", "20250331T100000"),
    ("Stand-up", "20250401T060000", "20250401T080000"),
    ("Site visit", "20250402T060000", "20250402T080000"),
]


def write(directory: Path, random: Random) -> None:
    for name, events, zone in (("anna", ANNA, LOCAL), ("ben", BEN, UTC)):
        blocks = [_event(f"{random.getrandbits(48):012x}@example.com", event, zone) for event in events]
        head = f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//example//{name}//EN\n{ZONE if zone == LOCAL else ''}"
        write_text(directory / f"{name}.ics", f"{head}{''.join(blocks)}END:VCALENDAR\n".replace("\n", "\r\n"))
    write_text(directory / "brief.md", BRIEF)


def _event(uid: str, event: tuple[str, str, str], zone: str) -> str:
    summary, start, end = event
    times = [
        f"DT{edge};{LOCAL}{at}" if zone == LOCAL else f"DT{edge}:{at}Z" for edge, at in (("START", start), ("END", end))
    ]
    lines = ["BEGIN:VEVENT", f"UID:{uid}", "DTSTAMP:20250301T080000Z", *times, f"SUMMARY:{summary}", "END:VEVENT"]
    return "".join(f"{line}\n" for line in lines)
