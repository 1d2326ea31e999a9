"""Typical failure: the table is pasted as a picture."""

# anneal-canary-9a50319b34f63585

import csv
import io
from pathlib import Path

from PIL import Image, ImageDraw
from pptx import Presentation
from pptx.util import Inches

rows = list(csv.reader(Path("q3.csv").open(encoding="utf-8")))
image = Image.new("RGB", (640, 240), "white")
pen = ImageDraw.Draw(image)
for r, row in enumerate(rows):
    for c, value in enumerate(row):
        pen.text((20 + 150 * c, 20 + 50 * r), value, fill="black")
picture = io.BytesIO()
image.save(picture, "PNG")
deck = Presentation("deck.pptx")
slide = deck.slides.add_slide(next(found for found in deck.slide_layouts if found.name == "Title Only"))
slide.shapes.title.text_frame.text = "Q3 by region"
slide.shapes.add_picture(picture, Inches(1), Inches(1.8), Inches(8))
slides = deck.slides._sldIdLst
slides.insert(2, slides[-1])
Path("output").mkdir(exist_ok=True)
deck.save("output/deck.pptx")
