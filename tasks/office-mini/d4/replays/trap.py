"""Typical failure: tab-separated paragraphs that only look like a table."""

# anneal-canary-aef222bab3c22c4e

import re
from email import policy
from email.parser import BytesParser
from pathlib import Path

from docx import Document

mail = BytesParser(policy=policy.default).parsebytes(Path("order.eml").read_bytes())
body = mail.get_body(preferencelist=("plain",)).get_content()
items = re.findall(r"^- (\d+) (.+) at ([\d.]+) each", body, re.M)
corrected, corrected_name = re.search(r"make it (\d+) ([a-z ]+)\.", body).groups()
document = Document()
document.add_paragraph("Item\tQuantity\tUnit price\tLine total")
total = 0.0
for count, name, price in items:
    quantity = int(corrected if name == corrected_name else count)
    total += quantity * float(price)
    document.add_paragraph(f"{name}\t{quantity}\t{price}\t{quantity * float(price):.2f}")
document.add_paragraph(f"Order total: {total:.2f}")
Path("output").mkdir(exist_ok=True)
document.save("output/order.docx")
