"""From the bytes of one file to the library's object; each raises on a file it cannot vouch for.

The office libraries are imported by the reader that needs them: one costs 0.1 to 0.2 s.
"""

import ast
import csv
import io
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .package_guard import guard_package

if TYPE_CHECKING:
    from email.message import EmailMessage

    from docx.document import Document
    from icalendar import Calendar
    from openpyxl import Workbook
    from pptx.presentation import Presentation

TEXT_LIMIT = 5_000_000
SOURCE_LIMIT = 100_000
MAIL_LIMIT = 30_000_000
BOUNDARY_LIMIT = 100


class Malformed(ValueError):
    """Not a usable file of its type."""


def open_bytes(content: bytes) -> bytes:
    return content


def open_workbook(content: bytes) -> "Workbook":
    """Formulas as text, no cached results."""
    from openpyxl import load_workbook

    guard_package(content)
    workbook = load_workbook(io.BytesIO(content), data_only=False, keep_links=False)
    if not workbook.worksheets:
        raise Malformed("a workbook without a worksheet")
    return workbook


def open_document(content: bytes) -> "Document":
    from docx import Document

    guard_package(content)
    document = Document(io.BytesIO(content))
    if document.element.body is None:
        raise Malformed("a document without a body")
    return document


def open_deck(content: bytes) -> "Presentation":
    from pptx import Presentation

    guard_package(content)
    deck = Presentation(io.BytesIO(content))
    for slide in deck.slides:
        slide.shapes  # noqa: B018  (a slide list entry without its part raises here)
    return deck


def open_calendar(content: bytes) -> "Calendar":
    from icalendar import Calendar

    calendar = Calendar.from_ical(open_text(content))
    if calendar.name != "VCALENDAR":
        raise Malformed("not an iCalendar object")
    return calendar


def open_mail(content: bytes) -> "EmailMessage":
    """RFC 5322; a message needs a sender or a recipient, or any bytes would pass for mail."""
    from email import policy
    from email.parser import BytesParser

    # The parser takes time with the depth of nesting times the number of lines.
    if len(content) > MAIL_LIMIT or content.lower().count(b"boundary") > BOUNDARY_LIMIT:
        raise Malformed("a message too large or nested too deep")
    mail = BytesParser(policy=policy.default).parsebytes(content)
    if mail["from"] is None and mail["to"] is None:
        raise Malformed("a message without From and To")
    return mail


def open_text(content: bytes) -> str:
    """UTF-8, with or without a byte order mark."""
    if len(content) > TEXT_LIMIT:
        raise Malformed(f"text larger than {TEXT_LIMIT} bytes")
    text = content.decode("utf-8-sig")
    if "\0" in text:
        raise Malformed("text with NUL characters")
    return text


def open_json(content: bytes) -> Any:
    return json.loads(open_text(content))


def open_csv(content: bytes) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(open_text(content), newline="")) if row]


def open_python(content: bytes) -> ast.Module:
    """The syntax tree; the source is never run."""
    if len(content) > SOURCE_LIMIT:
        raise Malformed(f"source larger than {SOURCE_LIMIT} bytes")
    return ast.parse(open_text(content))


def open_image(content: bytes) -> bytes:
    from PIL import Image

    with Image.open(io.BytesIO(content)) as image:
        image.verify()
    return content


def open_pdf(content: bytes) -> Any:
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(content))
    if not reader.pages:
        raise Malformed("a PDF without pages")
    return reader


_OPENERS: dict[str, Callable[[bytes], Any]] = {
    ".xlsx": open_workbook,
    ".xlsm": open_workbook,
    ".docx": open_document,
    ".pptx": open_deck,
    ".ics": open_calendar,
    ".eml": open_mail,
    ".json": open_json,
    ".csv": open_csv,
    ".py": open_python,
    ".txt": open_text,
    ".md": open_text,
    ".html": open_text,
    ".png": open_image,
    ".jpg": open_image,
    ".jpeg": open_image,
    ".pdf": open_pdf,
}


def opener_for(suffix: str) -> Callable[[bytes], Any]:
    """The reader of a file suffix; bytes as they are for one without a reader."""
    return _OPENERS.get(suffix.lower(), open_bytes)
