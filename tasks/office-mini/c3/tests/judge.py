"""Judge of an audit package."""

# anneal-canary-cbdd5e9b151a714c

import datetime as dt
import re
from typing import Any

from anneal_judges import Case, Finding, TaskJudge, Unresolved, holds, listing
from anneal_judges.formula import Evaluator
from anneal_judges.readers.amounts import amount, same_words, squeezed
from anneal_judges.readers.calendars import events_of
from anneal_judges.readers.documents import texts_of
from anneal_judges.readers.mails import addressed_to, attachments_of, body_of
from anneal_judges.readers.workbooks import cells_of, rows_of, sheet_named

BOOK, MEMO, MAIL, MEETING = (f"output/{name}" for name in ("exceptions.xlsx", "memo.docx", "notice.eml", "review.ics"))
AUDITORS = "audit@example.com"
START = dt.datetime(2025, 4, 15, 9, 0, tzinfo=dt.timezone.utc)
END = START + dt.timedelta(hours=1)
Exceptions = list[tuple[str, str, float]]
judge = TaskJudge([BOOK, MEMO, MAIL, MEETING])


def wanted(case: Case) -> Exceptions:
    found: Exceptions = []
    for id, date, text, _, second, receipt in case.pristine.rows("ledger.csv")[1:]:
        value = float(text)
        if value > 5000 and not second:
            found.append((id, "R1", value))
        if dt.date.fromisoformat(date).weekday() >= 5:
            found.append((id, "R2", value))
        if value > 100 and not receipt:
            found.append((id, "R3", value))
    for id, value, prepared, approved in rows_of(case.pristine.workbook("manual.xlsx")["Manual"])[1:]:
        if prepared == approved:
            found.append((id, "R4", float(value)))
    return found


def listed(case: Case) -> Exceptions:
    """The rows of the agent's workbook, formulas evaluated."""
    workbook = case.output.workbook(BOOK)
    sheet = sheet_named(workbook, "Exceptions")
    if sheet is None:
        raise Unresolved("no sheet Exceptions")
    evaluator = Evaluator(workbook)
    rows: dict[int, dict[int, Any]] = {}
    for cell in cells_of(sheet):
        if cell.value is not None and cell.column <= 3:
            rows.setdefault(cell.row, {})[cell.column] = evaluator.value(sheet.title, cell.coordinate)
    head, *rest = ([row.get(column) for column in (1, 2, 3)] for _, row in sorted(rows.items()))
    if not all(same_words(a, b) for a, b in zip(head, ("Id", "Rule", "Amount"), strict=True)):
        raise Unresolved("the sheet has not the asked columns")
    return [
        (squeezed(i), squeezed(r), amount(a) or 0.0) for i, r, a in rest if not same_words(i, "Total") and i is not None
    ]


def statements(text: str) -> tuple[float | None, float | None]:
    """What a text says after 'Exceptions:' and 'Total amount:'."""
    plain = squeezed(text)
    found = (
        re.search(rf"{label}:\D{{0,6}}([\d.,]*\d)", plain, re.IGNORECASE) for label in ("exceptions", "total amount")
    )
    count, total = (amount(match.group(1)) if match else None for match in found)
    return count, total


@judge.criterion(
    "exceptions", "The workbook lists exactly the exceptions", kind="semantic", weight=0.35, category="facts"
)
def exceptions(case: Case) -> Finding:
    seen, right = listed(case), wanted(case)
    same = sorted((i, r, round(a, 2)) for i, r, a in seen) == sorted((i, r, round(a, 2)) for i, r, a in right)
    return holds(same, f"{len(seen)} rows: {listing(f'{i} {r} {a:.2f}' for i, r, a in seen)}", right)


@judge.criterion(
    "agreement", "Memo and mail say what the workbook says", kind="semantic", weight=0.3, category="cross-file"
)
def agreement(case: Case) -> Finding:
    rows = listed(case)
    truth = (float(len(rows)), round(sum(a for _, _, a in rows), 2))
    memo = " ".join(texts_of(case.output.document(MEMO)))
    said = {"memo": statements(memo), "mail": statements(body_of(case.output.mail(MAIL)))}
    known = {row[0] for row in case.pristine.rows("ledger.csv")[1:]}
    known |= {str(row[0]) for row in rows_of(case.pristine.workbook("manual.xlsx")["Manual"])[1:]}
    named = {word for word in re.findall(r"\w+", memo) if word in known}
    off = [
        where
        for where, (count, total) in said.items()
        if count != truth[0] or total is None or abs(total - truth[1]) > 0.005
    ]
    right = not off and named == {i for i, _, _ in rows}
    return holds(right, f"workbook {truth}, {said}; ids in the memo: {listing(sorted(named))}")


@judge.criterion(
    "attachments",
    "The mail to the auditors carries both files as they are",
    kind="semantic",
    weight=0.25,
    category="cross-file",
)
def attachments(case: Case) -> Finding:
    mail = case.output.mail(MAIL)
    carried = attachments_of(mail)
    files = {path.rpartition("/")[2]: case.output.bytes(path) for path in (BOOK, MEMO)}
    seen = [
        f"{name}: {'same bytes' if files.get(name) == content else 'other bytes'}" for name, content in carried.items()
    ]
    return holds(carried == files and addressed_to(mail, AUDITORS), f"to {mail['to']}; attached: {listing(seen)}")


@judge.criterion(
    "meeting",
    "The meeting is at its time and refers to both files without attaching them",
    kind="semantic",
    weight=0.1,
    category="evidence-trace",
)
def meeting(case: Case) -> Finding:
    found = events_of(case.output.calendar(MEETING))
    if len(found) != 1:
        return holds(False, f"{len(found)} events")
    event = found[0]
    description = str(event.source.get("DESCRIPTION", ""))
    named = [name for name in ("exceptions.xlsx", "memo.docx") if name in description]
    attached = "ATTACH" in event.source
    right = (event.start, event.end) == (START, END) and not event.floating and len(named) == 2 and not attached
    when = f"{event.start:%Y-%m-%d %H:%M}-{event.end:%H:%M} UTC{' (no zone)' if event.floating else ''}"
    return holds(
        right,
        f"{when}; names {listing(named)}; attachment: {'yes' if attached else 'no'}",
        f"{START:%Y-%m-%d %H:%M} UTC",
    )
