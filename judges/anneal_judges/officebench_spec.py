"""`tests/spec.json` of an imported OfficeBench task: read, and turned into criteria and a verdict."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .core.criterion import Category, Criterion, Judged
from .core.delivery import DeliveryFault
from .core.finding import JudgeDefect
from .core.printable import printable
from .core.report import build_report
from .officebench import FUNCTIONS, Item, Place, Seen, judge_item

VERSION = 1

_ASKED: dict[str, tuple[str, Category]] = {
    "contain": ("{subject} contains what was asked for", "facts"),
    "not_contain": ("{subject} leaves out what had to be left out", "scope-privacy"),
    "file_exist": ("{subject} is there", "native-structure"),
    "file_not_exist": ("{subject} is gone", "native-structure"),
    "excel_cell_value": ("cells of {subject} hold the values asked for", "facts"),
    "excel_cell_comparator": ("cells of {subject} hold allowed values", "facts"),
    "exact_match": ("the active sheet of {subject} is as asked for", "facts"),
    "diff_contain_text": ("{subject} was changed as asked for", "facts"),
    "calendar_no_overlap": ("no two events of {subject} overlap", "facts"),
}


def read_spec(tests: Path) -> dict[str, Any]:
    try:
        spec = json.loads((tests / "spec.json").read_text(encoding="utf-8"))
        if spec["version"] != VERSION or spec["mode"] != "faithful" or not spec["items"]:
            raise JudgeDefect(f"spec.json has version {spec['version']}, mode {spec['mode']}; 1, faithful are known")
        for item in spec["items"]:
            if item["function"] not in FUNCTIONS:
                raise JudgeDefect(f"unknown function {item['function']!r}")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise JudgeDefect(f"spec.json cannot be read: {error!r}") from error
    return spec


def verdict(spec: dict[str, Any], place: Place, judge: Callable[[Item, Place], Seen] = judge_item) -> dict[str, Any]:
    """The whole report. Faithful: each item weighs the same, and the reward is 1 only where all of them pass."""
    if not place.workdir.is_dir():
        raise JudgeDefect(f"no working directory at {place.workdir}")
    seen = [judge(item, place) for item in spec["items"]]
    judged = [_judged(index, item, found, len(seen)) for index, (item, found) in enumerate(zip(spec["items"], seen))]
    faults = dict.fromkeys(found.fault for found in seen if found.fault is not None and not found.passed)
    report = build_report(judged, [DeliveryFault(*fault) for fault in faults], "none", False, None)
    report["reward"] = report["rewardDeterministic"] = 1.0 if all(found.passed for found in seen) else 0.0
    return report


def _judged(index: int, item: Item, seen: Seen, total: int) -> Judged:
    text, category = _ASKED[item["function"]]
    criterion = Criterion(
        id=f"{index + 1:02d}-{item['function'].replace('_', '-')}",
        text=text.format(subject=_subject(item)),
        kind="semantic",
        weight=1 / total,
        category=category,
    )
    status = "pass" if seen.passed else "fail" if seen.decided else "unknown"
    return Judged(criterion, status, 1.0 if seen.passed else 0.0, printable(seen.observed), _expected(item))


def _subject(item: Item) -> str:
    if item["function"] == "calendar_no_overlap":
        return f"calendar/{item['username']}.ics"
    if item.get("doc_type") == "email":
        return f"the mail in emails/{item['username']}/"
    named = item.get("file") or item.get("result") or item.get("output")
    return str(named or "a file that the evaluation does not name")


def _expected(item: Item) -> str | None:
    """What the item looks for, one value a line; sealed."""
    if "keywords" in item:
        return "\n".join(item["keywords"])
    if "matches" in item:
        return "\n".join(str(match["value"] if "value" in match else match["one_of"]) for match in item["matches"])
    return item.get("expected")
