"""Typical failure: every change is accepted, Legal's too."""

# anneal-canary-fea8d2365a212e71

from pathlib import Path

from docx import Document
from docx.oxml.ns import qn

document = Document("contract.docx")
for element in list(document.element.body.iter(qn("w:ins"), qn("w:del"), qn("w:rPrChange"))):
    if element.tag == qn("w:ins"):
        for child in list(element):
            element.addprevious(child)
    element.getparent().remove(element)
Path("output").mkdir(exist_ok=True)
document.save("output/contract.docx")
