"""A path inside an untrusted tree, followed nowhere else."""

import os
import stat
from pathlib import Path, PurePosixPath

FILE_LIMIT = 50_000_000


class NotRegular(OSError):
    """Something is there, but no regular file of a readable size."""


def checked_path(root: Path, relative: str) -> Path:
    """The regular file at `relative` below `root`.

    No component may be a link. Raises FileNotFoundError, or NotRegular for links,
    folders, devices, pipes and files over 50 MB.
    """
    parts = PurePosixPath(relative).parts
    if not parts or ".." in parts or parts[0] == "/":
        raise ValueError(f"not a path inside the tree: {relative!r}")
    path = root
    for position, part in enumerate(parts):
        path = path / part
        status = os.lstat(path)
        last = position == len(parts) - 1
        if not (stat.S_ISREG(status.st_mode) if last else stat.S_ISDIR(status.st_mode)):
            raise NotRegular(f"{relative}: {'not a regular file' if last else f'{part} is no folder'}")
        if last and status.st_size > FILE_LIMIT:
            raise NotRegular(f"{relative}: larger than {FILE_LIMIT} bytes")
    return path
