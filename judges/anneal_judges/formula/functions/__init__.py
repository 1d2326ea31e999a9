"""The functions the evaluator knows, by how their arguments reach them.

EAGER gets values, LAZY gets thunks (only the taken branch is computed), POSITIONAL gets
blocks and the formula's own place.
"""

from collections.abc import Callable

from ..operators import lifted
from ..place import Place
from ..reference import Block
from ..values import Value
from . import aggregate, arithmetic, calendar_dates, conditional, logic, lookup, position, texts

EAGER: dict[str, Callable[..., Value]] = {
    **{
        name: lifted(function)
        for table in (arithmetic.FUNCTIONS, calendar_dates.FUNCTIONS, texts.FUNCTIONS, logic.TESTS)
        for name, function in table.items()
    },
    **aggregate.FUNCTIONS,
    **conditional.FUNCTIONS,
    **logic.EAGER,
    **lookup.FUNCTIONS,
    **texts.JOINS,
}
LAZY: dict[str, Callable[[list[Callable[[], Value]]], Value]] = logic.LAZY
POSITIONAL: dict[str, Callable[[list[Block], Place], Value]] = position.FUNCTIONS
