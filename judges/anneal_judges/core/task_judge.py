"""A task's judge: its deliverables and its criteria, each with the function that checks it."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from .case import Case
from .criterion import Category, Criterion, Judged, Kind, Status
from .delivery import delivery_faults
from .finding import Finding, JudgeDefect, Unresolved
from .printable import printable, quoted
from .report import build_report
from .reward import Clamp

Check = Callable[[Case], Finding]
UNDELIVERED = "not judged: a required file is missing, empty or unreadable"


class TaskJudge:
    """Collects criteria by decorator and judges one case.

    `deliverables` are paths relative to the working directory. Positive weights sum to 1.
    `declares_visual` says that 0.3 of the reward comes from a visual score.
    """

    def __init__(self, deliverables: Sequence[str], clamp: Clamp = "none", declares_visual: bool = False) -> None:
        self.deliverables = tuple(deliverables)
        self.clamp: Clamp = clamp
        self.declares_visual = declares_visual
        self.checks: list[tuple[Criterion, Check]] = []

    def criterion(
        self,
        id: str,
        text: str,
        *,
        kind: Kind,
        weight: float,
        category: Category,
        required: bool = True,
        needs: Sequence[str] = (),
    ) -> Callable[[Check], Check]:
        """Register the decorated function as the check of one criterion, in source order."""

        def register(check: Check) -> Check:
            self.add(Criterion(id, text, kind, weight, category, required, tuple(needs)), check)
            return check

        return register

    def add(self, criterion: Criterion, check: Check) -> None:
        known = {c.id for c, _ in self.checks}
        if criterion.id in known:
            raise JudgeDefect(f"criterion {criterion.id} is declared twice")
        if unknown := set(criterion.needs) - known:
            raise JudgeDefect(f"criterion {criterion.id} needs {sorted(unknown)}, not declared before it")
        self.checks.append((criterion, check))

    def report(self, case: Case, visual: float | None = None) -> dict[str, Any]:
        """The delivery hurdle first, then every criterion in order."""
        total = math.fsum(c.weight for c, _ in self.checks if not c.is_penalty)
        if abs(total - 1) > 1e-6:
            raise JudgeDefect(f"positive weights sum to {total}, not 1")
        faults = delivery_faults(case.output, self.deliverables)
        judged: dict[str, Judged] = {}
        for criterion, check in self.checks:
            if faults:
                judged[criterion.id] = Judged(criterion, "skipped", 0.0, UNDELIVERED, None)
            else:
                judged[criterion.id] = self._judge(criterion, check, case, judged)
        return build_report(list(judged.values()), faults, self.clamp, self.declares_visual, visual)

    def _judge(self, criterion: Criterion, check: Check, case: Case, before: dict[str, Judged]) -> Judged:
        for needed in criterion.needs:
            if not before[needed].holds:
                return Judged(criterion, "unknown", 0.0, f"not judged: {needed} does not hold", None)
        try:
            finding = check(case)
        except (ImportError, JudgeDefect):
            raise
        except Unresolved as reason:
            return Judged(criterion, "unknown", 0.0, printable(f"cannot tell: {reason}"), None)
        except Exception as error:
            text = f"cannot tell: {type(error).__name__} {quoted(error, 120)}"
            return Judged(criterion, "unknown", 0.0, printable(text), None)
        expected = None if finding.expected is None else printable(finding.expected, 1_000)
        return Judged(criterion, _status(criterion, finding), finding.share, printable(finding.observed), expected)


def _status(criterion: Criterion, finding: Finding) -> Status:
    if not 0 <= finding.share <= 1:
        raise JudgeDefect(f"criterion {criterion.id} found a share of {finding.share}")
    met = 1 - finding.share if criterion.is_penalty else finding.share
    return "pass" if met == 1 else "fail" if met == 0 else "partial"
