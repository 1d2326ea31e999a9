"""Every replay of one built task."""

import shutil
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .expectation import misses, violations
from .judge_tree import judge_tree
from .trees import ReplayFailed, make_trees


@dataclass(frozen=True)
class Replay:
    """One row of the table. `misses` is empty where the verdict is the declared one."""

    task: str
    name: str
    reward: float | None
    declared: tuple[float, float]
    failing: list[str]
    misses: list[str]
    seconds: float
    report: dict[str, Any] | None


def replay_task(task: Path, keep: Path | None = None) -> list[Replay]:
    """Makes the trees in a scratch folder (or below `keep`, which stays) and judges each."""
    scratch = keep / task.name if keep is not None else Path(tempfile.mkdtemp(prefix="replay-"))
    try:
        expected = tomllib.loads((task / "replays" / "expected.toml").read_text(encoding="utf-8"))
        try:
            trees = make_trees(task, scratch / "trees")
        except ReplayFailed as failure:
            return [Replay(task.name, "scripts", None, (0, 0), [], [str(failure)], 0.0, None)]
        return [_replay(task, name, tree, expected[name], scratch / "verdicts" / name) for name, tree in trees.items()]
    finally:
        if keep is None:
            shutil.rmtree(scratch)


def _replay(task: Path, name: str, tree: Path, expected: dict[str, Any], verdict: Path) -> Replay:
    started = time.monotonic()
    report, errors = judge_tree(task / "tests", tree, verdict)
    found = misses(expected, report) + ([errors.strip()] if report is None else [])
    low, high = expected["reward"]
    return Replay(
        task.name,
        name,
        report["reward"] if report else None,
        (low, high),
        violations(report)["failing"] if report else [],
        found,
        time.monotonic() - started,
        report,
    )
