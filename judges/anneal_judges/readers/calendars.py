"""Events of a calendar as absolute times."""

import datetime as dt
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .amounts import squeezed

if TYPE_CHECKING:
    from icalendar import Calendar

EVENT_LIMIT = 5_000


@dataclass(frozen=True)
class Event:
    """`start` and `end` in UTC; a floating time (no zone) is read as UTC and marked.

    `wall` is the start as written, without its zone. `source` is the library's own component.
    """

    uid: str
    summary: str
    start: dt.datetime
    end: dt.datetime
    wall: dt.datetime
    floating: bool
    source: Any

    def overlaps(self, other: "Event") -> bool:
        return self.start < other.end and other.start < self.end


def events_of(calendar: "Calendar") -> list[Event]:
    """The events in file order, recurrences not expanded. Raises for one without a start."""
    found = calendar.walk("VEVENT")
    if len(found) > EVENT_LIMIT:
        raise ValueError("too many events")
    return [_event(component) for component in found]


def _event(component: Any) -> Event:
    if "DTSTART" not in component:
        raise ValueError("an event without DTSTART")
    wall, floating = _moment(component["DTSTART"].dt)
    start = wall.astimezone(dt.timezone.utc)
    if "DTEND" in component:
        end = _moment(component["DTEND"].dt)[0].astimezone(dt.timezone.utc)
    elif "DURATION" in component:
        end = start + component["DURATION"].dt
    else:
        end = start
    summary = squeezed(component.get("SUMMARY", ""))
    return Event(str(component.get("UID", "")), summary, start, end, wall.replace(tzinfo=None), floating, component)


def _moment(value: dt.date | dt.datetime) -> tuple[dt.datetime, bool]:
    if not isinstance(value, dt.datetime):
        return dt.datetime(value.year, value.month, value.day, tzinfo=dt.timezone.utc), True
    if value.tzinfo is None:
        return value.replace(tzinfo=dt.timezone.utc), True
    return value, False
