"""Paragraphs, stories, tables, fields and formats of a document."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docx.oxml.ns import qn
from lxml import etree

from .amounts import squeezed

if TYPE_CHECKING:
    from docx.document import Document

_HIDDEN_TEXT = {qn("w:del"), qn("w:moveFrom"), qn("w:instrText"), qn("w:delText")}
_STORY_KINDS = {
    "header": "header",
    "footer": "footer",
    "footnotes": "footnote",
    "endnotes": "endnote",
    "comments": "comment",
}


def body_paragraphs(document: "Document") -> list[Any]:
    """Every w:p of the body in document order, those in tables and content controls included."""
    return list(document.element.body.iter(qn("w:p")))


def paragraph_text(paragraph: Any) -> str:
    """The text as it reads with every tracked change accepted; tabs and breaks as spaces."""
    return squeezed("".join(_texts(paragraph)))


def _texts(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _HIDDEN_TEXT or child.tag == qn("w:pPr") or not isinstance(child.tag, str):
            continue
        if child.tag == qn("w:t"):
            yield child.text or ""
        elif child.tag in (qn("w:tab"), qn("w:br"), qn("w:cr")):
            yield " "
        elif child.tag == qn("w:noBreakHyphen"):
            yield "-"
        elif child.tag != qn("w:p"):
            yield from _texts(child)


def texts_of(document: "Document") -> list[str]:
    """The non-empty paragraphs of the body."""
    return [text for p in body_paragraphs(document) if (text := paragraph_text(p))]


def stories(document: "Document") -> list[tuple[str, Any]]:
    """The body and every header, footer, footnote, endnote and comment part as (kind, root element)."""
    found = [("body", document.element.body)]
    for relation in document.part.rels.values():
        kind = _STORY_KINDS.get(relation.reltype.rpartition("/")[2])
        if kind is not None and not relation.is_external:
            found.append((kind, part_root(relation.target_part)))
    return found


def part_root(part: Any) -> Any:
    """The XML of a part; one that the library left as bytes is parsed without entities or network."""
    element = getattr(part, "element", None)
    if element is not None:
        return element
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(part.blob, parser)


def story_texts(document: "Document") -> list[tuple[str, str]]:
    """(kind, text) of every non-empty paragraph of every story."""
    return [(k, t) for k, root in stories(document) for p in root.iter(qn("w:p")) if (t := paragraph_text(p))]


def style_name(document: "Document", paragraph: Any) -> str:
    """The name of a paragraph's style, 'Normal' where it has none."""
    properties = paragraph.find(qn("w:pPr"))
    reference = properties.find(qn("w:pStyle")) if properties is not None else None
    if reference is None:
        return "Normal"
    wanted = reference.get(qn("w:val"))
    return next((s.name for s in document.styles if s.style_id == wanted), str(wanted))


def field_codes(root: Any) -> list[tuple[Any, str]]:
    """(element, instruction) of every field, simple or complex; a complex code may span runs."""
    found = [(e, squeezed(e.get(qn("w:instr")))) for e in root.iter(qn("w:fldSimple"))]
    for paragraph in root.iter(qn("w:p")):
        code = "".join(e.text or "" for e in paragraph.iter(qn("w:instrText")))
        if code.strip():
            found.append((paragraph, squeezed(code)))
    return found


def table_rows(table: Any) -> list[list[str]]:
    """The cell texts of a python-docx table."""
    return [[squeezed(cell.text) for cell in row.cells] for row in table.rows]


def word_formats(paragraph: Any) -> list[tuple[str, str]]:
    """Each word with the run format of its first character, however the runs are cut."""
    words: list[tuple[str, str]] = []
    word, style = "", ""
    for run in paragraph.iter(qn("w:r")):
        run_format = _format_of(run)
        for character in "".join(_texts(run)):
            if character.isspace():
                if word:
                    words.append((word, style))
                word = ""
            else:
                style = style if word else run_format
                word += character
    return [*words, (word, style)] if word else words


def _format_of(run: Any) -> str:
    properties = run.find(qn("w:rPr"))
    if properties is None:
        return ""
    ignored = {qn(f"w:{name}") for name in ("lang", "noProof", "rtl", "rPrChange", "ins", "del")}
    parts = [f"{etree.QName(e).localname}={sorted(e.attrib.values())}" for e in properties if e.tag not in ignored]
    return " ".join(sorted(parts))
