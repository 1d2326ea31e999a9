"""Totals from the request rows, and from the answers behind them."""

import sqlite3
from pathlib import Path

from answers import check_answers
from experiment import Experiment, Record
from findings import Findings


def check_ledger(experiment: Experiment, report: Record, file: Path, found: Findings) -> None:
    """Token totals from the request rows, and each attempt's own count from its rows."""
    found.group = "ledger"
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    totals = database.execute(
        "SELECT a.arm, a.role, count(*), coalesce(sum(c.reported_input + c.reported_output), 0), sum(c.charged),"
        " coalesce(sum(c.micro_usd_charged), 0)"
        " FROM call c JOIN attempt a ON a.key = c.attempt_key WHERE a.experiment = ? GROUP BY a.arm, a.role",
        (experiment.lock["id"],),
    ).fetchall()
    for arm, role, calls, reported, charged, money in totals:
        said = experiment.tokens(arm, role)
        stated = [said["calls"], said["reported"], said["charged"]]
        found.same(f"{arm} {role} requests and tokens", [calls, reported, charged], stated)
        found.same(f"{arm} {role} money", money, said["microUsd"])
    for record in experiment.attempts:
        [row] = database.execute(
            "SELECT coalesce(sum(reported_input + reported_output), 0), coalesce(sum(charged), 0) FROM call"
            " WHERE attempt_key = ? AND epoch = ?",
            (record["key"], record["epoch"]),
        ).fetchall()
        usage = record["usage"]
        name = f"{record['task']} {record['key'][:12]}#{record['epoch']}"
        found.same(f"tokens of {name}", list(row), [usage["tokensReported"], usage["tokensCharged"]])
    check_answers(experiment, report, database, found)
    database.close()
