"""A ledger, manual journals and the rules they must meet."""

from pathlib import Path
from random import Random

from ..texts import write_csv, write_text
from ..workbooks import new_workbook, save_workbook

RULES = """\
# Audit rules, first quarter

- R1: a ledger entry above 5000.00 names a second approver.
- R2: no ledger entry is posted on a Saturday or Sunday.
- R3: a ledger entry above 100.00 has a receipt number.
- R4: a manual journal is approved by someone else than who prepared it.

An entry that breaks two rules counts as two exceptions. The review meeting is on
2025-04-15 from 10:00 to 11:00, Europe/London. Notices go to audit@example.com.
"""


def write(directory: Path, random: Random) -> None:
    def small() -> str:
        return f"{random.randrange(11_000, 490_000) / 100:.2f}"

    def large() -> str:
        return f"{random.randrange(510_000, 990_000) / 100:.2f}"

    rows = [
        ["L101", "2025-01-08", small(), "Okafor", "", "2231"],
        ["L102", "2025-01-11", small(), "Okafor", "", "2232"],
        ["L103", "2025-01-20", large(), "Lind", "Okafor", "2240"],
        ["L104", "2025-01-29", large(), "Lind", "", "2244"],
        ["L105", "2025-02-05", small(), "Okafor", "", ""],
        ["L106", "2025-02-12", "100.00", "Okafor", "", ""],
        ["L107", "2025-02-16", large(), "Lind", "", "2251"],
        ["L108", "2025-02-27", "5000.00", "Okafor", "", "2263"],
        ["L109", "2025-03-10", small(), "Lind", "", "2270"],
        ["L110", "2025-03-21", "64.20", "Lind", "", ""],
    ]
    write_csv(directory / "ledger.csv", [["id", "date", "amount", "approver", "second_approver", "receipt"], *rows])
    journals = [
        ["M01", float(small()), "Lind", "Okafor"],
        ["M02", float(small()), "Okafor", "Okafor"],
        ["M03", float(small()), "Okafor", "Lind"],
        ["M04", float(small()), "Lind", "Lind"],
    ]
    workbook = new_workbook("Manual", [["Id", "Amount", "Prepared by", "Approved by"], *journals], [8, 12, 14, 14])
    save_workbook(workbook, directory / "manual.xlsx")
    write_text(directory / "rules.md", RULES)
