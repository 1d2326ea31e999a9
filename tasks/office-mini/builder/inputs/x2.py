"""A model whose defined name has lost its range."""

from pathlib import Path
from random import Random

from openpyxl.workbook.defined_name import DefinedName

from ..workbooks import add_sheet, new_workbook, save_workbook


def write(directory: Path, random: Random) -> None:
    hours = [random.randrange(20, 160) for _ in range(4)]
    rows: list[list[object]] = [["Job", "Hours", "Grade", "Cost"]]
    for row, (job, count) in enumerate(zip(["Survey", "Design", "Tender", "Site"], hours, strict=True), start=2):
        rows.append([job, count, random.randrange(1, 6), f"=B{row}*INDEX(RateTable,C{row})"])
    rows += [["Total", "=SUM(B2:B5)", None, "=SUM(D2:D5)"], ["Mean rate", None, None, "=AVERAGE(RateTable)"]]
    workbook = new_workbook("Model", rows, [14, 10, 10, 12])
    rates = [[f"Grade {grade}", random.randrange(30, 60) + 15 * grade] for grade in range(1, 6)]
    add_sheet(workbook, "Rates", [["Grade", "Rate"], *rates, [], ["Rates as of January"]])
    workbook.defined_names["RateTable"] = DefinedName("RateTable", attr_text="Rates!#REF!")
    workbook.defined_names["Hours"] = DefinedName("Hours", attr_text="Model!$B$2:$B$5")
    save_workbook(workbook, directory / "model.xlsx")
