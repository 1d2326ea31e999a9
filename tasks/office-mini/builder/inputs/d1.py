"""A contract with tracked changes by two authors: text, a format, and a whole new paragraph."""

from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from ..documents import new_document, save_document

LEGAL, BUYER = "Legal", "Procurement"


class _Writer:
    """Paragraphs as pieces: text, or (author, kind, text)."""

    def __init__(self) -> None:
        self.count = 0

    def _mark(self, author: str) -> str:
        self.count += 1
        return f'w:id="{self.count}" w:author="{author}" w:date="2025-03-{self.count + 2:02d}T09:00:00Z"'

    def paragraph(self, pieces: list[object], inserted_by: str | None = None) -> object:
        mark = f"<w:pPr><w:rPr><w:ins {self._mark(inserted_by)}/></w:rPr></w:pPr>" if inserted_by else ""
        return parse_xml(f"<w:p {nsdecls('w')}>{mark}{''.join(self._piece(p) for p in pieces)}</w:p>")

    def _piece(self, piece: object) -> str:
        if isinstance(piece, str):
            return f'<w:r><w:t xml:space="preserve">{escape(piece)}</w:t></w:r>'
        author, kind, text = piece  # type: ignore[misc]
        inner = f'<w:t xml:space="preserve">{escape(text)}</w:t>'
        if kind == "ins":
            return f"<w:ins {self._mark(author)}><w:r>{inner}</w:r></w:ins>"
        if kind == "del":
            deleted = inner.replace("w:t>", "w:delText>").replace("<w:t ", "<w:delText ")
            return f"<w:del {self._mark(author)}><w:r>{deleted}</w:r></w:del>"
        return f"<w:r><w:rPr><w:b/><w:rPrChange {self._mark(author)}><w:rPr/></w:rPrChange></w:rPr>{inner}</w:r>"


def write(directory: Path, random: Random) -> None:
    old_days, new_days = random.choice([(14, 30), (10, 21), (20, 45)])
    fee = random.randrange(11, 49) * 100
    writer = _Writer()
    paragraphs: list[tuple[list[object], str | None]] = [
        (["1. The supplier delivers the goods to the depot in Hull."], None),
        (
            [
                "2. Delivery takes place within ",
                (BUYER, "del", f"{old_days}"),
                (BUYER, "ins", f"{new_days}"),
                " days of the order.",
            ],
            None,
        ),
        (
            [
                "3. The price is fixed",
                (LEGAL, "ins", " for twelve months"),
                ". A setup fee of ",
                (BUYER, "format", f"{fee:,} euro"),
                " is due once.",
            ],
            None,
        ),
        (
            [
                "4. The supplier is liable for ",
                (LEGAL, "del", "all "),
                (LEGAL, "ins", "foreseeable "),
                "damage",
                (BUYER, "ins", " in transit"),
                ".",
            ],
            None,
        ),
        ([(BUYER, "ins", "5. Pallets are returned free of charge.")], BUYER),
        (
            [
                "6. Either party may end this contract with ",
                (LEGAL, "del", "one month's"),
                (LEGAL, "ins", "three months'"),
                " notice.",
            ],
            None,
        ),
        (["7. The law of England applies."], None),
    ]
    document = new_document()
    document.add_paragraph("Supply contract", style="Title")
    section = document.element.body.sectPr
    for pieces, inserted_by in paragraphs:
        section.addprevious(writer.paragraph(pieces, inserted_by))
    table = document.add_table(rows=2, cols=2, style="Table Grid")
    for row, texts in zip(
        table.rows, [("Item", "Quantity"), ("Euro pallet", str(random.randrange(40, 90)))], strict=True
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    save_document(document, directory / "contract.docx")
