"""A task's `tests/judge.py`, loaded by path."""

import importlib.util
import sys
from pathlib import Path

from .finding import JudgeDefect
from .task_judge import TaskJudge


def load_judge(path: Path) -> TaskJudge:
    """The module's `judge`. Raises JudgeDefect where there is none."""
    spec = importlib.util.spec_from_file_location("task_judge_under_test", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise JudgeDefect(f"no judge at {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    judge = getattr(module, "judge", None)
    if not isinstance(judge, TaskJudge):
        raise JudgeDefect(f"{path} defines no `judge`")
    return judge
