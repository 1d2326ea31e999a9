"""Documents on the library's own template, with only the styles that are used."""

import io
from pathlib import Path

from docx import Document
from docx.document import Document as Word
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from .packages import write_package

KEPT_STYLES = {"Normal", "Title", "Heading 1", "Heading 2", "Header", "Footer", "Table Grid", "Normal Table", "No List"}
KEPT_STYLES |= {"Default Paragraph Font", "Table Normal"}


def new_document() -> Word:
    document = Document()
    styles = document.styles.element
    for style in list(styles.findall(qn("w:style"))):
        name = style.find(qn("w:name")).get(qn("w:val"))
        if name.lower() not in {kept.lower() for kept in KEPT_STYLES}:
            styles.remove(style)
    for element in styles.iter():
        # The template is pretty-printed: most of its size is white space.
        element.tail = None
        if not (element.text or "").strip():
            element.text = None
    return document


def add_footnote(document: Word, paragraph: object, text: str) -> None:
    """The document's only footnote, anchored at the end of a paragraph."""
    root = (
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:footnotes {nsdecls("w")}>'
        '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>'
        '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'
        f'<w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> {text}</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    package = document.part.package
    part = Part(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, root.encode(), package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    run = f'<w:r {nsdecls("w")}><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="1"/></w:r>'
    paragraph._p.append(parse_xml(run))  # type: ignore[attr-defined]


def save_document(document: Word, path: Path) -> None:
    buffer = io.BytesIO()
    document.save(buffer)
    write_package(path, buffer.getvalue())
