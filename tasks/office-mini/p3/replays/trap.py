"""Typical failure: only the cached values are changed, the workbook behind the chart stays old."""

# anneal-canary-9eec0c7987c916c2

import csv
from pathlib import Path

from pptx import Presentation

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
(_, name), *rows = csv.reader(Path("q4.csv").open(encoding="utf-8"))
deck = Presentation("deck.pptx")
chart = next(shape.chart for shape in deck.slides[1].shapes if shape.has_chart)
series = chart.plots[0].series[0]._element
series.find(f"{C}tx//{C}v").text = name
for point, (_, value) in zip(series.findall(f"{C}val//{C}pt"), rows, strict=True):
    point.find(f"{C}v").text = value
Path("output").mkdir(exist_ok=True)
deck.save("output/deck.pptx")
