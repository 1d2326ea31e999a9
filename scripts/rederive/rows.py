"""Request rows of the ledger as they stood at some time."""

import math
import sqlite3
from datetime import datetime

from experiment import Experiment, Record
from findings import Findings

ROWS = """
SELECT a.arm, a.role, c.attempt_key AS key, c.epoch, c.seq, c.retry_index AS retry, c.state, c.reserved, c.charged,
  c.micro_usd_reserved AS bound, c.micro_usd_charged AS money, c.reserved_at, c.settled_at, c.served_model AS model,
  c.reported_input AS inputTokens, c.reported_output AS outputTokens, c.cache_read AS cacheReadTokens,
  c.cache_write AS cacheWriteTokens, c.reasoning AS reasoningTokens, p.body AS price, n.body AS answer
FROM attempt a JOIN call c ON c.attempt_key = a.key JOIN price p ON p.id = c.price
LEFT JOIN answer n ON n.attempt_key = c.attempt_key AND n.epoch = c.epoch AND n.seq = c.seq AND n.retry_index = c.retry_index
WHERE a.experiment = ?"""


def read_rows(experiment: Experiment, database: sqlite3.Connection) -> list[Record]:
    database.row_factory = sqlite3.Row
    return [dict(row) for row in database.execute(ROWS, (experiment.lock["id"],))]


def milliseconds(at: str | None) -> float:
    """Since 1970; without a time, the end of all."""
    return math.inf if at is None else round(datetime.fromisoformat(at).timestamp() * 1000)


def is_open(row: Record, at: float) -> bool:
    """Whether a request was under way then, and its end not known yet: it stood at its bound. One of later is none of that."""
    settled = row["settled_at"]
    return row["reserved_at"] <= at and (settled is None or settled > at)


def tokens(row: Record, at: float) -> tuple[int, int]:
    """Reported and charged, as they stood."""
    if is_open(row, at):
        return 0, row["reserved"]
    return (row["inputTokens"] or 0) + (row["outputTokens"] or 0), row["charged"] or 0


def money(row: Record, at: float) -> int:
    """Millionths of a dollar, as they stood."""
    return (row["bound"] if is_open(row, at) else row["money"]) or 0


def tell_later(row: Record, at: float, of: str, found: Findings) -> None:
    """A request that was under way when something was written of it, with what was written and what it is now."""
    if is_open(row, at):
        name = f"{row['key'][:12]}#{row['epoch']} call {row['seq']}.{row['retry']}"
        now = "still open" if row["charged"] is None else f"{row['charged']} tokens, {row['money'] or 0} micro-dollars"
        found.notes.append(
            f"{name} ended after {of} was written: {row['reserved']} tokens, {row['bound'] or 0} micro-dollars then"
            f" (its bound), {now} now"
        )
