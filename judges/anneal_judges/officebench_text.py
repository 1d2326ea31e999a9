"""Turns one output file into the text that OfficeBench's evaluation functions look at.

Every reader takes a path to an existing regular file and returns text; whatever the file does to the library behind it
comes back as `Unreadable`. Imports of the office libraries are local, so that a judge pays only for what it opens.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

# Far above any office file that a task asks for, far below what would exhaust a judge.
LARGEST_FILE = 64 * 1024 * 1024
LARGEST_UNPACKED = 256 * 1024 * 1024
LARGEST_SHEET = 1_000_000

EMPTY_CELL = "[Empty Cell]"


class Unreadable(Exception):
    """The file cannot be opened as what its evaluation expects; the message says why."""


def workbook_text(path: Path) -> str:
    """The active sheet as "(row, col): value" with a tab after each cell and one line a row; formulas stay text."""
    lines = []
    for row in _rows(path):
        lines.append("".join(f"({cell.row}, {cell.column}): {_shown(cell.value)}\t" for cell in row))
    return "".join(line + "\n" for line in lines)


def workbook_values(path: Path) -> dict[tuple[int, int], object]:
    """(row, column), both from 1, to the value of each cell of the active sheet that holds one."""
    return {(cell.row, cell.column): cell.value for row in _rows(path) for cell in row if cell.value is not None}


def document_text(path: Path) -> str:
    """The body's paragraphs, one a line: no tables, headers, footers or text boxes."""
    import docx

    _check_package(path)
    try:
        return "\n".join(paragraph.text for paragraph in docx.Document(str(path)).paragraphs)
    except Exception as error:
        raise Unreadable(f"not a Word document ({type(error).__name__})") from error


def pdf_text(path: Path) -> str:
    """The text layer of all pages; an image has none."""
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    _check_size(path)
    try:
        return "".join(page.extract_text() for page in pypdf.PdfReader(str(path)).pages)
    except Exception as error:
        raise Unreadable(f"not a PDF file ({type(error).__name__})") from error


def plain_text(path: Path) -> str:
    """The file as UTF-8, line ends as newlines. Used for text and for calendars alike."""
    _check_size(path)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("not UTF-8 text") from error
    except OSError as error:
        raise Unreadable(f"cannot be read ({type(error).__name__})") from error


def mailbox_text(folder: Path) -> str:
    """Name, From, To, Subject and body of every .eml file directly in the folder, by name.

    Without a declared charset a body is US-ASCII, as RFC 5322 says; undecodable bytes become replacement characters.
    """
    parts = []
    for path in sorted(folder.glob("*.eml")):
        if not path.is_file():
            continue
        _check_size(path)
        try:
            mail = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
            headers = "".join(f"{name}: {mail[name]}\n" for name in ("From", "To", "Subject"))
            parts.append(f"Email ID: {path.name}\n{headers}Content: {_body(mail)}\n")
        except Exception as error:
            raise Unreadable(f"{path.name} is not a mail ({type(error).__name__})") from error
    return "\n".join(parts)


def _rows(path: Path) -> Iterator[tuple]:
    import openpyxl

    _check_package(path)
    try:
        sheet = openpyxl.load_workbook(str(path)).active
        area = sheet.max_row * sheet.max_column
    except Exception as error:
        raise Unreadable(f"not a workbook with an active sheet ({type(error).__name__})") from error
    if area > LARGEST_SHEET:
        raise Unreadable(f"the active sheet spans {area} cells; {LARGEST_SHEET} are read at most")
    yield from sheet.iter_rows()


def _shown(value: object) -> str:
    return EMPTY_CELL if value is None else str(value)


def _body(mail: EmailMessage) -> str:
    parts = list(mail.iter_parts()) if mail.is_multipart() else [mail]
    texts = []
    for part in parts:
        if mail.is_multipart() and part.get_content_type() not in ("text/plain", "text/html"):
            continue
        payload = part.get_payload(decode=True) or b""
        try:
            texts.append(payload.decode(part.get_content_charset() or "ascii", errors="replace"))
        except LookupError:
            texts.append(payload.decode("ascii", errors="replace"))
    return "\n".join(texts)


def _check_size(path: Path) -> None:
    size = path.stat().st_size
    if size > LARGEST_FILE:
        raise Unreadable(f"{size} bytes; {LARGEST_FILE} are read at most")


def _check_package(path: Path) -> None:
    _check_size(path)
    try:
        with zipfile.ZipFile(path) as package:
            unpacked = sum(entry.file_size for entry in package.infolist())
    except Exception as error:
        raise Unreadable(f"not an office file ({type(error).__name__})") from error
    if unpacked > LARGEST_UNPACKED:
        raise Unreadable(f"{unpacked} bytes unpacked; {LARGEST_UNPACKED} are read at most")
