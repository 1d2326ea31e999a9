"""The quarterly deck and the next quarter's figures."""

from pathlib import Path
from random import Random

from ..texts import write_csv
from .quarter_deck import REGIONS, write_quarter_deck


def write(directory: Path, random: Random) -> None:
    write_quarter_deck(directory, Random("quarter-deck"))
    write_csv(
        directory / "q4.csv", [["Region", "Q4 revenue"], *([r, random.randrange(2_000, 9_000) / 10] for r in REGIONS)]
    )
