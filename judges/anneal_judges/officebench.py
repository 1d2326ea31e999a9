"""OfficeBench's nine evaluation functions, in faithful mode.

Re-implemented from their published meaning, quirks included, because a verdict has to be comparable with upstream's:
a number matches inside a longer one or inside a coordinate, a live formula is compared as text, a missing file passes
`not_contain`, an absent mailbox or calendar fails whatever was asked of it. `tests/spec.json` names files relative to
the working directory (`file`, `output`, `result`) or to the tests folder (`input`, `expected`).
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timezone
from pathlib import Path
from typing import Any, Literal

from .core.checked_path import checked_path
from .core.finding import JudgeDefect
from .officebench_text import (
    Unreadable,
    document_text,
    mailbox_text,
    pdf_text,
    plain_text,
    workbook_text,
    workbook_values,
)

Fault = Literal["missing", "empty", "unreadable"]
Item = dict[str, Any]

READERS: dict[str, Callable[[Path], str]] = {
    "txt": plain_text,
    "ics": plain_text,
    "doc": document_text,
    "docx": document_text,
    "pdf": pdf_text,
    "xlsx": workbook_text,
}


@dataclass(frozen=True)
class Place:
    """Where a case lies: what the solver left, and the sealed tests folder."""

    workdir: Path
    tests: Path


@dataclass(frozen=True)
class Seen:
    """What one item found. `observed` never holds an expected value; `fault` names a file that was not delivered."""

    passed: bool
    observed: str
    fault: tuple[str, Fault] | None = None
    decided: bool = True


class Raised(Exception):
    """Upstream's function raises here, which counts as a failed item whatever it asks for."""

    def __init__(self, observed: str, fault: tuple[str, Fault] | None = None, decided: bool = True) -> None:
        super().__init__(observed)
        self.seen = Seen(False, observed, fault, decided)


def judge_item(item: Item, place: Place) -> Seen:
    """The verdict on one item. Only the judge's own defects raise."""
    function = FUNCTIONS.get(item["function"])
    if function is None:
        raise JudgeDefect(f"unknown function {item['function']!r}")
    try:
        return function(item, place)
    except Raised as raised:
        return raised.seen


def contain(item: Item, place: Place) -> Seen:
    if item["doc_type"] == "email":
        return _words(_mailbox(item["username"], place), item, f"emails/{item['username']}/")
    file = _named(item, "file")
    path = _regular(place.workdir, file)
    if path is None:
        return Seen(False, f"{file} is missing", (file, "missing"))
    return _words(_text(item["doc_type"], path, file), item, file)


def not_contain(item: Item, place: Place) -> Seen:
    seen = contain(item, place)
    return Seen(not seen.passed, seen.observed)


def file_exist(item: Item, place: Place) -> Seen:
    file = _named(item, "file")
    there = _exists(place.workdir, file)
    return Seen(there, f"{file} is {'there' if there else 'missing'}", None if there else (file, "missing"))


def file_not_exist(item: Item, place: Place) -> Seen:
    file = _named(item, "file")
    there = _exists(place.workdir, file)
    return Seen(not there, f"{file} is {'there' if there else 'not there'}")


def excel_cell_value(item: Item, place: Place) -> Seen:
    file = _named(item, "file")
    path = _regular(place.workdir, file)
    if path is None:
        return Seen(False, f"{file} is missing", (file, "missing"))
    text = _text("xlsx", path, file)
    found = sum(f"({m['row']}, {m['col']}): {m['value']}" in text for m in item["matches"])
    return _all_of(found, len(item["matches"]), "cells", file)


def excel_cell_comparator(item: Item, place: Place) -> Seen:
    file = _named(item, "file")
    path = _regular(place.workdir, file)
    if path is None:
        raise Raised(f"{file} is missing", (file, "missing"))
    text = _text("xlsx", path, file)
    found = 0
    for match in item["matches"]:
        cell = re.search(rf"\({match['row']}, {match['col']}\): (\w+)\t", text)
        found += cell is not None and cell.group(1) in match["one_of"]
    return _all_of(found, len(item["matches"]), "cells", file)


def exact_match(item: Item, place: Place) -> Seen:
    file, doc_type = _named(item, "result"), item["doc_type"]
    path = _regular(place.workdir, file)
    if path is None:
        return Seen(False, f"{file} is missing", (file, "missing"))
    expected = _reference(place, item["expected"])
    if doc_type == "xlsx":
        same = _read(workbook_values, path, file) == _own(workbook_values, expected)
        return Seen(same, f"{file}: active sheet {'equals' if same else 'differs from'} the expected one")
    if doc_type in ("txt", "ics"):
        same = _text(doc_type, path, file) == _own(plain_text, expected)
        return Seen(same, f"{file}: text {'equals' if same else 'differs from'} the expected one")
    raise Raised(f"{file}: files of type {doc_type} never compare equal", decided=False)


