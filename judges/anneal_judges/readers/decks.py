"""Slides, their shapes, notes, tables and charts."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .amounts import squeezed

if TYPE_CHECKING:
    from pptx.presentation import Presentation
    from pptx.slide import Slide

GROUP_DEPTH = 16


def title_of(slide: "Slide") -> str:
    title = slide.shapes.title
    return squeezed(title.text_frame.text) if title is not None else ""


def titles_of(deck: "Presentation") -> list[str]:
    return [title_of(slide) for slide in deck.slides]


def is_hidden(slide: "Slide") -> bool:
    return slide._element.get("show") in ("0", "false")


def notes_of(slide: "Slide") -> str:
    if not slide.has_notes_slide or slide.notes_slide.notes_text_frame is None:
        return ""
    return squeezed(slide.notes_slide.notes_text_frame.text)


def shapes_of(container: Any, depth: int = 0) -> Iterator[Any]:
    """Every shape, those inside groups included."""
    if depth > GROUP_DEPTH:
        raise ValueError("groups nested too deep")
    for shape in container.shapes:
        yield shape
        if hasattr(shape, "shapes"):
            yield from shapes_of(shape, depth + 1)


def text_of(shape: Any) -> str:
    """The text of a shape or of its table, one line."""
    if getattr(shape, "has_table", False):
        return squeezed(" | ".join(" | ".join(row) for row in table_rows(shape)))
    return squeezed(shape.text_frame.text) if getattr(shape, "has_text_frame", False) else ""


def tables_of(slide: "Slide") -> list[Any]:
    """The shapes that hold a native table."""
    return [shape for shape in shapes_of(slide) if getattr(shape, "has_table", False)]


def table_rows(shape: Any) -> list[list[str]]:
    return [[squeezed(cell.text_frame.text) for cell in row.cells] for row in shape.table.rows]


def charts_of(slide: "Slide") -> list[Any]:
    return [shape.chart for shape in shapes_of(slide) if getattr(shape, "has_chart", False)]


def footers_of(slide: "Slide") -> list[Any]:
    """The footer placeholders of a slide."""
    return [s for s in slide.placeholders if "FOOTER" in str(s.placeholder_format.type)]


def slide_text(slide: "Slide") -> str:
    return squeezed(" ".join(text_of(shape) for shape in shapes_of(slide)))


def shape_signature(shape: Any) -> tuple[Any, ...]:
    """What must stay the same of a shape that nobody was asked to touch."""
    chart = shape.chart if getattr(shape, "has_chart", False) else None
    return (
        str(shape.shape_type),
        (shape.left, shape.top, shape.width, shape.height),
        text_of(shape),
        chart_signature(chart) if chart is not None else None,
    )


def chart_signature(chart: Any) -> tuple[Any, ...]:
    return (str(chart.chart_type), tuple(chart_data(chart).items()))


def chart_data(chart: Any) -> dict[str, tuple[tuple[str, float | None], ...]]:
    """Cached data: series name to (category, value) pairs."""
    found: dict[str, tuple[tuple[str, float | None], ...]] = {}
    for plot in chart.plots:
        categories = [squeezed(c) for c in plot.categories]
        for series in plot.series:
            found[squeezed(series.name)] = tuple(zip(categories, series.values, strict=False))
    return found


def slide_signature(slide: "Slide") -> tuple[Any, ...]:
    """Layout, shapes in order, notes and visibility of one slide."""
    shapes = tuple(shape_signature(s) for s in shapes_of(slide))
    return (slide.slide_layout.name, shapes, notes_of(slide), is_hidden(slide))
