"""What one judged requirement is, and what was found about it."""

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["usability", "semantic", "preservation", "interaction", "visual"]
Category = Literal[
    "facts",
    "native-structure",
    "protected-content",
    "evidence-trace",
    "scope-privacy",
    "cross-file",
    "visual-layout",
]
Status = Literal["pass", "fail", "partial", "unknown", "skipped"]


@dataclass(frozen=True)
class Criterion:
    """A requirement with its weight; a negative weight makes it a penalty.

    `text` and what is observed may be shown to an updater: neither names an expected value.
    `needs` lists criteria that must pass first; if one does not, this one is unknown.
    """

    id: str
    text: str
    kind: Kind
    weight: float
    category: Category
    required: bool = True
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"criterion {self.id}: unknown kind {self.kind!r}")
        if self.category not in get_args(Category):
            raise ValueError(f"criterion {self.id}: unknown category {self.category!r}")
        if self.weight == 0:
            raise ValueError(f"criterion {self.id}: a weight of 0 judges nothing")

    @property
    def is_penalty(self) -> bool:
        return self.weight < 0


@dataclass(frozen=True)
class Judged:
    """A criterion with its finding. `earned` is in 0..1; for a penalty 1 = fully hit."""

    criterion: Criterion
    status: Status
    earned: float
    observed: str
    expected: str | None

    @property
    def points(self) -> float:
        return self.criterion.weight * self.earned

    @property
    def holds(self) -> bool:
        """Whether this one counts as met for strict acceptance."""
        return self.status == "pass"
