"""Judge of a lunch plan in five files."""

# anneal-canary-54c4bd522a17b240

import ast
import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from anneal_judges import Case, Finding, TaskJudge, Unresolved, holds, listing
from anneal_judges.core.openers import open_python
from anneal_judges.formula import Evaluator
from anneal_judges.readers.amounts import same_words, squeezed
from anneal_judges.readers.calendars import events_of
from anneal_judges.readers.documents import table_rows
from anneal_judges.readers.workbooks import rows_of, sheet_named

PLAN = "output/plan"
GUESTS, BUDGET, VEGETARIAN = 20, 600, 3
DATES = [f"2025-06-0{day}" for day in range(2, 7)]
BERLIN = ZoneInfo("Europe/Berlin")
judge = TaskJudge([f"{PLAN}.{suffix}" for suffix in ("xlsx", "docx", "json", "py", "ics")])


def plan_of(case: Case) -> dict[str, Any]:
    plan = case.output.json(f"{PLAN}.json")
    days = plan.get("days") if isinstance(plan, dict) else None
    if not (
        isinstance(days, list)
        and days
        and all(isinstance(d, dict) and {"date", "dish", "cost"} <= set(d) for d in days)
    ):
        raise Unresolved("plan.json has not the asked form")
    return plan


def dishes(days: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(str(day["date"]), squeezed(day["dish"])) for day in days]


def literal_plan(case: Case) -> tuple[Any, bool]:
    """The literal in the constant PLAN, and whether the script prints something; the script is never run."""
    tree = open_python(case.output.bytes(f"{PLAN}.py"))
    values = [
        node.value
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and target.id == "PLAN" and node.value is not None
    ]
    if len(values) != 1:
        raise Unresolved(f"plan.py sets PLAN {len(values)} times")
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    prints = any(
        (isinstance(f, ast.Name) and f.id == "print") or (isinstance(f, ast.Attribute) and f.attr in ("dump", "write"))
        for f in calls
    )
    return ast.literal_eval(values[0]), prints


@judge.criterion(
    "rules", "The plan obeys the rules, and its costs add up", kind="semantic", weight=0.3, category="facts"
)
def rules(case: Case) -> Finding:
    menu = {
        name: (float(cost), veg == "yes", nuts == "yes") for name, cost, veg, nuts in case.pristine.rows("menu.csv")[1:]
    }
    plan = plan_of(case)
    days = plan["days"]
    names = [name for _, name in dishes(days)]
    problems = [f"{name} is not on the menu" for name in names if name not in menu]
    if not problems:
        costs = [menu[name][0] * GUESTS for name in names]
        sheet_total = Evaluator(case.output.workbook(f"{PLAN}.xlsx")).value("Plan", "C7")
        checks = {
            "dates": [str(day["date"]) for day in days] == DATES,
            "a dish twice": len(set(names)) == len(names),
            "vegetarian": sum(menu[name][1] for name in names) >= VEGETARIAN,
            "nuts": not any(menu[name][2] for name in names),
            "budget": sum(costs) <= BUDGET,
            "costs": all(near(day["cost"], cost) for day, cost in zip(days, costs, strict=True)),
            "total": near(plan.get("total"), sum(costs)),
            "formula in C7": near(sheet_total, sum(costs)) and is_live(case),
        }
        problems = [name for name, right in checks.items() if not right]
    return holds(not problems, f"dishes: {listing(names)}; not in order: {listing(problems)}")


def near(value: Any, wanted: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value - wanted) < 0.005


def is_live(case: Case) -> bool:
    sheet = sheet_named(case.output.workbook(f"{PLAN}.xlsx"), "Plan")
    return sheet is not None and str(sheet["C7"].value).startswith("=")


@judge.criterion(
    "dishes", "All files name the same dishes on the same days", kind="semantic", weight=0.3, category="cross-file"
)
def same_dishes(case: Case) -> Finding:
    wanted = dishes(plan_of(case)["days"])
    sheet = sheet_named(case.output.workbook(f"{PLAN}.xlsx"), "Plan")
    tables = [table_rows(t) for t in case.output.document(f"{PLAN}.docx").tables]
    fitting = [rows for rows in tables if rows and len(rows[0]) >= 2 and same_words(rows[0][1], "Dish")]
    events = events_of(case.output.calendar(f"{PLAN}.ics"))
    literal, _ = literal_plan(case)
    seen = {
        "plan.xlsx": [(iso(row[0]), squeezed(row[1])) for row in rows_of(sheet)[1:6]] if sheet is not None else [],
        "plan.docx": [(row[0], row[1]) for row in fitting[0][1:]] if fitting else [],
        "plan.ics": sorted((event.start.astimezone(BERLIN).date().isoformat(), event.summary) for event in events),
        "plan.py": dishes(literal["days"]) if isinstance(literal, dict) else [],
    }
    off = [name for name, rows in seen.items() if rows != wanted]
    return holds(not off, f"files that differ from plan.json: {listing(off)}")


def iso(value: object) -> str:
    return value.strftime("%Y-%m-%d") if isinstance(value, dt.date) else squeezed(value)


@judge.criterion(
    "events", "The calendar has one event per lunch, at its time", kind="semantic", weight=0.2, category="facts"
)
def events(case: Case) -> Finding:
    wanted = [
        tuple(
            dt.datetime.fromisoformat(f"{date}T{clock}").replace(tzinfo=BERLIN).astimezone(dt.timezone.utc)
            for clock in ("12:30", "13:15")
        )
        for date in DATES
    ]
    found = sorted(events_of(case.output.calendar(f"{PLAN}.ics")), key=lambda event: event.start)
    right = [(event.start, event.end) for event in found] == wanted and not any(event.floating for event in found)
    shown = [
        f"{event.start:%m-%d %H:%M}-{event.end:%H:%M} UTC{' (no zone)' if event.floating else ''}" for event in found
    ]
    return holds(right, f"events: {listing(shown)}", [f"{a:%m-%d %H:%M}-{b:%H:%M} UTC" for a, b in wanted])


@judge.criterion(
    "script",
    "The script holds the content of plan.json as a literal and prints it",
    kind="semantic",
    weight=0.2,
    category="cross-file",
)
def script(case: Case) -> Finding:
    literal, prints = literal_plan(case)
    same = literal == plan_of(case)
    return holds(
        same and prints, f"PLAN equals plan.json: {'yes' if same else 'no'}; prints: {'yes' if prints else 'no'}"
    )
