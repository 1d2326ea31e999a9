"""Typical failure: replacing run by run misses the occurrence that is split over two runs."""

# anneal-canary-1a6f8043d4890475

import re
from pathlib import Path

from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree


def rename(root) -> None:
    for text in root.iter(qn("w:t")):
        text.text = re.sub(r"\bSupplier\b", "Vendor", text.text or "")


document = Document("handbook.docx")
rename(document.element.body)
for section in document.sections:
    rename(section.header._element)
for relation in document.part.rels.values():
    if relation.reltype.endswith("/footnotes"):
        root = parse_xml(relation.target_part.blob)
        rename(root)
        relation.target_part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
Path("output").mkdir(exist_ok=True)
document.save("output/handbook.docx")
