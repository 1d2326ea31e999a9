"""Reads the office files below a folder that match a pattern with every reader, and prints what failed as JSON.

Also compares what the evaluator computes with the results that workbooks carry.
"""

import json
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])

from openpyxl import load_workbook  # noqa: E402

from anneal_judges.core.delivery import delivery_fault  # noqa: E402
from anneal_judges.core.files import Files  # noqa: E402
from anneal_judges.formula import Evaluator, Unsupported  # noqa: E402
from anneal_judges.formula.values import scalar_of  # noqa: E402
from anneal_judges.readers import chart_workbooks, decks, documents, revisions, workbooks  # noqa: E402

root = Path(sys.argv[2])
files = Files(root)
failures: list[str] = []
counts = {"files": 0, "agree": 0, "differ": 0, "unsupported": 0}


def read_deck(path: str) -> None:
    for slide in files.deck(path).slides:
        decks.slide_signature(slide)
        decks.footers_of(slide)
        for chart in decks.charts_of(slide):
            chart_workbooks.embedded_workbook(chart)


def read_document(path: str) -> None:
    document = files.document(path)
    documents.story_texts(document)
    documents.field_codes(document.element.body)
    revisions.revisions_of(document)
    for paragraph in documents.body_paragraphs(document):
        documents.word_formats(paragraph)
        documents.style_name(document, paragraph)


def read_workbook(path: str) -> None:
    book = files.workbook(path)
    cached = load_workbook(root / path, data_only=True)
    evaluator = Evaluator(book)
    for sheet in book.worksheets:
        workbooks.rows_of(sheet)
        for cell in workbooks.cells_of(sheet):
            if workbooks.is_formula(cell) and (known := cached[sheet.title][cell.coordinate].value) is not None:
                counts[compared(evaluator, sheet.title, cell.coordinate, known)] += 1


def compared(evaluator: Evaluator, sheet: str, coordinate: str, known: object) -> str:
    try:
        value = evaluator.value(sheet, coordinate)
    except Unsupported:
        return "unsupported"
    wanted = scalar_of(known)
    if isinstance(value, float) and isinstance(wanted, float):
        return "agree" if abs(value - wanted) <= 1e-6 * max(1, abs(wanted)) else "differ"
    return "agree" if value == wanted or (value is None and wanted in (0.0, "")) else "differ"


READERS = {".pptx": read_deck, ".docx": read_document, ".xlsx": read_workbook, ".pdf": files.open}
for path in sorted(p for p in root.rglob(sys.argv[3]) if p.suffix in READERS and p.is_file()):
    name = str(path.relative_to(root))
    counts["files"] += 1
    try:
        if (fault := delivery_fault(files, name)) is not None:
            failures.append(f"{name}: {fault}")
        READERS[path.suffix](name)
    except Exception as error:
        failures.append(f"{name}: {type(error).__name__}: {error}")
json.dump({"failures": failures, **counts}, sys.stdout)
