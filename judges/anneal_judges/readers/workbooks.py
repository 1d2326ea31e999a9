"""Cells of a workbook, compared without touching them."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from ..formula.reference import split_sheet
from .amounts import same_words

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

AREA_LIMIT = 2_000_000


def cells_of(sheet: "Worksheet") -> Iterator["Cell"]:
    """The cells that the file holds, in row order; never one more than those."""
    yield from (cell for _, cell in sorted(sheet._cells.items()))


def filled_cells(sheet: "Worksheet") -> dict[str, Any]:
    """Coordinate to content of every cell that is not empty; formulas as text."""
    return {cell.coordinate: content_of(cell) for cell in cells_of(sheet) if cell.value is not None}


def content_of(cell: "Cell") -> Any:
    """A cell's value; an array formula as its text."""
    return getattr(cell.value, "text", cell.value) if is_formula(cell) else cell.value


def is_formula(cell: "Cell") -> bool:
    return cell.data_type == "f"


def sheet_named(workbook: "Workbook", name: str) -> "Worksheet | None":
    """A worksheet by name, without regard to case."""
    return next((s for s in workbook.worksheets if same_words(s.title, name)), None)


def rows_of(sheet: "Worksheet") -> list[list[Any]]:
    """The used block as rows of contents, empty rows left out. Raises where it is absurdly large."""
    if sheet.max_row * sheet.max_column > AREA_LIMIT:
        raise ValueError("a sheet too large to read")
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    return [row for row in rows if any(value is not None for value in row)]


def changed_cells(before: "Workbook", after: "Workbook", ignore: Collection[str] = ()) -> list[str]:
    """'Sheet!A1' of every cell whose content differs, and 'Sheet' of every sheet that is gone or new.

    `ignore` names cells that may differ, in the same form.
    """
    changed: list[str] = []
    for sheet in before.worksheets:
        other = sheet_named(after, sheet.title)
        if other is None:
            changed.append(sheet.title)
            continue
        old, new = filled_cells(sheet), filled_cells(other)
        differing = sorted(c for c in {*old, *new} if not same_content(old.get(c), new.get(c)))
        changed += [f"{sheet.title}!{c}" for c in differing if f"{sheet.title}!{c}" not in ignore]
    known = [s.title for s in before.worksheets]
    changed += [s.title for s in after.worksheets if not any(same_words(s.title, k) for k in known)]
    return changed


def same_content(left: Any, right: Any) -> bool:
    """Equal values; numbers within rounding noise, formulas without regard to case, `$` kept."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return abs(left - right) <= 1e-9 * max(1.0, abs(left))
    if isinstance(left, str) and isinstance(right, str) and left.startswith("="):
        return left.replace(" ", "").upper() == right.replace(" ", "").upper()
    return bool(left == right)


def defined_name(workbook: "Workbook", name: str) -> str | None:
    """What a workbook-level name refers to, normalised: Sheet!B2:B6 without `$` and quotes."""
    for known, definition in workbook.defined_names.items():
        if same_words(known, name):
            sheet, block = split_sheet((definition.attr_text or "").replace("$", ""))
            return f"{sheet}!{block}" if sheet else block
    return None
