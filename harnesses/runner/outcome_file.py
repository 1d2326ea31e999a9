"""Writes `outcome.json`; its reader outside the jail treats every field as a claim of hostile code."""

import json
import traceback
from pathlib import Path

HARNESS_MODULES = ("harness_agent", "harness_environment")


def exception_signature(error: BaseException) -> str:
    """`Class at file:function`, innermost frame of the revision's own files when one is in the traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/opt/harness/" in frame.filename]
    frame = (own or frames or [None])[-1]
    where = f" at {Path(frame.filename).name}:{frame.name}" if frame else ""
    return f"{type(error).__name__}{where}"[:200]


def write_outcome(out: Path, *, exit_status: str, signature: str, detail: str, calls: int, files: list[str]) -> None:
    """Write the file whole, by rename."""
    temporary = out / "outcome.json.part"
    body = {
        "version": 1,
        "exit_status": exit_status,
        "exception_signature": signature,
        "detail": detail[:2000],
        "calls": calls,
        "files": files,
    }
    temporary.write_text(json.dumps(body, ensure_ascii=False), encoding="utf-8")
    temporary.rename(out / "outcome.json")
