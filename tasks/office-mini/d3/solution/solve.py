"""Reference solution: match over the joined runs, write each match into the run it begins in."""

# anneal-canary-1a6f8043d4890475

import re
from pathlib import Path

from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree

TERM = re.compile(r"\bSupplier\b")


def rename(root) -> None:
    for paragraph in root.iter(qn("w:p")):
        texts = list(paragraph.iter(qn("w:t")))
        joined = "".join(t.text or "" for t in texts)
        for match in reversed(list(TERM.finditer(joined))):
            start = 0
            for text in texts:
                content = text.text or ""
                begin, end = match.start() - start, match.end() - start
                start += len(content)
                if end <= 0 or begin >= len(content):
                    continue
                new = "Vendor" if begin >= 0 else ""
                text.text = content[: max(begin, 0)] + new + content[end:]
                text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


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
