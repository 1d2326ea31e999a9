from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from minisweagent.agents.default import DefaultAgent

Item = TypeVar("Item")


class Stage(enum.Enum):
    LOOK = "look"
    WRITE = "write"


@dataclass(slots=True)
class Notes(Generic[Item]):
    stage: Stage = Stage.LOOK
    items: list[Item] = field(default_factory=list)


class HarnessAgent(DefaultAgent):
    def run(self, task: str = "", **variables: object) -> dict:
        notes: Notes[str] = Notes()
        notes.items.append(task)
        match notes.stage:
            case Stage.LOOK:
                notes.stage = Stage.WRITE
        return super().run(task, **variables)
