"""Judge of one meeting in two calendars."""

# anneal-canary-9f3fe7452c041143

import datetime as dt
import re
from zoneinfo import ZoneInfo

from anneal_judges import Case, Finding, TaskJudge, Unresolved, holds, listing
from anneal_judges.readers.calendars import Event, events_of
from anneal_judges.readers.documents import texts_of

PEOPLE = ("anna", "ben")
CALENDARS = {name: f"output/{name}.ics" for name in PEOPLE}
SCHEDULE = "output/schedule.docx"
BERLIN = ZoneInfo("Europe/Berlin")
DAYS = (dt.date(2025, 3, 31), dt.date(2025, 4, 2))
HOURS = (dt.time(9, 0), dt.time(12, 0))
judge = TaskJudge([*CALENDARS.values(), SCHEDULE])


def old_events(case: Case, name: str) -> list[Event]:
    return events_of(case.pristine.calendar(f"{name}.ics"))


def new_event(case: Case, name: str) -> Event:
    """The only event that was not there before."""
    known = {event.uid for event in old_events(case, name)}
    added = [event for event in events_of(case.output.calendar(CALENDARS[name])) if event.uid not in known]
    if len(added) != 1:
        raise Unresolved(f"{name}.ics has {len(added)} new events")
    return added[0]


@judge.criterion(
    "free",
    "Both calendars hold the same new meeting, at a time that fits the brief and is free for both",
    kind="semantic",
    weight=0.4,
    category="facts",
)
def free(case: Case) -> Finding:
    anna, ben = (new_event(case, name) for name in PEOPLE)
    start, end = (moment.astimezone(BERLIN) for moment in (anna.start, anna.end))
    clashes = [f"{name}: {old.summary}" for name in PEOPLE for old in old_events(case, name) if old.overlaps(anna)]
    fits = end - start == dt.timedelta(hours=1) and DAYS[0] <= start.date() <= DAYS[1]
    fits = fits and HOURS[0] <= start.time() and end.time() <= HOURS[1] and start.date() == end.date()
    same = (anna.uid, anna.start, anna.end) == (ben.uid, ben.start, ben.end) and anna.uid != ""
    named = all(event.summary.casefold() == "budget review" for event in (anna, ben))
    zone = ", written without a zone and so read as UTC" if anna.floating or ben.floating else ""
    seen = f"meeting {start:%Y-%m-%d %H:%M}-{end:%H:%M} in Berlin{zone}; clashes: {listing(clashes)}"
    return holds(fits and same and named and not clashes, f"{seen}; one event in both: {'yes' if same else 'no'}")


@judge.criterion(
    "old-events", "All earlier events are as they were", kind="preservation", weight=0.3, category="protected-content"
)
def earlier(case: Case) -> Finding:
    changed = []
    for name in PEOPLE:
        after = {event.uid: event for event in events_of(case.output.calendar(CALENDARS[name]))}
        for event in old_events(case, name):
            seen = after.get(event.uid)
            if seen is None or (seen.summary, seen.start, seen.end) != (event.summary, event.start, event.end):
                changed.append(f"{name}: {event.summary}")
    return holds(not changed, f"changed or gone: {listing(changed)}")


@judge.criterion(
    "schedule",
    "The document tells the meeting's date, times and people",
    kind="semantic",
    weight=0.3,
    category="cross-file",
)
def schedule(case: Case) -> Finding:
    """Compares with the time as the calendar writes it, so that a wrong zone fails one criterion only."""
    event = new_event(case, PEOPLE[0])
    start = event.wall if event.floating else event.start.astimezone(BERLIN)
    end = start + (event.end - event.start)
    text = " ".join(texts_of(case.output.document(SCHEDULE)))
    wanted = [f"{start:%Y-%m-%d}", f"{start:%H:%M}", f"{end:%H:%M}", "Anna", "Ben"]
    absent = [word for word in wanted if not re.search(rf"(?<![\w:]){re.escape(word)}(?![\w:])", text)]
    return holds(not absent, f"the document reads: {text[:200]}", wanted)
