"""One working directory through a task's judge, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

RUN = Path(__file__).resolve().parents[2] / "run.py"
TIMEOUT_SECONDS = 60


def judge_tree(tests: Path, workdir: Path, verdict: Path) -> tuple[dict[str, Any] | None, str]:
    """(judge.json, standard error); None where the judge itself failed or the two files disagree."""
    verdict.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-I", str(RUN), str(tests), "--workdir", str(workdir), "--verdict", str(verdict)]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    if done.returncode != 0:
        return None, done.stderr
    report = json.loads((verdict / "judge.json").read_text(encoding="utf-8"))
    if float((verdict / "reward.txt").read_text(encoding="utf-8")) != report["reward"]:
        return None, "reward.txt and judge.json disagree"
    return report, done.stderr
