"""Judge of a join on two keys."""

# anneal-canary-a31acc04dfb1b1d3

import datetime as dt
from typing import Any

from anneal_judges import Case, Finding, TaskJudge, holds, listing
from anneal_judges.readers.amounts import amount, same_words, squeezed
from anneal_judges.readers.workbooks import rows_of, sheet_named

JOINED = "output/joined.xlsx"
COLUMNS = {
    "Joined": ["customer", "month", "billed", "paid"],
    "Only billed": ["customer", "month", "billed"],
    "Only paid": ["customer", "month", "paid"],
}
Row = tuple[Any, ...]
judge = TaskJudge([JOINED])


def wanted_rows(case: Case) -> dict[str, list[Row]]:
    bills, payments = (
        {(customer, month): float(value) for customer, month, value in case.pristine.rows(file)[1:]}
        for file in ("a.csv", "b.csv")
    )
    return {
        "Joined": [(*key, bills[key], payments[key]) for key in sorted(bills.keys() & payments.keys())],
        "Only billed": [(*key, bills[key]) for key in sorted(bills.keys() - payments.keys())],
        "Only paid": [(*key, payments[key]) for key in sorted(payments.keys() - bills.keys())],
    }


def seen_rows(case: Case, name: str) -> list[Row] | None:
    """The rows below the header; None without the sheet or its header."""
    sheet = sheet_named(case.output.workbook(JOINED), name)
    head, *rows = rows_of(sheet) if sheet is not None and rows_of(sheet) else [[]]
    wanted = COLUMNS[name]
    if len(head) < len(wanted) or not all(same_words(a, b) for a, b in zip(head, wanted, strict=False)):
        return None
    return [settled(row[: len(wanted)]) for row in rows]


def settled(row: list[Any]) -> Row:
    customer, month, *values = row
    month = month.strftime("%Y-%m") if isinstance(month, dt.date) else squeezed(month)
    return (squeezed(customer), month, *(None if (n := amount(v)) is None else round(n, 2) for v in values))


def compared(case: Case, names: list[str]) -> Finding:
    wanted = {name: wanted_rows(case)[name] for name in names}
    seen = {name: seen_rows(case, name) for name in names}
    right = all(
        rows is not None and sorted(map(str, rows)) == sorted(map(str, wanted[name])) for name, rows in seen.items()
    )
    shown = [
        f"{name}: {'no such sheet or columns' if rows is None else [row[:2] for row in rows]}"
        for name, rows in seen.items()
    ]
    return holds(right, "; ".join(shown), wanted)


@judge.criterion("joined", "Bills and payments are joined on both keys", kind="semantic", weight=0.5, category="facts")
def joined(case: Case) -> Finding:
    return compared(case, ["Joined"])


@judge.criterion(
    "unmatched", "Rows without a partner are listed, on both sides", kind="semantic", weight=0.4, category="facts"
)
def unmatched(case: Case) -> Finding:
    return compared(case, ["Only billed", "Only paid"])


@judge.criterion(
    "order", "Every sheet is sorted by customer, then month", kind="semantic", weight=0.1, category="native-structure"
)
def order(case: Case) -> Finding:
    sheets = {name: seen_rows(case, name) for name in COLUMNS}
    unsorted = [n for n, rows in sheets.items() if rows is None or [r[:2] for r in rows] != sorted(r[:2] for r in rows)]
    return holds(not unsorted, f"sheets missing or not sorted: {listing(unsorted)}")
