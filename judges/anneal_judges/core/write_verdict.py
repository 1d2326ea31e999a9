"""`reward.txt` and `judge.json`, the number last: where it stands, the rest is complete."""

import json
import os
from pathlib import Path
from typing import Any

REPORT = "judge.json"
REWARD = "reward.txt"


def remove_verdict(directory: Path) -> None:
    """Nothing of an earlier run may pass for this one."""
    for name in (REWARD, REPORT):
        (directory / name).unlink(missing_ok=True)


def write_verdict(report: dict[str, Any], directory: Path) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    _replace(directory / REPORT, text)
    _replace(directory / REWARD, f"{report['reward']!r}\n")


def _replace(path: Path, text: str) -> None:
    partial = path.with_name(path.name + ".part")
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)
