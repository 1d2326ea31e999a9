"""Judge of a renumbered lecture."""

# anneal-canary-a4cdd2bd51b4e179

from typing import Any

from anneal_judges import Case, Finding, TaskJudge, holds, listing, quoted
from anneal_judges.readers.decks import footers_of, is_hidden, notes_of, shape_signature, shapes_of, text_of, title_of

DECK = "output/deck.pptx"
judge = TaskJudge([DECK])


def renumbered(text: str) -> str:
    return text.replace("Lecture 3", "Lecture 1")


def footer_texts(deck: Any) -> list[str]:
    return [" / ".join(text_of(footer) for footer in footers_of(slide)) for slide in deck.slides]


def remainder(deck: Any) -> list[Any]:
    """Everything but the first title and the footers."""
    found = []
    for position, slide in enumerate(deck.slides):
        spared = {footer.shape_id for footer in footers_of(slide)}
        if position == 0 and slide.shapes.title is not None:
            spared.add(slide.shapes.title.shape_id)
        shapes = [shape_signature(s) for s in shapes_of(slide) if s.shape_id not in spared]
        found.append((slide.slide_layout.name, shapes, notes_of(slide), is_hidden(slide)))
    return found


@judge.criterion(
    "title",
    "The title of the first slide carries the new lecture number",
    kind="semantic",
    weight=0.5,
    category="facts",
)
def title(case: Case) -> Finding:
    slides = list(case.output.deck(DECK).slides)
    seen = title_of(slides[0]) if slides else ""
    wanted = renumbered(title_of(case.pristine.deck("deck.pptx").slides[0]))
    return holds(seen == wanted, f"title of slide 1: {quoted(seen)}", wanted)


@judge.criterion(
    "footers", "The footer of every slide carries the new lecture number", kind="semantic", weight=0.3, category="facts"
)
def footers(case: Case) -> Finding:
    seen = footer_texts(case.output.deck(DECK))
    wanted = [renumbered(text) for text in footer_texts(case.pristine.deck("deck.pptx"))]
    return holds(seen == wanted, f"footers: {listing(seen)}", listing(wanted))


@judge.criterion(
    "preserved", "Everything else is as it was", kind="preservation", weight=0.2, category="protected-content"
)
def preserved(case: Case) -> Finding:
    before, after = remainder(case.pristine.deck("deck.pptx")), remainder(case.output.deck(DECK))
    if len(before) != len(after):
        return holds(False, f"the deck has {len(after)} slides")
    changed = [number for number, (old, new) in enumerate(zip(before, after, strict=True), start=1) if old != new]
    return holds(not changed, f"slides with other changes: {changed or 'none'}")
