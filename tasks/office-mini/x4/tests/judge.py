"""Judge of a formatted copy."""

# anneal-canary-b556399b513934f8

from typing import Any

from anneal_judges import Case, Finding, TaskJudge, holds, listing
from anneal_judges.readers.workbooks import cells_of, changed_cells

COPY, SOURCE = "output/counts_formatted.xlsx", "counts.xlsx"
COLOUR = "87CEEB"
judge = TaskJudge([COPY])


def fill_of(cell: Any) -> str | None:
    """The fill colour as six hex digits; 'other' for a theme colour or a pattern; None without a fill."""
    if cell.fill is None or cell.fill.fill_type is None:
        return None
    colour = cell.fill.fgColor
    return colour.rgb[-6:].upper() if cell.fill.fill_type == "solid" and colour.type == "rgb" else "other"


def all_cells(case: Case) -> list[Any]:
    return [cell for sheet in case.output.workbook(COPY).worksheets for cell in cells_of(sheet)]


@judge.criterion(
    "values", "The copy has the same values", kind="preservation", weight=0.3, category="protected-content"
)
def values(case: Case) -> Finding:
    changed = changed_cells(case.pristine.workbook(SOURCE), case.output.workbook(COPY))
    return holds(not changed, f"changed: {listing(changed)}")


@judge.criterion(
    "header",
    "The header row has the asked fill, and nothing else has one",
    kind="semantic",
    weight=0.3,
    category="native-structure",
)
def header(case: Case) -> Finding:
    cells = all_cells(case)
    head = [cell for cell in cells if cell.row == 1 and cell.value is not None]
    bare = [f"{cell.coordinate} {fill_of(cell)}" for cell in head if fill_of(cell) != COLOUR]
    others = [cell.coordinate for cell in cells if cell not in head and fill_of(cell) is not None]
    right = bool(head) and not bare and not others
    return holds(right, f"header cells with another fill: {listing(bare)}; other filled cells: {listing(others)}")


@judge.criterion(
    "centred", "Every cell with content is centred", kind="semantic", weight=0.2, category="native-structure"
)
def centred(case: Case) -> Finding:
    cells = [cell for cell in all_cells(case) if cell.value is not None]
    wrong = [cell.coordinate for cell in cells if cell.alignment.horizontal != "center"]
    return holds(bool(cells) and not wrong, f"cells not centred: {listing(wrong)}")


@judge.criterion(
    "source", "The original file is untouched", kind="preservation", weight=0.2, category="protected-content"
)
def source(case: Case) -> Finding:
    if not case.output.exists(SOURCE):
        return holds(False, "the original is gone")
    same = case.output.bytes(SOURCE) == case.pristine.bytes(SOURCE)
    return holds(same, f"the original is {'the same file' if same else 'another file than it was'}")
