"""Where a formula stands."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """1-based row and column on a sheet."""

    sheet: str
    row: int
    column: int
