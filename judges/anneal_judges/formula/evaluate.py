"""Evaluates cells of a workbook on demand, with cells set to other values where asked."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_to_tuple
from openpyxl.worksheet.formula import ArrayFormula

from . import functions
from .operators import binary, unary
from .place import Place
from .reference import Block, parse_block, split_sheet
from .syntax import ArrayConstant, Call, Constant, Node, Operation, Reference, parse
from .tables import table_block
from .values import NAME, REF, Matrix, Raised, Scalar, Unsupported, Value, scalar_of, single

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

BLOCK_LIMIT = 200_000
READ_LIMIT = 1_000_000


class Evaluator:
    """`overrides` maps (sheet, coordinate) to a value that stands in for the cell's content."""

    def __init__(self, workbook: "Workbook", overrides: Mapping[tuple[str, str], object] | None = None) -> None:
        self.workbook = workbook
        self.overrides = dict(overrides or {})
        self.reads: set[tuple[str, str]] = set()
        self._sheets = {s.title.casefold(): s for s in workbook.worksheets}
        self._done: dict[tuple[str, str], Scalar] = {}
        self._running: set[tuple[str, str]] = set()
        self._read_count = 0

    def value(self, sheet: str, coordinate: str) -> Scalar:
        """The computed value of one cell. Raises Unsupported for what it cannot compute."""
        worksheet = self._sheets.get(sheet.casefold())
        if worksheet is None:
            return REF
        key = (worksheet.title, coordinate)
        self._read_count += 1
        if self._read_count > READ_LIMIT:
            raise Unsupported("too many cells to compute")
        if key not in self._done:
            self._done[key] = self._compute(key, worksheet)
        self.reads.add(key)
        return self._done[key]

    def _compute(self, key: tuple[str, str], worksheet: "Worksheet") -> Scalar:
        if key in self.overrides:
            return scalar_of(self.overrides[key])
        if key in self._running:
            raise Unsupported(f"{key[0]}!{key[1]} refers to itself")
        # Not worksheet[coordinate]: that would create the cell.
        raw = cell.value if (cell := _cell(worksheet, key[1])) is not None else None
        if isinstance(raw, ArrayFormula):
            raw = raw.text if (raw.text or "").startswith("=") else f"={raw.text}"
        if not (isinstance(raw, str) and raw.startswith("=") and len(raw) > 1):
            return scalar_of(raw)
        self._running.add(key)
        try:
            return single(self.evaluate(parse(raw), Place(key[0], *coordinate_to_tuple(key[1]))))
        except Raised as raised:
            return raised.error
        finally:
            self._running.discard(key)

    def evaluate(self, node: Node, place: Place) -> Value:
        """A tree's value in the context of a cell; an error value comes back as one."""
        try:
            return self._evaluate(node, place)
        except Raised as raised:
            return raised.error

    def _evaluate(self, node: Node, place: Place) -> Value:
        match node:
            case Constant(value):
                return value
            case ArrayConstant(rows):
                return [list(row) for row in rows]
            case Reference(text):
                return self._reference(text, place)
            case Operation(operator, (operand,)):
                return unary(operator, self._evaluate(operand, place))
            case Operation(operator, (left, right)):
                return binary(operator, self._evaluate(left, place), self._evaluate(right, place))
            case Call(name, arguments):
                return self._call(name, arguments, place)
        raise Unsupported("a formula of unknown form")

    def _call(self, name: str, arguments: tuple[Node, ...], place: Place) -> Value:
        if lazy := functions.LAZY.get(name):
            return lazy(self._thunks(arguments, place))
        if name in functions.POSITIONAL:
            return functions.POSITIONAL[name]([self.block(a, place) for a in arguments], place)
        if name not in functions.EAGER:
            raise Unsupported(f"function {name}")
        values = [self.evaluate(a, place) for a in arguments]
        try:
            return functions.EAGER[name](*values)
        except TypeError as error:
            raise Unsupported(f"function {name} called with {len(values)} arguments") from error

    def _thunks(self, arguments: tuple[Node, ...], place: Place) -> list[Callable[[], Value]]:
        return [lambda a=a: self.evaluate(a, place) for a in arguments]  # type: ignore[misc]

    def block(self, node: Node, place: Place) -> Block:
        """The cells that an argument refers to."""
        block = self._block(node.text, place) if isinstance(node, Reference) else None
        if block is None:
            raise Unsupported("a reference that must be worked out")
        return block

    def _reference(self, text: str, place: Place) -> Value:
        if "#REF!" in text.upper():
            return REF
        if block := self._block(text, place):
            return self._read(block, place)
        return self._name(text, place)

    def _block(self, text: str, place: Place) -> Block | None:
        return parse_block(text) or table_block(text, self.workbook, place.sheet, place.row)

    def _name(self, text: str, place: Place) -> Value:
        scope, name = split_sheet(text)
        for names in (self._sheets[(scope or place.sheet).casefold()].defined_names, self.workbook.defined_names):
            for known, definition in names.items():
                if known.casefold() == name.casefold():
                    return self.evaluate(parse("=" + (definition.attr_text or "")), place)
        return NAME

    def _read(self, block: Block, place: Place) -> Value:
        worksheet = self._sheets.get((block.sheet or place.sheet).casefold())
        if worksheet is None:
            return REF
        last_row = block.last_row or max(worksheet.max_row, block.first_row)
        last_column = block.last_column or max(worksheet.max_column, block.first_column)
        if (last_row - block.first_row + 1) * (last_column - block.first_column + 1) > BLOCK_LIMIT:
            raise Unsupported("a range too large to compute")
        cells: Matrix = [
            [
                self.value(worksheet.title, f"{get_column_letter(c)}{r}")
                for c in range(block.first_column, last_column + 1)
            ]
            for r in range(block.first_row, last_row + 1)
        ]
        return cells[0][0] if len(cells) == 1 and len(cells[0]) == 1 else cells


def _cell(worksheet: "Worksheet", coordinate: str) -> "Cell | None":
    return worksheet._cells.get(coordinate_to_tuple(coordinate))  # type: ignore[attr-defined]
