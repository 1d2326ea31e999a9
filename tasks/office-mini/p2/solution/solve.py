"""Reference solution: a native table on a new slide, moved to third place."""

# anneal-canary-9a50319b34f63585

import csv
from pathlib import Path

from pptx import Presentation
from pptx.util import Inches

rows = list(csv.reader(Path("q3.csv").open(encoding="utf-8")))
deck = Presentation("deck.pptx")
layout = next(found for found in deck.slide_layouts if found.name == "Title Only")
slide = deck.slides.add_slide(layout)
slide.shapes.title.text_frame.text = "Q3 by region"
frame = slide.shapes.add_table(len(rows), len(rows[0]), Inches(1), Inches(1.8), Inches(8), Inches(3))
for row, values in zip(frame.table.rows, rows, strict=True):
    for cell, value in zip(row.cells, values, strict=True):
        cell.text_frame.text = value
for cell in frame.table.rows[0].cells:
    cell.text_frame.paragraphs[0].runs[0].font.bold = True
slides = deck.slides._sldIdLst
slides.insert(2, slides[-1])
Path("output").mkdir(exist_ok=True)
deck.save("output/deck.pptx")
