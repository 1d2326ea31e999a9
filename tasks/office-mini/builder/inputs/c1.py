"""Half a year of shop data and a sheet of stale key figures."""

from pathlib import Path
from random import Random

from ..workbooks import add_sheet, new_workbook, save_workbook

DEFINITIONS = [
    ("Conversion (%)", "all orders divided by all visits, times 100"),
    ("Average order value", "all revenue divided by all orders"),
    ("Refund rate (%)", "all refunds divided by all revenue, times 100"),
    ("Revenue growth (%)", "revenue of June divided by revenue of January, minus 1, times 100"),
]


def write(directory: Path, random: Random) -> None:
    rows = []
    for position, month in enumerate(["January", "February", "March", "April", "May", "June"]):
        visits = random.randrange(8_000, 12_000) + 400 * position
        orders = visits * random.randrange(31, 44) // 1_000
        revenue = orders * random.randrange(4_000, 6_500) / 100
        rows.append([month, visits, orders, round(revenue, 2), round(revenue * random.randrange(11, 39) / 1_000, 2)])
    workbook = new_workbook("Data", [["Month", "Visits", "Orders", "Revenue", "Refunds"], *rows], [12, 10, 10, 12, 12])
    stale = [[name, random.randrange(10, 600) / 10, definition] for name, definition in DEFINITIONS]
    add_sheet(workbook, "KPI", [["KPI", "Value", "Definition"], *stale], [22, 10, 60])
    save_workbook(workbook, directory / "kpi.xlsx")
