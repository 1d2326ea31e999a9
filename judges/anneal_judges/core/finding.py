"""What a check function returns, and how it says that it cannot tell."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """`share` in 0..1 of the criterion is met (of a penalty: hit).

    `observed` tells what was seen in the files and nothing else; `expected` is sealed.
    """

    share: float
    observed: str
    expected: str | None = None


class Unresolved(Exception):
    """The check cannot be decided on this file: no credit, and no violation either."""


class JudgeDefect(Exception):
    """The judge or its own data is broken: no verdict may be written."""


def holds(condition: bool, observed: str, expected: object = None) -> Finding:
    """All or nothing."""
    return Finding(1.0 if condition else 0.0, observed, None if expected is None else str(expected))


def share(right: float, total: float, observed: str, expected: object = None) -> Finding:
    """Partial credit `right / total`, kept within 0..1."""
    if total <= 0:
        raise JudgeDefect("a share of nothing")
    part = min(1.0, max(0.0, right / total))
    return Finding(part, observed, None if expected is None else str(expected))
