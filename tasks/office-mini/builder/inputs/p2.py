"""The quarterly deck and a table to add."""

from pathlib import Path
from random import Random

from ..texts import write_csv
from .quarter_deck import REGIONS, write_quarter_deck


def write(directory: Path, random: Random) -> None:
    write_quarter_deck(directory, Random("quarter-deck"))
    rows = [
        [r, random.randrange(210, 990), random.randrange(20_000, 99_000) / 100, random.randrange(3, 40)]
        for r in REGIONS
    ]
    write_csv(directory / "q3.csv", [["Region", "Orders", "Revenue", "Returns"], *rows])
