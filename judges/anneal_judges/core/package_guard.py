"""Checks an Office package before any library unpacks it.

Every limit is a count or a size, never a duration: a verdict must not depend on the machine.
"""

import io
import re
import zipfile

from .xml_guard import guard_xml

ENTRY_LIMIT = 2_000
TOTAL_LIMIT = 100_000_000
XML_LIMIT = 16_000_000
MERGED_CELL_LIMIT = 200_000
_XML_SUFFIXES = (".xml", ".rels", ".vml")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s")
_CORNER = rb"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})"
_MERGED_RANGE = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?\bref\s*=\s*[\"']" + _CORNER + rb":" + _CORNER + rb"[\"']")


class HostilePackage(ValueError):
    """A package whose unpacking would cost too much or reach outside."""


def guard_package(content: bytes) -> None:
    """Raises for what is no zip, is encrypted, unpacks too large, or carries a DTD.

    Embedded packages are not opened here: guard them when they are read.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        entries = package.infolist()
        if len(entries) > ENTRY_LIMIT:
            raise HostilePackage(f"{len(entries)} entries")
        if sum(entry.file_size for entry in entries) > TOTAL_LIMIT:
            raise HostilePackage("unpacks too large")
        if len({entry.filename for entry in entries}) != len(entries):
            raise HostilePackage("two entries of one name")
        for entry in entries:
            if entry.flag_bits & 0x1:
                raise HostilePackage(f"{entry.filename} is encrypted")
            if entry.filename.lower().endswith(_XML_SUFFIXES):
                _guard_part(entry, package)


def _guard_part(entry: zipfile.ZipInfo, package: zipfile.ZipFile) -> None:
    if entry.file_size > XML_LIMIT:
        raise HostilePackage(f"{entry.filename} unpacks to {entry.file_size} bytes")
    _guard_merged_cells(guard_xml(package.read(entry)))


def _guard_merged_cells(part: bytes) -> None:
    """A merged range becomes one object per cell when a workbook is loaded."""
    ranges = _MERGED_RANGE.findall(part)
    if len(ranges) != len(_MERGED.findall(part)):
        raise HostilePackage("a merged range of no ordinary form")
    merged = 0
    for first_column, first_row, last_column, last_row in ranges:
        width = abs(_column(last_column) - _column(first_column)) + 1
        merged += width * (abs(int(last_row) - int(first_row)) + 1)
        if merged > MERGED_CELL_LIMIT:
            raise HostilePackage(f"more than {MERGED_CELL_LIMIT} merged cells")


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - 64
    return number
