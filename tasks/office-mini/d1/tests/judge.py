"""Judge of selectively accepted changes."""

# anneal-canary-fea8d2365a212e71

from anneal_judges import Case, Finding, TaskJudge, holds, listing
from anneal_judges.readers.documents import body_paragraphs, paragraph_text, texts_of, word_formats
from anneal_judges.readers.revisions import is_tracked, revisions_of

CONTRACT = "output/contract.docx"
UNDECIDED = "Legal"
judge = TaskJudge([CONTRACT])


@judge.criterion(
    "accepted",
    "The changes by Procurement are accepted, wording and format",
    kind="semantic",
    weight=0.5,
    category="facts",
)
def accepted(case: Case) -> Finding:
    before, after = case.pristine.document("contract.docx"), case.output.document(CONTRACT)
    left = [r.kind for r in revisions_of(after) if r.author != UNDECIDED]
    wanted, seen = texts_of(before), texts_of(after)
    strange = [text for text in seen if text not in wanted]
    formats = [[word_formats(p) for p in body_paragraphs(d) if paragraph_text(p)] for d in (before, after)]
    right = not left and seen == wanted and formats[0] == formats[1]
    note = (
        f"tracked changes by others than {UNDECIDED}: {len(left)}; paragraphs that read otherwise: {listing(strange)}"
    )
    return holds(right, f"{note}; formats as accepted: {'yes' if formats[0] == formats[1] else 'no'}", wanted)


@judge.criterion(
    "undecided",
    "The changes by Legal are still tracked, under their name",
    kind="preservation",
    weight=0.3,
    category="protected-content",
)
def undecided(case: Case) -> Finding:
    before, after = (
        [(r.kind, r.text) for r in revisions_of(document) if r.author == UNDECIDED]
        for document in (case.pristine.document("contract.docx"), case.output.document(CONTRACT))
    )
    return holds(before == after, f"tracked changes by {UNDECIDED}: {listing(f'{k} {t}' for k, t in after)}", before)


@judge.criterion(
    "text",
    "Paragraphs without tracked changes are as they were",
    kind="preservation",
    weight=0.2,
    category="protected-content",
)
def text(case: Case) -> Finding:
    paragraphs = body_paragraphs(case.pristine.document("contract.docx"))
    wanted = [t for p in paragraphs if not is_tracked(p) and (t := paragraph_text(p))]
    remaining = iter(texts_of(case.output.document(CONTRACT)))
    gone = [text for text in wanted if text not in remaining]
    return holds(not gone, f"changed, gone or out of order: {listing(gone)}")
