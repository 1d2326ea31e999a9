"""The delivery hurdle: every required file is there, not empty, and opens as its type."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from .checked_path import checked_path
from .openers import opener_for

Fault = Literal["missing", "empty", "unreadable"]


@dataclass(frozen=True)
class DeliveryFault:
    file: str
    fault: Fault


def delivery_faults(root: Path, deliverables: Sequence[str]) -> list[DeliveryFault]:
    """What is wrong with the required files, in their declared order; empty when delivered."""
    found = ((file, delivery_fault(root, file)) for file in deliverables)
    return [DeliveryFault(file, fault) for file, fault in found if fault is not None]


def delivery_fault(root: Path, file: str) -> Fault | None:
    """Missing, empty, unreadable (also: a link, a pipe, a bomb, an encrypted file), or None."""
    try:
        content = checked_path(root, file).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return "missing"
    except OSError:
        return "unreadable"
    if not content.strip():
        return "empty"
    try:
        opener_for(PurePosixPath(file).suffix)(content)
    except Exception:
        return "unreadable"
    return None
