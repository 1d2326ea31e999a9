"""Judge of a refreshed chart."""

# anneal-canary-9eec0c7987c916c2

from typing import Any

from anneal_judges import Case, Finding, TaskJudge, Unresolved, holds, listing
from anneal_judges.readers.amounts import same_entry
from anneal_judges.readers.chart_workbooks import cells_at, embedded_workbook, referenced_cells
from anneal_judges.readers.decks import chart_data, charts_of, is_hidden, notes_of, shapes_of, slide_signature, text_of

DECK = "output/deck.pptx"
PLACE = 1
judge = TaskJudge([DECK])


def wanted_data(case: Case) -> dict[str, list[str]]:
    head, *rows = case.pristine.rows("q4.csv")
    return {"tx": [head[1]], "cat": [row[0] for row in rows], "val": [row[1] for row in rows]}


def the_chart(deck: Any) -> Any:
    slides = list(deck.slides)
    charts = charts_of(slides[PLACE]) if len(slides) > PLACE else []
    if len(charts) != 1:
        raise Unresolved(f"slide 2 holds {len(charts)} charts")
    return charts[0]


def all_same(seen: list[Any], wanted: list[Any]) -> bool:
    return len(seen) == len(wanted) and all(same_entry(a, b) for a, b in zip(seen, wanted, strict=True))


@judge.criterion("cache", "The chart draws the new figures", kind="semantic", weight=0.4, category="facts")
def cache(case: Case) -> Finding:
    wanted = wanted_data(case)
    data = chart_data(the_chart(case.output.deck(DECK)))
    seen = {
        "tx": list(data),
        "cat": [c for s in data.values() for c, _ in s],
        "val": [v for s in data.values() for _, v in s],
    }
    right = all(all_same(seen[role], wanted[role]) for role in wanted)
    return holds(right, f"series {listing(seen['tx'])}: {listing(seen['val'])}", wanted)


@judge.criterion(
    "workbook",
    "The workbook behind the chart holds the new figures",
    kind="semantic",
    weight=0.4,
    category="native-structure",
)
def workbook(case: Case) -> Finding:
    wanted = wanted_data(case)
    chart = the_chart(case.output.deck(DECK))
    data = embedded_workbook(chart)
    series = [s for plot in chart.plots for s in plot.series]
    if data is None or len(series) != 1:
        return holds(False, f"workbook behind the chart: {'none' if data is None else 'there'}; {len(series)} series")
    places = referenced_cells(series[0])
    seen = {role: cells_at(data, places[role]) if role in places else [] for role in wanted}
    right = all(all_same(seen[role], wanted[role]) for role in wanted)
    return holds(right, f"its cells: {listing([*seen['tx'], *seen['val']])}", wanted)


@judge.criterion(
    "preserved",
    "Type, place and colour of the chart and all other slides are as they were",
    kind="preservation",
    weight=0.2,
    category="protected-content",
)
def preserved(case: Case) -> Finding:
    before, after = (list(deck.slides) for deck in (case.pristine.deck("deck.pptx"), case.output.deck(DECK)))
    if len(before) != len(after):
        return holds(False, f"the deck has {len(after)} slides")
    pairs = list(zip(before, after, strict=True))
    changed = [n for n, (old, new) in enumerate(pairs) if n != PLACE and slide_signature(old) != slide_signature(new)]
    if frame(before[PLACE]) != frame(after[PLACE]):
        changed.append(PLACE)
    return holds(not changed, f"slides with other changes: {[n + 1 for n in sorted(changed)] or 'none'}")


def frame(slide: Any) -> Any:
    """The chart slide without the chart's data."""
    shapes = [(str(s.shape_type), s.left, s.top, s.width, s.height, text_of(s)) for s in shapes_of(slide)]
    charts = [(str(c.chart_type), [colour(s) for plot in c.plots for s in plot.series]) for c in charts_of(slide)]
    return (shapes, charts, notes_of(slide), is_hidden(slide))


def colour(series: Any) -> str | None:
    fill = series.format.fill
    return str(fill.fore_color.rgb) if "SOLID" in str(fill.type) and "RGB" in str(fill.fore_color.type) else None
