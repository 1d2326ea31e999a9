"""`judge.json`, version 1."""

from collections.abc import Sequence
from typing import Any

from .criterion import Judged
from .delivery import DeliveryFault
from .reward import Clamp, clamped, combined_reward, deterministic_reward, kind_score, strict_acceptance

VERSION = 1


def build_report(
    judged: Sequence[Judged],
    faults: Sequence[DeliveryFault],
    clamp: Clamp,
    declares_visual: bool,
    visual: float | None,
) -> dict[str, Any]:
    """The whole verdict as plain data. An undelivered task earns exactly 0, penalties included."""
    delivered = not faults
    if delivered:
        deterministic = deterministic_reward(judged)
        reward = clamped(combined_reward(deterministic, visual, declares_visual), clamp)
    else:
        deterministic, visual, reward = 0.0, None, 0.0
    return {
        "version": VERSION,
        "delivered": delivered,
        "deliveryFaults": [{"file": f.file, "fault": f.fault} for f in faults],
        "criteria": [_row(j) for j in judged],
        "rewardDeterministic": deterministic,
        "rewardVisual": visual if declares_visual else None,
        "reward": reward,
        "vector": {
            "semantic": kind_score(judged, "semantic"),
            "preservation": kind_score(judged, "preservation"),
            "interaction": kind_score(judged, "interaction"),
            "strict": strict_acceptance(judged, delivered),
        },
    }


def _row(judged: Judged) -> dict[str, Any]:
    criterion = judged.criterion
    return {
        "id": criterion.id,
        "text": criterion.text,
        "kind": criterion.kind,
        "weight": criterion.weight,
        "category": criterion.category,
        "required": criterion.required,
        "status": judged.status,
        "earned": judged.earned,
        "observed": judged.observed,
        "expected": judged.expected,
    }
