"""Judge of an added table slide."""

# anneal-canary-9a50319b34f63585

from typing import Any

from anneal_judges import Case, Finding, TaskJudge, holds, listing, quoted
from anneal_judges.readers.amounts import same_entry, same_words
from anneal_judges.readers.decks import slide_signature, table_rows, tables_of, title_of, titles_of

DECK = "output/deck.pptx"
TITLE = "Q3 by region"
PLACE = 2
# The style that new tables get: its header row is bold by itself.
BOLD_HEADER_STYLE = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"
judge = TaskJudge([DECK])


def new_tables(case: Case) -> list[Any]:
    slides = list(case.output.deck(DECK).slides)
    return tables_of(slides[PLACE]) if len(slides) > PLACE else []


@judge.criterion(
    "table",
    "Slide 3 holds a native table with the contents of the CSV",
    kind="semantic",
    weight=0.5,
    category="native-structure",
)
def table(case: Case) -> Finding:
    wanted = case.pristine.rows("q3.csv")
    tables = new_tables(case)
    if len(tables) != 1:
        return holds(False, f"slide 3 holds {len(tables)} native tables")
    seen = table_rows(tables[0])
    same_shape = [len(row) for row in seen] == [len(row) for row in wanted]
    wrong = [
        new
        for old_row, new_row in zip(wanted, seen, strict=False)
        for old, new in zip(old_row, new_row, strict=False)
        if not same_entry(old, new)
    ]
    size = f"{len(seen)} rows by {max((len(row) for row in seen), default=0)} columns"
    return holds(same_shape and not wrong, f"a table of {size}; cells unlike the CSV: {listing(wrong)}", wanted)


@judge.criterion(
    "header-bold", "The header row is bold", kind="semantic", weight=0.1, category="native-structure", needs=["table"]
)
def header_bold(case: Case) -> Finding:
    found = new_tables(case)[0].table
    style = found._tbl.tblPr.find("{http://schemas.openxmlformats.org/drawingml/2006/main}tableStyleId")
    by_style = found.first_row and style is not None and style.text == BOLD_HEADER_STYLE
    runs = [
        run for cell in found.rows[0].cells for p in cell.text_frame.paragraphs for run in p.runs if run.text.strip()
    ]
    plain = [run.text for run in runs if not (run.font.bold or (by_style and run.font.bold is None))]
    return holds(not plain, f"header texts that are not bold: {listing(plain)}")


@judge.criterion(
    "position",
    "The new slide is the third, with its title, and the others keep their order",
    kind="semantic",
    weight=0.2,
    category="facts",
)
def position(case: Case) -> Finding:
    seen, before = titles_of(case.output.deck(DECK)), titles_of(case.pristine.deck("deck.pptx"))
    right = (
        len(seen) == len(before) + 1 and same_words(seen[PLACE], TITLE) and seen[:PLACE] + seen[PLACE + 1 :] == before
    )
    return holds(right, f"slide titles: {listing(seen)}", listing([*before[:PLACE], TITLE, *before[PLACE:]]))


@judge.criterion(
    "preserved",
    "The slides that were there are unchanged",
    kind="preservation",
    weight=0.2,
    category="protected-content",
)
def preserved(case: Case) -> Finding:
    after = [slide_signature(slide) for slide in case.output.deck(DECK).slides]
    changed = [title_of(s) for s in case.pristine.deck("deck.pptx").slides if slide_signature(s) not in after]
    return holds(not changed, f"slides changed or gone: {', '.join(quoted(t) for t in changed) or 'none'}")
