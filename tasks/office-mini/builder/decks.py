"""Decks on the library's own template, with only the layouts that are used."""

import copy
import io
from pathlib import Path

from pptx import Presentation
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide

from .packages import write_package

TITLE, CONTENT, TITLE_ONLY = "Title Slide", "Title and Content", "Title Only"


def new_deck(*layouts: str) -> Deck:
    deck = Presentation()
    for layout in list(deck.slide_layouts):
        if layout.name not in layouts:
            deck.slide_layouts.remove(layout)
    return deck


def slim_notes(deck: Deck) -> None:
    """Leaves the notes master only what notes need: the slide's image and the text."""
    for placeholder in list(deck.notes_master.placeholders):
        if not any(kind in str(placeholder.placeholder_format.type) for kind in ("SLIDE_IMAGE", "BODY")):
            placeholder._element.getparent().remove(placeholder._element)


def add_slide(deck: Deck, layout: str, title: str, body: list[str] | None = None, notes: str | None = None) -> Slide:
    slide = deck.slides.add_slide(next(found for found in deck.slide_layouts if found.name == layout))
    slide.shapes.title.text_frame.text = title
    if body is not None:
        slide.placeholders[1].text_frame.text = "\n".join(body)
    if notes is not None:
        slide.notes_slide.notes_text_frame.text = notes
    return slide


def add_footer(slide: Slide, runs: list[str]) -> None:
    """A footer placeholder like the layout's, its text cut into the given runs."""
    source = next(p for p in slide.slide_layout.placeholders if "FOOTER" in str(p.placeholder_format.type))
    element = copy.deepcopy(source._element)
    slide.shapes._spTree.append(element)
    footer = next(p for p in slide.placeholders if p._element is element)
    footer.text_frame.text = ""
    set_runs(footer.text_frame.paragraphs[0], runs)


def set_runs(paragraph: object, runs: list[str]) -> None:
    for run in list(paragraph.runs):  # type: ignore[attr-defined]
        run._r.getparent().remove(run._r)
    for text in runs:
        paragraph.add_run().text = text  # type: ignore[attr-defined]


def save_deck(deck: Deck, path: Path) -> None:
    buffer = io.BytesIO()
    deck.save(buffer)
    write_package(path, buffer.getvalue())
