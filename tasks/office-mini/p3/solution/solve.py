"""Reference solution: replacing a chart's data renews its cache and its workbook."""

# anneal-canary-9eec0c7987c916c2

import csv
from pathlib import Path

from pptx import Presentation
from pptx.chart.data import CategoryChartData

(_, name), *rows = csv.reader(Path("q4.csv").open(encoding="utf-8"))
deck = Presentation("deck.pptx")
chart = next(shape.chart for shape in deck.slides[1].shapes if shape.has_chart)
data = CategoryChartData(number_format="0.0")
data.categories = [region for region, _ in rows]
data.add_series(name, [float(value) for _, value in rows])
chart.replace_data(data)
Path("output").mkdir(exist_ok=True)
deck.save("output/deck.pptx")
