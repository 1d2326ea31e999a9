"""Judge of a renamed term."""

# anneal-canary-1a6f8043d4890475

import re
from typing import Any

from docx.oxml.ns import qn

from anneal_judges import Case, Finding, TaskJudge, holds, listing, share
from anneal_judges.readers.documents import paragraph_text, stories, story_texts, word_formats

HANDBOOK = "output/handbook.docx"
OLD, NEW = re.compile(r"\bSupplier\b"), re.compile(r"\bVendor\b")
judge = TaskJudge([HANDBOOK])


def count(pattern: re.Pattern[str], texts: list[tuple[str, str]]) -> int:
    return sum(len(pattern.findall(text)) for _, text in texts)


@judge.criterion("renamed", "The term is renamed everywhere", kind="semantic", weight=0.6, category="facts")
def renamed(case: Case) -> Finding:
    total = count(OLD, story_texts(case.pristine.document("handbook.docx")))
    after = story_texts(case.output.document(HANDBOOK))
    new, old = count(NEW, after), count(OLD, after)
    left = [f"{kind}: {text}" for kind, text in after if OLD.search(text)]
    return share(
        min(new, total - old), total, f"new term {new} times; old term left in {listing(left)}", f"{total} places"
    )


@judge.criterion(
    "formats", "The formats are where they were", kind="preservation", weight=0.2, category="protected-content"
)
def formats(case: Case) -> Finding:
    before, after = (formats_of(d) for d in (case.pristine.document("handbook.docx"), case.output.document(HANDBOOK)))
    changed = [text for (text, old), (_, new) in zip(before, after, strict=False) if old != new]
    return holds(not changed and len(before) == len(after), f"paragraphs with another format: {listing(changed)}")


def formats_of(document: Any) -> list[tuple[str, list[str]]]:
    """Each paragraph of every story with the format of each of its words."""
    paragraphs = [p for _, root in stories(document) for p in root.iter(qn("w:p")) if paragraph_text(p)]
    return [(paragraph_text(p), [style for _, style in word_formats(p)]) for p in paragraphs]


@judge.criterion(
    "untouched",
    "Everything but the term is worded as before, the system's name included",
    kind="preservation",
    weight=0.2,
    category="protected-content",
)
def untouched(case: Case) -> Finding:
    before, after = (
        [(kind, NEW.sub("_", OLD.sub("_", text))) for kind, text in story_texts(document)]
        for document in (case.pristine.document("handbook.docx"), case.output.document(HANDBOOK))
    )
    strange = [text for kind, text in after if (kind, text) not in before]
    return holds(before == after, f"paragraphs worded otherwise: {listing(strange)}")
