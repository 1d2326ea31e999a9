"""Judge of real headings and a contents field."""

# anneal-canary-064befb24037b1d8

import re
from typing import Any

from anneal_judges import Case, Finding, TaskJudge, holds, listing, share
from anneal_judges.readers.documents import body_paragraphs, field_codes, paragraph_text, style_name, texts_of

HANDBOOK = "output/handbook.docx"
_NUMBERED = re.compile(r"^\d+(\.\d+)? \w")
_LEVELS = re.compile(r'\\o\s*"?(\d)-(\d)')
judge = TaskJudge([HANDBOOK])


def wanted_headings(case: Case) -> dict[str, str]:
    texts = [t for t in texts_of(case.pristine.document("handbook.docx")) if _NUMBERED.match(t)]
    return {text: "Heading 2" if "." in text.split()[0] else "Heading 1" for text in texts}


def matched(before: list[str], after: list[str]) -> list[int] | None:
    """Where each text of `before` stands in `after`, matched from the end; None where one is missing."""
    places: list[int] = []
    position = len(after)
    for text in reversed(before):
        position = next((i for i in range(position - 1, -1, -1) if after[i] == text), -1)
        if position < 0:
            return None
        places.append(position)
    return places[::-1]


@judge.criterion(
    "headings",
    "Chapters and sections carry the built-in heading styles, and nothing else does",
    kind="semantic",
    weight=0.5,
    category="native-structure",
)
def headings(case: Case) -> Finding:
    document = case.output.document(HANDBOOK)
    wanted = wanted_headings(case)
    others = set(texts_of(case.pristine.document("handbook.docx"))) - set(wanted)
    styled = {}
    for paragraph in body_paragraphs(document):
        if (name := style_name(document, paragraph)) in ("Heading 1", "Heading 2"):
            styled[paragraph_text(paragraph)] = name
    right = [text for text, style in wanted.items() if styled.get(text) == style]
    wrong = [text for text in styled if text in others]
    seen = [f"{style}: {text}" for text, style in styled.items()]
    return share(len(right) - len(wrong), len(wanted), f"styled as headings: {listing(seen)}", wanted)


@judge.criterion(
    "contents",
    "A contents field for both levels stands right before the first chapter",
    kind="semantic",
    weight=0.3,
    category="native-structure",
)
def contents(case: Case) -> Finding:
    body = case.output.document(HANDBOOK).element.body
    paragraphs = body_paragraphs(case.output.document(HANDBOOK))
    codes = field_codes(body)
    first = next(iter(wanted_headings(case)))
    chapter = max((i for i, p in enumerate(paragraphs) if paragraph_text(p) == first), default=-1)
    before = texts_of(case.pristine.document("handbook.docx"))
    lead = before[before.index(first) - 1]
    start = max(
        (i for i, p in enumerate(paragraphs[: max(chapter, 0)]) if paragraph_text(p) == lead), default=len(paragraphs)
    )
    right = any(covers(code) and start < place(paragraphs, element) < chapter for element, code in codes)
    return holds(right, f"field codes: {listing(code for _, code in codes)}")


def covers(code: str) -> bool:
    levels = _LEVELS.search(code)
    return code.split()[:1] == ["TOC"] and (levels is None or (levels.group(1) == "1" and int(levels.group(2)) >= 2))


def place(paragraphs: list[Any], element: Any) -> int:
    owner = element
    while owner is not None and owner not in paragraphs:
        owner = owner.getparent()
    return paragraphs.index(owner) if owner is not None else -1


@judge.criterion(
    "text",
    "The wording is unchanged; only a contents list may stand before the first chapter",
    kind="preservation",
    weight=0.2,
    category="protected-content",
)
def text(case: Case) -> Finding:
    before, after = texts_of(case.pristine.document("handbook.docx")), texts_of(case.output.document(HANDBOOK))
    places = matched(before, after)
    if places is None:
        return holds(False, f"changed or gone: {listing(t for t in before if t not in after)}")
    first = places[before.index(next(iter(wanted_headings(case))))]
    added = [after[i] for i in range(first, len(after)) if i not in places]
    return holds(not added, f"added after the first chapter begins: {listing(added)}")
