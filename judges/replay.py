"""Replay known outputs of built tasks through their judges and compare with what each task declares.

Usage: python replay.py TASK... [--jobs N] [--keep DIR] [--json FILE]

Prints a table; exit code 1 on any miss. No jail is involved: run it on tasks you trust.
"""

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from anneal_judges.replays.replay_task import Replay, replay_task  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="replay.py", description="Replay known outputs through judges.")
    parser.add_argument("tasks", type=Path, nargs="+", help="built task folders")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keep working directories and verdicts below this folder")
    parser.add_argument("--json", type=Path, help="also write the rows, with whole verdicts, to this file")
    arguments = parser.parse_args()
    keep = arguments.keep.resolve() if arguments.keep else None
    with ThreadPoolExecutor(arguments.jobs) as pool:
        rows = [
            row for rows in pool.map(lambda task: replay_task(task.resolve(), keep), arguments.tasks) for row in rows
        ]
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    missed = [row for row in rows if row.misses]
    for row in rows:
        print(_line(row))
    print(f"{len(rows) - len(missed)} of {len(rows)} replays as declared")
    return 1 if missed else 0


def _line(row: Replay) -> str:
    low, high = row.declared
    declared = f"{low:g}" if low == high else f"{low:g}..{high:g}"
    reward = "none" if row.reward is None else f"{row.reward:.4f}"
    note = "; ".join(row.misses) if row.misses else ", ".join(row.failing)
    sign = "MISS" if row.misses else "ok"
    return f"{row.task:5} {row.name:11} {reward:>8} {declared:>9} {sign:4} {row.seconds:5.2f}s {note}"


if __name__ == "__main__":
    sys.exit(main())
