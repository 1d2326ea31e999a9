"""Judge of key figures in a workbook and on a slide."""

# anneal-canary-393fd1bd95246bb4

from typing import Any

from anneal_judges import Case, Finding, TaskJudge, Unresolved, holds, listing
from anneal_judges.formula import Evaluator
from anneal_judges.readers.amounts import amount, same_words
from anneal_judges.readers.decks import table_rows, tables_of
from anneal_judges.readers.workbooks import changed_cells, filled_cells, rows_of, sheet_named

BOOK, DECK = "output/kpi_out.xlsx", "output/deck.pptx"
CELLS = ("B2", "B3", "B4", "B5")
judge = TaskJudge([BOOK, DECK])


def wanted(case: Case) -> dict[str, float]:
    """Name of a key figure to its value, in the order of the sheet."""
    book = case.pristine.workbook("kpi.xlsx")
    rows = rows_of(book["Data"])[1:]
    visits, orders, revenue, refunds = (sum(row[column] for row in rows) for column in (1, 2, 3, 4))
    growth = (rows[-1][3] / rows[0][3] - 1) * 100
    values = (100 * orders / visits, revenue / orders, 100 * refunds / revenue, growth)
    return dict(zip((str(row[0]) for row in rows_of(book["KPI"])[1:]), values, strict=True))


def shown(case: Case) -> list[tuple[str, float | None]] | None:
    """Name and number of each row below the header of the deck's only two-column table."""
    tables = [table_rows(t) for slide in case.output.deck(DECK).slides for t in tables_of(slide)]
    fitting = [rows for rows in tables if rows and len(rows[0]) == 2]
    return [(row[0], amount(row[1])) for row in fitting[0][1:]] if len(fitting) == 1 else None


def computed(case: Case) -> list[Any]:
    evaluator = Evaluator(case.output.workbook(BOOK))
    return [evaluator.value("KPI", cell) for cell in CELLS]


@judge.criterion(
    "table", "The deck's table shows the recomputed key figures", kind="semantic", weight=0.5, category="facts"
)
def table(case: Case) -> Finding:
    """Coarse on purpose: how the values are rounded is the matter of `agreement`."""
    rows, figures = shown(case), wanted(case)
    if rows is None:
        return holds(False, "the deck does not hold exactly one native table of two columns")
    right = len(rows) == len(figures) and all(
        same_words(name, known) and value is not None and abs(value - figure) <= 0.5
        for (name, value), (known, figure) in zip(rows, figures.items(), strict=True)
    )
    return holds(right, f"rows: {listing(f'{name}: {value}' for name, value in rows)}", figures)


@judge.criterion(
    "formulas",
    "The workbook computes the key figures from the data",
    kind="semantic",
    weight=0.3,
    category="native-structure",
)
def formulas(case: Case) -> Finding:
    book = case.output.workbook(BOOK)
    sheet = sheet_named(book, "KPI")
    if sheet is None:
        return holds(False, "no sheet KPI")
    contents, problems = filled_cells(sheet), []
    for cell, figure in zip(CELLS, wanted(case).values(), strict=True):
        evaluator = Evaluator(book)
        value = evaluator.value("KPI", cell)
        live = str(contents.get(cell, "")).startswith("=") and any(s == "Data" for s, _ in evaluator.reads)
        if not (live and isinstance(value, float) and abs(value - figure) < 1e-6):
            problems.append(f"{cell} {contents.get(cell)}")
    changed = changed_cells(case.pristine.workbook("kpi.xlsx"), book, {f"KPI!{cell}" for cell in CELLS})
    seen = f"not live or not right: {listing(problems)}; other cells changed: {listing(changed)}"
    return holds(not problems and not changed, seen, wanted(case))


@judge.criterion(
    "agreement",
    "The deck shows the workbook's values, rounded to one decimal",
    kind="semantic",
    weight=0.2,
    category="cross-file",
)
def agreement(case: Case) -> Finding:
    rows, values = shown(case), computed(case)
    if rows is None or not all(isinstance(v, float) for v in values):
        raise Unresolved("there are no two sets of values to compare")
    off = [
        name
        for (name, value), exact in zip(rows, values, strict=False)
        if value is None or abs(value - exact) > 0.05 + 1e-9 or abs(value - round(value, 1)) > 1e-9
    ]
    right = not off and len(rows) == len(values)
    return holds(right, f"not the workbook's value at one decimal: {listing(off)}", values)
