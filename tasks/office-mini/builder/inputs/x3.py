"""Bills and payments that agree only where customer and month do."""

from pathlib import Path
from random import Random

from ..texts import write_csv

BILLED = ["K07 2025-01", "K02 2025-01", "K02 2025-02", "K05 2025-01", "K05 2025-03", "K09 2025-02", "K11 2025-02"]
PAID = ["K05 2025-03", "K02 2025-02", "K02 2025-01", "K07 2025-02", "K09 2025-02", "K12 2025-01"]


def write(directory: Path, random: Random) -> None:
    for name, column, keys in (("a.csv", "billed", BILLED), ("b.csv", "paid", PAID)):
        rows = [[*key.split(), f"{random.randrange(5_000, 90_000) / 100:.2f}"] for key in keys]
        write_csv(directory / name, [["customer", "month", column], *rows])
