"""The delivery hurdle: every required file is there, not empty, and opens as its type."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .files import Files
from .finding import JudgeDefect

Fault = Literal["missing", "empty", "unreadable"]


@dataclass(frozen=True)
class DeliveryFault:
    file: str
    fault: Fault


def delivery_faults(files: Files, deliverables: Sequence[str]) -> list[DeliveryFault]:
    """What is wrong with the required files, in their declared order; empty when delivered."""
    found = ((file, delivery_fault(files, file)) for file in deliverables)
    return [DeliveryFault(file, fault) for file, fault in found if fault is not None]


def delivery_fault(files: Files, file: str) -> Fault | None:
    """Missing, empty, unreadable (also: a link, a pipe, a bomb, an encrypted file), or None.

    A missing library is no fault of the file: ImportError and JudgeDefect pass through.
    """
    try:
        if not files.bytes(file).strip():
            return "empty"
    except (FileNotFoundError, NotADirectoryError):
        return "missing"
    except OSError:
        return "unreadable"
    try:
        files.open(file)
    except (ImportError, JudgeDefect):
        raise
    except Exception:
        return "unreadable"
    return None