def diff_contain_text(item: Item, place: Place) -> Seen:
    file = _named(item, "output")
    path = _regular(place.workdir, file)
    if path is None:
        raise Raised(f"{file} is missing", (file, "missing"))
    if item["doc_type"] != "xlsx":
        raise Raised(f"{file}: files of type {item['doc_type']} cannot be compared", decided=False)
    before = _own(workbook_text, _reference(place, item["input"]))
    after = _text("xlsx", path, file)
    if before == after:
        return Seen(False, f"{file} is unchanged")
    difference = "\n".join(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0))
    found = sum(keyword in difference for keyword in item["keywords"])
    return _all_of(found, len(item["keywords"]), "words of the change", file)


def calendar_no_overlap(item: Item, place: Place) -> Seen:
    import icalendar

    file = f"calendar/{item['username']}.ics"
    path = _regular(place.workdir, file)
    if path is None:
        raise Raised(f"{file} is missing", (file, "missing"))
    try:
        events = icalendar.Calendar.from_ical(path.read_bytes()).walk("VEVENT")
        spans = [(_moment(event.get("dtstart").dt), event.get("dtend")) for event in events]
        spans.sort(key=lambda span: span[0])
        ends = [_moment(end.dt) for _, end in spans[:-1]]
    except Exception as error:
        raise Raised(
            f"{file}: not a calendar whose events all have start and end ({type(error).__name__})",
            (file, "unreadable"),
        ) from error
    free = all(end <= start for end, (start, _) in zip(ends, spans[1:]))
    return Seen(free, f"{file}: {len(spans)} events, {'none overlap' if free else 'two overlap'}")


FUNCTIONS: dict[str, Callable[[Item, Place], Seen]] = {
    function.__name__: function
    for function in (
        contain,
        not_contain,
        file_exist,
        file_not_exist,
        excel_cell_value,
        excel_cell_comparator,
        exact_match,
        diff_contain_text,
        calendar_no_overlap,
    )
}


def _words(text: str, item: Item, file: str) -> Seen:
    """Once a numeric keyword comes up, commas leave the text for it and for all that follow."""
    text, found = text.lower(), 0
    for keyword in (keyword.lower() for keyword in item["keywords"]):
        if _is_number(keyword):
            text = text.replace(",", "")
        found += keyword in text
    return _all_of(found, len(item["keywords"]), "words", file)


def _all_of(found: int, total: int, what: str, file: str) -> Seen:
    return Seen(found == total, f"{file}: {found} of {total} {what} as asked for")


def _is_number(keyword: str) -> bool:
    try:
        float(keyword)
    except ValueError:
        return False
    return True


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime):
        value = datetime.combine(value, time())
    return value if value.tzinfo is not None else value.replace(tzinfo=timezone.utc)


def _named(item: Item, key: str) -> str:
    if item.get(key) is None:
        raise Raised("the evaluation names no file", decided=False)
    return item[key]


def _regular(root: Path, relative: str) -> Path | None:
    """A regular file below `root`, reached without links; None where upstream would say that there is none."""
    try:
        return checked_path(root, relative)
    except OSError:
        return None
    except ValueError as error:
        raise JudgeDefect(str(error)) from error


def _exists(root: Path, relative: str) -> bool:
    if _regular(root, relative) is not None:
        return True
    parent = _folder(root, os.path.dirname(relative))
    return parent is not None and _folder(parent, os.path.basename(relative)) is not None


def _folder(root: Path, relative: str) -> Path | None:
    path = root
    for part in Path(relative).parts:
        path = path / part
        if path.is_symlink() or not path.is_dir():
            return None
    return path


def _mailbox(username: str, place: Place) -> str:
    for name in dict.fromkeys((username, username.lower())):
        folder = _folder(place.workdir, f"emails/{name}")
        if folder is not None:
            return _read(mailbox_text, folder, f"emails/{name}/")
    raise Raised(f"there is no mailbox emails/{username}/", (f"emails/{username}/", "missing"))


def _text(doc_type: str, path: Path, file: str) -> str:
    reader = READERS.get(doc_type)
    if reader is None:
        raise Raised(f"{file}: nothing reads the type {doc_type}", decided=False)
    return _read(reader, path, file)


def _read(reader: Callable[[Path], Any], path: Path, file: str) -> Any:
    try:
        return reader(path)
    except Unreadable as error:
        empty = path.is_file() and path.stat().st_size == 0
        raise Raised(f"{file}: {error}", (file, "empty" if empty else "unreadable")) from error


def _reference(place: Place, relative: str) -> Path:
    path = _regular(place.tests, relative)
    if path is None:
        raise JudgeDefect(f"the reference {relative} is missing")
    return path


def _own(reader: Callable[[Path], Any], path: Path) -> Any:
    try:
        return reader(path)
    except Unreadable as error:
        raise JudgeDefect(f"the reference {path.name} cannot be read: {error}") from error
