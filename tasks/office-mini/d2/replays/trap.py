"""Typical failure: the contents are typed lines."""

# anneal-canary-064befb24037b1d8

import re
from pathlib import Path

from docx import Document

document = Document("handbook.docx")
headings = [p for p in document.paragraphs if re.match(r"^\d+(\.\d+)? \w", p.text) and all(r.bold for r in p.runs)]
for paragraph in headings:
    paragraph.style = "Heading 2" if "." in paragraph.text.split()[0] else "Heading 1"
headings[0].insert_paragraph_before("Contents")
for page, paragraph in enumerate(headings, start=2):
    headings[0].insert_paragraph_before(f"{paragraph.text}\t{page}")
Path("output").mkdir(exist_ok=True)
document.save("output/handbook.docx")
