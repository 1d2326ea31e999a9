"""The handbook."""

from pathlib import Path
from random import Random

from .handbook import write_handbook


def write(directory: Path, random: Random) -> None:
    write_handbook(directory)
