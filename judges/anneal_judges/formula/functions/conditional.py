"""SUMIF, COUNTIFS and the rest that pick cells by criteria."""

import math
from collections.abc import Callable

from ..values import DIV0, VALUE, Raised, Scalar, Value, flat
from .aggregate import numbers
from .criteria_match import criteria_match


def _picked(target: Value, pairs: tuple[Value, ...]) -> list[Scalar]:
    """The cells of the target where every (range, criterion) pair matches."""
    cells = flat(target)
    keep = [True] * len(cells)
    for tested, criterion in zip(pairs[::2], pairs[1::2], strict=True):
        candidates = flat(tested)
        if len(candidates) != len(cells):
            raise Raised(VALUE)
        matches = criteria_match(criterion)
        keep = [kept and matches(cell) for kept, cell in zip(keep, candidates, strict=True)]
    return [cell for cell, kept in zip(cells, keep, strict=True) if kept]


def _mean(found: list[float]) -> Value:
    return math.fsum(found) / len(found) if found else DIV0


def _numbers(target: Value, *pairs: Value) -> list[float]:
    return list(numbers([_picked(target, pairs)]))


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "SUMIF": lambda tested, criterion, target=None: math.fsum(_numbers(_target(target, tested), tested, criterion)),
    "AVERAGEIF": lambda tested, criterion, target=None: _mean(_numbers(_target(target, tested), tested, criterion)),
    "COUNTIF": lambda tested, criterion: float(len(_picked(tested, (tested, criterion)))),
    "SUMIFS": lambda target, *pairs: math.fsum(_numbers(target, *pairs)),
    "AVERAGEIFS": lambda target, *pairs: _mean(_numbers(target, *pairs)),
    "MAXIFS": lambda target, *pairs: max(_numbers(target, *pairs), default=0.0),
    "MINIFS": lambda target, *pairs: min(_numbers(target, *pairs), default=0.0),
    "COUNTIFS": lambda *pairs: float(len(_picked(pairs[0], pairs))),
}


def _target(target: Value, tested: Value) -> Value:
    return tested if target is None else target
