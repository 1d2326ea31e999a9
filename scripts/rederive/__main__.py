"""Derive every number of an experiment's report a second time, from the records alone.

Usage: python3 scripts/rederive EXPERIMENT_FOLDER [--blobs FOLDER] [--ledger FILE]

EXPERIMENT_FOLDER is `<data home>/experiments/exp_…` of a closed experiment. Shares no code with anneal: it reads
lock.json, the JSONL records, the raw judge.json behind each score (by digest, from `<data home>/blobs`), the request
rows, answers and prices of `<data home>/ledger.db` where it is there, and compares with the JSON report and the results table of the
Markdown report. Python 3.11, standard library only. Nothing is written.

Prints one line per group of numbers, and a note for each request that ended after a total was written: as long as it was
under way it stood there at its bound. Exit code 0: all agree · 6: something differs, each named · 2: cannot be read.
"""

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from experiment import SCORED, Experiment, Unreadable, read_records  # noqa: E402
from findings import Findings  # noqa: E402
from judgements import check_judgement  # noqa: E402
from ledger import check_ledger  # noqa: E402
from report import check_report, check_table  # noqa: E402


def rederive(folder: Path, blobs: Path, ledger: Path) -> Findings:
    found = Findings()
    lock = json.loads((folder / "lock.json").read_text(encoding="utf-8"))
    records = read_records(folder)
    if not any(r["kind"] == "decision" and r["event"] == "experiment-closed" for r in records):
        raise Unreadable(f"{lock['id']} is not closed: its finals are sealed")
    reports = sorted((folder / "reports").glob("report*.json"))
    if len(reports) != 1:
        raise Unreadable(f"{len(reports)} JSON reports in {folder / 'reports'}")
    report = json.loads(reports[0].read_text(encoding="utf-8"))
    experiment = Experiment(lock, records)
    found.group = "judgements"
    for record in experiment.attempts:
        if record["outcome"]["kind"] in SCORED:
            check_judgement(record, blobs, found)
    check_report(experiment, report, found)
    for summary in (folder / "reports").glob("summary*.md"):
        check_table(experiment, report, summary.read_text(encoding="utf-8"), found)
    if ledger.is_file():
        check_ledger(experiment, report, ledger, found)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="rederive", description="Derive a report's numbers again from the records.")
    parser.add_argument("experiment", type=Path, help="<data home>/experiments/exp_… of a closed experiment")
    parser.add_argument("--blobs", type=Path, help="default: blobs/ of the data home")
    parser.add_argument("--ledger", type=Path, help="default: ledger.db of the data home")
    arguments = parser.parse_args()
    folder = arguments.experiment.resolve()
    home = folder.parent.parent
    try:
        found = rederive(folder, arguments.blobs or home / "blobs", arguments.ledger or home / "ledger.db")
    except (Unreadable, OSError, ValueError, KeyError) as error:
        print(f"cannot be read: {error!r}", file=sys.stderr)
        return 2
    for group, count in found.compared.items():
        wrong = sum(line.startswith(f"{group}: ") for line in found.differences)
        print(f"{'ok  ' if wrong == 0 else 'FAIL'} {group:<11} {count} numbers, {wrong} differ")
    for line in found.differences:
        print(f"     {line}")
    for line in found.notes:
        print(f"note {line}")
    return 6 if found.differences else 0


if __name__ == "__main__":
    sys.exit(main())
