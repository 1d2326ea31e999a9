"""What an importer has to know about input and reference files before it can describe a task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .officebench_text import Unreadable, document_text, pdf_text, plain_text, workbook_text, workbook_values

_READERS = {
    ".xlsx": workbook_text,
    ".docx": document_text,
    ".pdf": pdf_text,
    ".txt": plain_text,
    ".eml": plain_text,
    ".ics": plain_text,
}


def inspect_input(request: dict[str, Any]) -> dict[str, Any]:
    """{path, words} -> {path, characters, found}: how much text the file has, and which words stand in it."""
    path = Path(request["path"])
    reader = _READERS.get(path.suffix.lower())
    try:
        text = "" if reader is None else reader(path)
    except Unreadable:
        text = ""
    return {
        "path": request["path"],
        "characters": len(text.strip()),
        "found": [word for word in request["words"] if word in text],
    }


def workbook_rows(path: str) -> list[list[Any]] | None:
    """The active sheet as rows of plain values, or None where a value is no text, number, truth value or gap."""
    try:
        values = workbook_values(Path(path))
    except Unreadable:
        return None
    if not all(isinstance(value, (str, int, float, bool)) for value in values.values()):
        return None
    height = max((row for row, _ in values), default=0)
    width = max((column for _, column in values), default=0)
    return [[values.get((row, column)) for column in range(1, width + 1)] for row in range(1, height + 1)]
