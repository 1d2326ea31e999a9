"""The files of one tree, opened on demand, each once."""

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar

from . import openers
from .checked_path import checked_path

if TYPE_CHECKING:
    from email.message import EmailMessage

    from docx.document import Document
    from icalendar import Calendar
    from openpyxl import Workbook
    from pptx.presentation import Presentation

T = TypeVar("T")
Opener = Callable[[bytes], T]


class Files:
    """Readers of one tree; paths are relative to its root.

    Every reader raises on a file that is missing, hostile or not of its type;
    `on_failure` replaces what is raised.
    """

    def __init__(self, root: Path, on_failure: type[Exception] | None = None) -> None:
        self.root = root
        self._on_failure = on_failure
        self._opened: dict[tuple[str, str], Any] = {}

    def open(self, path: str) -> Any:
        """The file as what its suffix says it is; bytes for a suffix without a reader."""
        return self._open(path, openers.opener_for(PurePosixPath(path).suffix))

    def workbook(self, path: str) -> "Workbook":
        return self._open(path, openers.open_workbook)

    def document(self, path: str) -> "Document":
        return self._open(path, openers.open_document)

    def deck(self, path: str) -> "Presentation":
        return self._open(path, openers.open_deck)

    def calendar(self, path: str) -> "Calendar":
        return self._open(path, openers.open_calendar)

    def mail(self, path: str) -> "EmailMessage":
        return self._open(path, openers.open_mail)

    def json(self, path: str) -> Any:
        return self._open(path, openers.open_json)

    def text(self, path: str) -> str:
        return self._open(path, openers.open_text)

    def rows(self, path: str) -> list[list[str]]:
        return self._open(path, openers.open_csv)

    def bytes(self, path: str) -> bytes:
        return self._open(path, openers.open_bytes)

    def exists(self, path: str) -> bool:
        """Whether a regular file of any size is there."""
        try:
            checked_path(self.root, path)
        except OSError:
            return False
        return True

    def _open(self, path: str, opener: Opener[T]) -> T:
        key = (path, opener.__name__)
        if key not in self._opened:
            try:
                self._opened[key] = opener(checked_path(self.root, path).read_bytes())
            except Exception as error:
                if self._on_failure is None:
                    raise
                raise self._on_failure(f"{path}: {error}") from error
        return self._opened[key]
