"""Judge of a reordered deck with a hidden slide."""

# anneal-canary-9273b69740718058

from anneal_judges import Case, Finding, TaskJudge, holds, listing
from anneal_judges.readers.decks import is_hidden, notes_of, slide_text, title_of, titles_of

DECK = "output/deck.pptx"
judge = TaskJudge([DECK])


@judge.criterion("order", "The fifth slide has become the second", kind="semantic", weight=0.5, category="facts")
def order(case: Case) -> Finding:
    before = titles_of(case.pristine.deck("deck.pptx"))
    seen = titles_of(case.output.deck(DECK))
    wanted = [before[0], before[4], *before[1:4], before[5]]
    return holds(seen == wanted, f"slide titles: {listing(seen)}", listing(wanted))


@judge.criterion(
    "hidden",
    "The hidden slide is hidden still, and no other is",
    kind="preservation",
    weight=0.3,
    category="protected-content",
)
def hidden(case: Case) -> Finding:
    wanted = [title_of(slide) for slide in case.pristine.deck("deck.pptx").slides if is_hidden(slide)]
    seen = [title_of(slide) for slide in case.output.deck(DECK).slides if is_hidden(slide)]
    return holds(seen == wanted, f"hidden slides: {listing(seen)}", listing(wanted))


@judge.criterion(
    "notes", "Every slide keeps its text and its notes", kind="preservation", weight=0.2, category="protected-content"
)
def notes(case: Case) -> Finding:
    before, after = (
        [(title_of(s), slide_text(s), notes_of(s)) for s in deck.slides]
        for deck in (case.pristine.deck("deck.pptx"), case.output.deck(DECK))
    )
    changed = [title for title, *rest in before if (title, *rest) not in after]
    right = not changed and len(before) == len(after)
    return holds(right, f"{len(after)} slides; changed or gone: {listing(changed)}")
