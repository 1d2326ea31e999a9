"""Reference solution: read the items, apply the correction in the postscript, write a native table."""

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
rows, total = [], 0.0
for count, name, price in items:
    quantity = int(corrected if name == corrected_name else count)
    total += quantity * float(price)
    rows.append([name, str(quantity), price, f"{quantity * float(price):.2f}"])
document = Document()
document.add_paragraph("Order for Leeds")
table = document.add_table(rows=0, cols=4)
for values in [["Item", "Quantity", "Unit price", "Line total"], *rows]:
    for cell, value in zip(table.add_row().cells, values, strict=True):
        cell.text = value
document.add_paragraph(f"Order total: {total:.2f}")
Path("output").mkdir(exist_ok=True)
document.save("output/order.docx")
