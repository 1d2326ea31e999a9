"""Judge of a live total."""

# anneal-canary-dd66ef43b1384576

from anneal_judges import Case, Finding, TaskJudge, holds, listing, quoted
from anneal_judges.formula import Evaluator
from anneal_judges.readers.workbooks import changed_cells, filled_cells, sheet_named

SALES = "output/sales.xlsx"
SHEET, TOTAL, MOVED = "Sales", "B14", "B5"
MONTHS = {(SHEET, f"B{row}") for row in range(2, 14)}
judge = TaskJudge([SALES])


def total_of(case: Case, overrides: dict[tuple[str, str], object] | None = None) -> tuple[object, set[tuple[str, str]]]:
    """The value of the total and the cells that it was computed from."""
    evaluator = Evaluator(case.output.workbook(SALES), overrides)
    value = evaluator.value(SHEET, TOTAL)
    return value, evaluator.reads - {(SHEET, TOTAL)}


def content(case: Case) -> object:
    sheet = sheet_named(case.output.workbook(SALES), SHEET)
    return filled_cells(sheet).get(TOTAL) if sheet is not None else None


def month_sum(case: Case) -> float:
    cells = filled_cells(case.pristine.workbook("sales.xlsx")[SHEET])
    return sum(float(cells[coordinate]) for _, coordinate in MONTHS)


@judge.criterion("total", "The total is right", kind="semantic", weight=0.3, category="facts")
def total(case: Case) -> Finding:
    value, _ = total_of(case)
    wanted = month_sum(case)
    right = isinstance(value, float) and abs(value - wanted) < 0.005
    return holds(right, f"{TOTAL} comes to {quoted(value)}", f"{wanted:.2f}")


@judge.criterion(
    "formula", "The total is a formula over the twelve months", kind="semantic", weight=0.3, category="native-structure"
)
def formula(case: Case) -> Finding:
    seen = content(case)
    right = isinstance(seen, str) and seen.startswith("=") and total_of(case)[1] == MONTHS
    return holds(right, f"{TOTAL} holds {quoted(seen)}")


@judge.criterion(
    "moves", "The total follows when a month is corrected", kind="semantic", weight=0.2, category="native-structure"
)
def moves(case: Case) -> Finding:
    before, _ = total_of(case)
    old = filled_cells(case.pristine.workbook("sales.xlsx")[SHEET])[MOVED]
    after, _ = total_of(case, {(SHEET, MOVED): float(old) + 1000})
    moved = after - before if isinstance(after, float) and isinstance(before, float) else None
    return holds(moved is not None and abs(moved - 1000) < 0.005, f"raising a month by 1000 moves the total by {moved}")


@judge.criterion(
    "preserved",
    "All other cells and sheets are as they were",
    kind="preservation",
    weight=0.2,
    category="protected-content",
)
def preserved(case: Case) -> Finding:
    changed = changed_cells(case.pristine.workbook("sales.xlsx"), case.output.workbook(SALES), {f"{SHEET}!{TOTAL}"})
    return holds(not changed, f"changed: {listing(changed)}")
