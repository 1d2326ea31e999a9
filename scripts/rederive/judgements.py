"""Rewards against the raw judge.json files behind them."""

import hashlib
import json
import math
from pathlib import Path

from experiment import Record
from findings import Findings, equal


def check_judgement(record: Record, blobs: Path, found: Findings) -> None:
    """The reward of a record against the raw judge.json that its digest names, and that against its own criteria."""
    name = f"{record['task']} {record['key'][:12]}#{record['epoch']}"
    reward = record["outcome"]["reward"]
    digest = record["blobs"].get("judge")
    if digest is None:
        # The outputs killed the judge, which judges an empty delivery well: 0, without a report.
        found.same(f"reward of {name} without a judge.json", 0, reward)
        return
    path = blobs / "sha256" / digest[:2] / digest
    if not path.is_file():
        found.same(f"judge.json of {name}", "a file", "missing")
        return
    raw = path.read_bytes()
    found.same(f"digest of the judge.json of {name}", hashlib.sha256(raw).hexdigest(), digest)
    try:
        verdict = json.loads(raw)
        found.same(f"reward of {name}", verdict["reward"], reward)
        found.same(f"criteria of {name} behind {reward}", True, any(equal(reward, r) for r in rewards(verdict)))
    except (ValueError, KeyError, TypeError) as error:
        found.same(f"judge.json of {name}", "readable", repr(error))


def rewards(verdict: Record) -> list[float]:
    """What the criteria of a verdict may come to: their share (30 % visual where declared), or all or nothing."""
    if not verdict["delivered"]:
        return [0.0]
    criteria = verdict["criteria"]
    total = math.fsum(c["weight"] for c in criteria if c["weight"] > 0)
    share = math.fsum(c["weight"] * c["earned"] for c in criteria) / total if total > 0 else 0.0
    visual = verdict["rewardVisual"]
    if visual is not None:
        share = 0.7 * round(share, 9) + 0.3 * visual
    share = round(share, 9)
    return [share, max(0.0, share), 1.0 if all(c["status"] == "pass" for c in criteria) else 0.0]
