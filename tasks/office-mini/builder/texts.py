"""Plain text inputs."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """With newlines as given, whatever the machine's are."""
    path.write_bytes(text.encode("utf-8"))


def write_csv(path: Path, rows: Sequence[Sequence[object]]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    write_text(path, buffer.getvalue())
