"""Tracked changes of a document."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from docx.oxml.ns import qn

from .amounts import squeezed

if TYPE_CHECKING:
    from docx.document import Document

_KINDS = {
    qn(f"w:{name}"): name
    for name in (
        "ins",
        "del",
        "moveFrom",
        "moveTo",
        "rPrChange",
        "pPrChange",
        "tblPrChange",
        "trPrChange",
        "tcPrChange",
        "sectPrChange",
        "numberingChange",
        "cellIns",
        "cellDel",
    )
}


@dataclass(frozen=True)
class Revision:
    """One tracked change; `text` is what was inserted or deleted, empty for a mark or a format."""

    kind: str
    author: str
    date: str
    text: str


def revisions_of(document: "Document") -> list[Revision]:
    """Every tracked change of the body in document order."""
    return [_revision(e) for e in document.element.body.iter() if e.tag in _KINDS]


def _revision(element: Any) -> Revision:
    text = "".join(e.text or "" for e in element.iter(qn("w:t"), qn("w:delText")))
    return Revision(_KINDS[element.tag], element.get(qn("w:author"), ""), element.get(qn("w:date"), ""), squeezed(text))


def is_tracked(paragraph: Any) -> bool:
    """Whether any tracked change touches the paragraph or its mark."""
    return any(e.tag in _KINDS for e in paragraph.iter())
