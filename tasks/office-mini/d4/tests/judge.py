"""Judge of an order form written from a mail."""

# anneal-canary-aef222bab3c22c4e

import re
from typing import Any

from anneal_judges import Case, Finding, TaskJudge, holds, listing, quoted
from anneal_judges.readers.amounts import amount, same_amount, same_words
from anneal_judges.readers.documents import table_rows
from anneal_judges.readers.mails import body_of

ORDER = "output/order.docx"
HEADER = ["Item", "Quantity", "Unit price", "Line total"]
judge = TaskJudge([ORDER])


def wanted_rows(case: Case) -> list[tuple[str, int, float, float]]:
    body = body_of(case.pristine.mail("order.eml"))
    items = [
        (name, int(n), float(price)) for n, name, price in re.findall(r"^- (\d+) (.+) at ([\d.]+) each", body, re.M)
    ]
    corrected, corrected_name = re.search(r"make it (\d+) ([a-z ]+)\.", body).groups()  # type: ignore[union-attr]
    counts = [(name, int(corrected) if name == corrected_name else n, price) for name, n, price in items]
    return [(name, n, price, round(n * price, 2)) for name, n, price in counts]


def order_table(case: Case) -> list[list[str]] | None:
    """The first table whose header row is the asked one."""
    for table in case.output.document(ORDER).tables:
        rows = table_rows(table)
        if rows and len(rows[0]) == len(HEADER) and all(same_words(a, b) for a, b in zip(rows[0], HEADER, strict=True)):
            return rows
    return None


@judge.criterion(
    "native-table",
    "The order stands in a native table with the four columns",
    kind="semantic",
    weight=0.2,
    category="native-structure",
)
def native_table(case: Case) -> Finding:
    return holds(
        order_table(case) is not None, f"native tables in the document: {len(case.output.document(ORDER).tables)}"
    )


@judge.criterion(
    "cells",
    "The table lists the order as the mail settles it",
    kind="semantic",
    weight=0.5,
    category="facts",
    needs=["native-table"],
)
def cells(case: Case) -> Finding:
    wanted = wanted_rows(case)
    rows = (order_table(case) or [])[1:]
    wrong = [" | ".join(new) for old, new in zip(wanted, rows, strict=False) if not same_row(old, new)]
    right = not wrong and len(rows) == len(wanted)
    return holds(right, f"{len(rows)} rows below the header; wrong: {listing(wrong)}", wanted)


def same_row(wanted: tuple[Any, ...], row: list[str]) -> bool:
    return same_words(wanted[0], row[0]) and all(
        same_amount(a, b, 0.001) for a, b in zip(wanted[1:], row[1:], strict=True)
    )


@judge.criterion("total", "The order total below the table is right", kind="semantic", weight=0.3, category="facts")
def total(case: Case) -> Finding:
    wanted = sum(row[3] for row in wanted_rows(case))
    lines = [
        p.text for p in case.output.document(ORDER).paragraphs if p.text.strip().casefold().startswith("order total")
    ]
    right = len(lines) == 1 and same_amount(amount(lines[0].partition(":")[2]), wanted, 0.001)
    return holds(right, f"line: {quoted(lines[0]) if lines else 'none'}", f"{wanted:.2f}")
