"""Judge of a repaired name."""

# anneal-canary-8a0c25a7b6a83cb2

from anneal_judges import Case, Finding, TaskJudge, holds, listing, quoted
from anneal_judges.core.openers import open_workbook
from anneal_judges.formula import Evaluator
from anneal_judges.readers.workbooks import changed_cells, defined_name, filled_cells, sheet_named

MODEL = "output/model.xlsx"
NAME, TARGET, SHEET = "RateTable", "Rates!B2:B6", "Model"
judge = TaskJudge([MODEL])


def wanted_values(case: Case) -> dict[str, object]:
    """The cells that come to an error through the broken name, with what they come to once it is repaired."""
    workbook = open_workbook(case.pristine.bytes("model.xlsx"))
    broken = Evaluator(workbook)
    cells = [c for c in filled_cells(workbook[SHEET]) if not isinstance(broken.value(SHEET, c), (float, str))]
    workbook.defined_names[NAME].attr_text = "Rates!$B$2:$B$6"
    repaired = Evaluator(workbook)
    return {c: repaired.value(SHEET, c) for c in cells}


@judge.criterion(
    "name", "The name stands for the rates again", kind="semantic", weight=0.5, category="native-structure"
)
def name(case: Case) -> Finding:
    seen = defined_name(case.output.workbook(MODEL), NAME)
    return holds(seen is not None and seen.casefold() == TARGET.casefold(), f"{NAME} refers to {quoted(seen)}", TARGET)


@judge.criterion(
    "dependants",
    "The formulas that use the name calculate again",
    kind="semantic",
    weight=0.3,
    category="native-structure",
)
def dependants(case: Case) -> Finding:
    workbook = case.output.workbook(MODEL)
    sheet = sheet_named(workbook, SHEET)
    if sheet is None:
        return holds(False, f"no sheet {SHEET}")
    contents, evaluator = filled_cells(sheet), Evaluator(workbook)
    wrong = []
    for cell, wanted in wanted_values(case).items():
        value = evaluator.value(sheet.title, cell)
        live = str(contents.get(cell, "")).startswith("=")
        if not (live and isinstance(value, float) and isinstance(wanted, float) and abs(value - wanted) < 1e-6):
            wrong.append(f"{cell} {contents.get(cell)}")
    return holds(not wrong, f"not live or not right: {listing(wrong)}", wanted_values(case))


@judge.criterion(
    "preserved",
    "All other cells and names are as they were",
    kind="preservation",
    weight=0.2,
    category="protected-content",
)
def preserved(case: Case) -> Finding:
    before, after = case.pristine.workbook("model.xlsx"), case.output.workbook(MODEL)
    changed = changed_cells(before, after, {f"{SHEET}!{cell}" for cell in wanted_values(case)})
    changed += [n for n in before.defined_names if n != NAME and defined_name(before, n) != defined_name(after, n)]
    return holds(not changed, f"changed: {listing(changed)}")
