"""The attempts of an experiment that count, and what can be said of a revision by them."""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

FINALS = ("final-in-domain", "final-cross-office")
COLUMNS = {
    "selection": ("selection",),
    "inDomain": FINALS[:1],
    "crossOffice": FINALS[1:],
    "all": FINALS,
}
SCORED = ("scored", "scored_with_agent_error")
Record = dict[str, Any]


class Unreadable(Exception):
    """The folder does not hold what a closed experiment has."""


def read_records(folder: Path) -> list[Record]:
    files = sorted((folder / "records").glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return sorted((json.loads(line) for line in lines), key=lambda record: record["seq"])


def with_judgements(records: list[Record]) -> list[Record]:
    """Attempts; one whose judge failed takes the first later judgement that gives a score."""
    later: dict[tuple[str, int], Record] = {}
    for record in sorted((r for r in records if r["kind"] == "judgement"), key=lambda r: r["judgement"]):
        if record["outcome"]["kind"] in SCORED:
            later.setdefault((record["key"], record["epoch"]), record)
    attempts = []
    for record in records:
        if record["kind"] != "attempt":
            continue
        outcome = record["outcome"]
        again = later.get((record["key"], record["epoch"]))
        if again is not None and outcome["kind"] == "unscored_infra" and outcome["phase"] == "judge":
            record = {**record, "outcome": again["outcome"], "blobs": {**record["blobs"], **again["blobs"]}}
        attempts.append(record)
    return attempts


class Experiment:
    """The attempts that count, and what can be said of a revision by them."""

    def __init__(self, lock: Record, records: list[Record]) -> None:
        self.lock = lock
        self.identity = lock["identity"]
        self.records = records
        self.attempts = with_judgements(records)
        self.canonical: dict[tuple[str, str, int], Record] = {}
        for record in sorted(self.attempts, key=lambda r: (r["epoch"], r["at"])):
            key = (record["revision"], record["task"], record["replicate"])
            earlier = self.canonical.get(key)
            if earlier is None or earlier["outcome"]["kind"] == "unscored_infra":
                self.canonical[key] = record

    def tasks(self, splits: tuple[str, ...]) -> list[Record]:
        return [task for task in self.identity["tasks"] if task["split"] in splits]

    def outcome(self, revision: str, task: str) -> Record | None:
        record = self.canonical.get((revision, task, 0))
        return None if record is None else record["outcome"]

    def rewards(self, revision: str, splits: tuple[str, ...]) -> dict[str, float]:
        found = {task["id"]: self.outcome(revision, task["id"]) for task in self.tasks(splits)}
        return {task: o["reward"] for task, o in found.items() if o is not None and o["kind"] in SCORED}

    def numbers(self, revision: str, column: str) -> Record:
        """One cell of the table. The mean is over scored tasks, the difference over tasks that both have scored."""
        splits = COLUMNS[column]
        planned = len(self.tasks(splits))
        kinds = Counter((self.outcome(revision, t["id"]) or {"kind": "missing"})["kind"] for t in self.tasks(splits))
        own, base = self.rewards(revision, splits), self.rewards(self.identity["harness"], splits)
        pairs = sorted(own.keys() & base.keys())
        return {
            "mean": 100 * math.fsum(own.values()) / len(own) if own else None,
            "delta": 100 * math.fsum(own[t] - base[t] for t in pairs) / len(pairs) if pairs else None,
            "pairs": len(pairs),
            "scored": len(own),
            "agentErrors": kinds["scored_with_agent_error"],
            "infra": kinds["unscored_infra"],
            "cancelled": kinds["cancelled"],
            "missing": kinds["missing"],
            "planned": planned,
            "verdict": self.verdict(column, len(own), len(base), planned),
        }

    def verdict(self, column: str, own: int, base: int, planned: int) -> str:
        floor = self.identity["reporting"]["coverageFloor"]["selection" if column == "selection" else "final"]
        if planned == 0:
            return "empty"
        needed = floor * planned - 1e-9
        return "below_floor" if own < needed else "h0_below_floor" if base < needed else "covered"

    def champions(self, arm: str) -> dict[str, str]:
        """Label to digest, from the numbers that were disclosed: the best, a tie going to the earlier revision."""
        rows = [r for r in self.records if r["kind"] == "query" and r["arm"] == arm and r["state"] == "disclosed"]
        best: dict[str, tuple[float, str]] = {}
        if not any(row["candidate"] == 0 for row in rows):
            labels: dict[int, tuple[str, ...]] = {}
        else:
            labels = {0: ("gated",)}
        seen: set[str] = set()
        for row in sorted(rows, key=lambda r: r["candidate"]):
            if row["revision"] in seen:
                continue
            seen.add(row["revision"])
            names = labels.get(row["candidate"], ("gated", "bestEvolved") if labels else ("bestEvolved",))
            for label in names:
                if label not in best or row["exact"] > best[label][0]:
                    best[label] = (row["exact"], row["revision"])
        return {label: digest for label, (_, digest) in best.items()}

    def totals_at(self, arm: str, role: str) -> str | None:
        """When the ledger's total of an arm and role was last recorded."""
        times = [r["at"] for r in self.records if (r["kind"], r.get("arm"), r.get("role")) == ("usage", arm, role)]
        return times[-1] if times else None

    def tokens(self, arm: str | None, role: str) -> Record:
        """Ledger totals as last recorded; of one arm, or of all."""
        latest = {(r["arm"], r["role"]): r for r in self.records if r["kind"] == "usage"}
        rows = [r for (a, kind), r in latest.items() if kind == role and arm in (None, a)]
        counted = {name: sum(row[name] for row in rows) for name in ("calls", "reported", "charged", "unknownRows")}
        return {**counted, "microUsd": sum(row.get("microUsd", 0) for row in rows)}
