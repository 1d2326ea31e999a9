"""The functions the evaluator knows, by how their arguments reach them.

EAGER gets values, LAZY gets thunks (only the taken branch is computed), POSITIONAL gets blocks.
"""

from collections.abc import Callable

from ..reference import Block
from ..values import Value
from . import aggregate, arithmetic, calendar_dates, conditional, logic, lookup, position, texts

EAGER: dict[str, Callable[..., Value]] = {
    **aggregate.FUNCTIONS,
    **arithmetic.FUNCTIONS,
    **calendar_dates.FUNCTIONS,
    **conditional.FUNCTIONS,
    **logic.EAGER,
    **lookup.FUNCTIONS,
    **texts.FUNCTIONS,
}
LAZY: dict[str, Callable[[list[Callable[[], Value]]], Value]] = logic.LAZY
POSITIONAL: dict[str, Callable[[list[Block]], Value]] = position.FUNCTIONS
