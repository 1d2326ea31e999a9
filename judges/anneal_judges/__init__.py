"""Deterministic, offline judges of office files. Nothing in here executes what it judges.

What a task's `tests/judge.py` needs from the core is importable from here.
"""

from .core.case import Case
from .core.finding import Finding, JudgeDefect, Unresolved, holds, share
from .core.printable import listing, quoted
from .core.task_judge import TaskJudge

__all__ = ["Case", "Finding", "JudgeDefect", "TaskJudge", "Unresolved", "holds", "listing", "quoted", "share"]
