"""Replays imported tasks through their judge: what their key asks for, nothing, the inputs as they came, and rubbish.

One process for a whole import. Scripts come from the importer, so they run here without a jail; nothing from upstream
is executed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from .core.finding import JudgeDefect
from .officebench import Place, Seen, judge_item
from .officebench_spec import read_spec, verdict

FOLDERS = ("data", "emails", "calendar")
# Invalid as text, archive, document and picture alike, without a letter or a digit in it.
RUBBISH = b"\xff\xfe\x00\x81\xc3\x28\x00\xf5" * 16


def replay_task(task: dict[str, Any]) -> dict[str, Any]:
    """`task` is {id, tests, oracle, alternatives: {name: script}, careless: [script]}; each is answered by a replay.

    Careless scripts are tried in order until one comes to its end and earns nothing.
    """
    tests = Path(task["tests"])
    pristine = tests / "pristine"
    with tempfile.TemporaryDirectory(prefix="anneal-replay-") as scratch:
        room = Path(scratch)
        empty = _testbed(room / "empty", None)
        done = _testbed(room / "oracle", pristine)
        replays = {
            "empty": _judged(tests, empty),
            "unmodified": _judged(tests, _testbed(room / "unmodified", pristine)),
            "oracle": _run(task["oracle"], done) or _judged(tests, done),
        }
        _spoil(done, pristine)
        replays["corrupt"] = _judged(tests, done)
        alternatives = {
            name: _scripted(script, tests, room / f"alternative-{name}")
            for name, script in task["alternatives"].items()
        }
        careless = []
        for index, script in enumerate(task["careless"]):
            careless.append(_scripted(script, tests, room / f"careless-{index}"))
            if careless[-1]["reward"] == 0 and careless[-1]["defect"] is None:
                break
    return {"id": task["id"], "replays": replays, "alternatives": alternatives, "careless": careless}


def _scripted(script: str, tests: Path, workdir: Path) -> dict[str, Any]:
    _testbed(workdir, tests / "pristine")
    result = _run(script, workdir) or _judged(tests, workdir)
    shutil.rmtree(workdir)
    return result


def _testbed(target: Path, pristine: Path | None) -> Path:
    target.mkdir()
    if pristine is not None:
        shutil.copytree(pristine, target, dirs_exist_ok=True)
    for name in FOLDERS:
        (target / name).mkdir(exist_ok=True)
    return target


def _run(script: str, workdir: Path) -> dict[str, Any] | None:
    """None where the script came to its end."""
    before = os.getcwd()
    os.chdir(workdir)
    try:
        exec(compile(script, "solution", "exec"), {"__name__": "__main__"})  # noqa: S102
    except Exception as error:
        return {"reward": 0, "items": [], "defect": f"the script failed: {type(error).__name__}: {error}"[:300]}
    finally:
        os.chdir(before)
    return None


def _judged(tests: Path, workdir: Path) -> dict[str, Any]:
    seen: list[Seen] = []

    def watch(item: dict[str, Any], place: Place) -> Seen:
        seen.append(judge_item(item, place))
        return seen[-1]

    try:
        report = verdict(read_spec(tests), Place(workdir, tests), watch)
    except JudgeDefect as defect:
        return {"reward": 0, "items": [], "defect": str(defect)}
    items = [{"passed": one.passed, "decided": one.decided, "observed": one.observed} for one in seen]
    return {"reward": report["reward"], "items": items, "defect": None}


def _spoil(workdir: Path, pristine: Path) -> None:
    """Overwrites whatever is new or changed against the inputs."""
    for path in workdir.rglob("*"):
        if not path.is_file():
            continue
        original = pristine / path.relative_to(workdir)
        if not original.is_file() or original.read_bytes() != path.read_bytes():
            path.write_bytes(RUBBISH)
