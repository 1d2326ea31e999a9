"""What was compared, and each difference."""

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

TOLERANCE = 1e-9


@dataclass
class Findings:
    """What was compared, each difference, and what has to be known beside them."""

    group: str = ""
    compared: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def same(self, what: str, derived: Any, stated: Any) -> None:
        self.compared[self.group] += 1
        if not equal(derived, stated):
            self.differences.append(f"{self.group}: {what} is {stated!r}, the records give {derived!r}")


def equal(derived: Any, stated: Any) -> bool:
    if isinstance(derived, bool) or isinstance(stated, bool) or derived is None or stated is None:
        return derived is stated
    if isinstance(derived, (int, float)) and isinstance(stated, (int, float)):
        return math.isclose(derived, stated, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return derived == stated
