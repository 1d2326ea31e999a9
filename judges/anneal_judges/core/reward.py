"""The arithmetic from judged criteria to one number and its parts."""

import math
from collections.abc import Sequence
from typing import Literal

from .criterion import Judged, Kind
from .finding import JudgeDefect

Clamp = Literal["none", "zero"]
DETERMINISTIC_PART = 0.7
VISUAL_PART = 0.3


def deterministic_reward(judged: Sequence[Judged]) -> float:
    """(Earned positive weight + penalties hit) / sum of positive weights; may be negative."""
    total = math.fsum(j.criterion.weight for j in judged if not j.criterion.is_penalty)
    if total <= 0:
        raise JudgeDefect("a task without positive weight")
    return settled(math.fsum(j.points for j in judged) / total)


def combined_reward(deterministic: float, visual: float | None, declares_visual: bool) -> float:
    """0.7 deterministic + 0.3 visual where the task declares visual scoring; 0.7 is never stretched to 1."""
    if not declares_visual:
        return deterministic
    if visual is None:
        raise JudgeDefect("the task declares visual scoring and no visual score is there")
    return settled(DETERMINISTIC_PART * deterministic + VISUAL_PART * visual)


def clamped(reward: float, clamp: Clamp) -> float:
    """`zero` lifts a negative reward to 0; `none` keeps it."""
    return max(0.0, reward) if clamp == "zero" else reward


def kind_score(judged: Sequence[Judged], kind: Kind) -> float | None:
    """Share of this kind's positive weight that was earned, in 0..100; None where the task has none."""
    members = [j for j in judged if j.criterion.kind == kind and not j.criterion.is_penalty]
    total = math.fsum(j.criterion.weight for j in members)
    return settled(100 * math.fsum(j.points for j in members) / total) if members else None


def strict_acceptance(judged: Sequence[Judged], delivered: bool) -> bool:
    """Whether everything required was met; partial scores never replace it."""
    return delivered and all(j.holds for j in judged if j.criterion.required)


def settled(value: float) -> float:
    """Nine decimals, so that a sum of weights prints as what it means."""
    return round(value, 9) + 0.0
