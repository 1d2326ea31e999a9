"""Totals from the request rows, and from the answers behind them."""

import sqlite3
from pathlib import Path

from answers import check_answers
from experiment import Experiment, Record
from findings import Findings
from rows import milliseconds, money, read_rows, tell_later, tokens


def check_ledger(experiment: Experiment, report: Record, file: Path, found: Findings) -> None:
    """Token totals from the request rows, and each attempt's own count from its rows, as they stood when they were written."""
    found.group = "ledger"
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    rows = read_rows(experiment, database)
    database.close()
    for arm, role in sorted({(row["arm"], row["role"]) for row in rows}):
        own = [row for row in rows if (row["arm"], row["role"]) == (arm, role)]
        at = milliseconds(experiment.totals_at(arm, role))
        for row in own:
            tell_later(row, at, f"the total of {arm} {role}", found)
        counted = [tokens(row, at) for row in own]
        said = experiment.tokens(arm, role)
        derived = [len(own), sum(reported for reported, _ in counted), sum(charged for _, charged in counted)]
        found.same(f"{arm} {role} requests and tokens", derived, [said["calls"], said["reported"], said["charged"]])
        found.same(f"{arm} {role} money", sum(money(row, at) for row in own), said["microUsd"])
        later = sum(row["reserved_at"] > at for row in own)
        found.same(f"{arm} {role} requests that began after their total was written", later, 0)
    by_epoch: dict[tuple[str, int], list[Record]] = {}
    for row in rows:
        by_epoch.setdefault((row["key"], row["epoch"]), []).append(row)
    for record in experiment.attempts:
        own = by_epoch.get((record["key"], record["epoch"]), [])
        at = milliseconds(record["at"])
        name = f"{record['task']} {record['key'][:12]}#{record['epoch']}"
        for row in own:
            tell_later(row, at, f"the record of {name}", found)
        counted = [tokens(row, at) for row in own]
        usage = record["usage"]
        derived = [sum(reported for reported, _ in counted), sum(charged for _, charged in counted)]
        found.same(f"tokens of {name}", derived, [usage["tokensReported"], usage["tokensCharged"]])
    check_answers(experiment, report, rows, found)
