"""A plain count sheet."""

from pathlib import Path
from random import Random

from ..workbooks import new_workbook, save_workbook


def write(directory: Path, random: Random) -> None:
    stations = ["Harbour", "Market", "Station", "Museum", "Park"]
    rows = [[name, *(random.randrange(90, 2_400) for _ in range(3))] for name in stations]
    workbook = new_workbook("Counts", [["Place", "Morning", "Noon", "Evening"], *rows], [14, 10, 10, 10])
    save_workbook(workbook, directory / "counts.xlsx")
