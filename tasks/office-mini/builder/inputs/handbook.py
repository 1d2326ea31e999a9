"""The handbook that two tasks share, byte for byte: bold-faked headings and a defined term."""

from pathlib import Path

from docx.document import Document
from docx.shared import Pt
from docx.text.paragraph import Paragraph

from ..documents import add_footnote, new_document, save_document


def write_handbook(directory: Path) -> None:
    document = new_document()
    document.sections[0].header.paragraphs[0].text = "Purchasing handbook – Supplier edition"
    document.add_paragraph("Purchasing handbook", style="Title")
    document.add_paragraph("This handbook tells the offices how to buy.")
    _heading(document, "1 Scope", 16)
    _text(document, "It applies to every ", ("Supplier", "b"), " of goods and services.")
    _heading(document, "1.1 Definitions", 13)
    noted = _text(
        document, ("Supplier", "b"), " means the party named in the order. ", ("Note:", "b"), " it may be a person."
    )
    add_footnote(document, noted, "A Supplier in this sense need not be registered.")
    _heading(document, "1.2 Systems", 13)
    _text(document, "Orders are placed in SupplierNet, where each ", ("Sup", ""), ("plier", ""), " has an account.")
    _heading(document, "2 Ordering", 16)
    _text(
        document,
        ("Before the order", "b"),
        " the office asks the Supplier for a quote. The ",
        ("Supplier", "i"),
        " answers in writing.",
    )
    _heading(document, "2.1 Late delivery", 13)
    _text(document, "SupplierNet reminds the office after ten days; the Supplier pays nothing for that.")
    table = document.add_table(rows=2, cols=2, style="Table Grid")
    cells = [("Step", "Who"), ("Send reminder", "Supplier desk")]
    for row, texts in zip(table.rows, cells, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    _heading(document, "3 Contact", 16)
    _text(document, "Questions go to the purchasing team.")
    save_document(document, directory / "handbook.docx")


def _heading(document: Document, text: str, size: int) -> None:
    run = document.add_paragraph().add_run(text)
    run.bold = True
    run.font.size = Pt(size)


def _text(document: Document, *pieces: str | tuple[str, str]) -> Paragraph:
    paragraph = document.add_paragraph()
    for piece in pieces:
        text, style = (piece, "") if isinstance(piece, str) else piece
        run = paragraph.add_run(text)
        run.bold = True if style == "b" else None
        run.italic = True if style == "i" else None
    return paragraph
