"""Reference solution."""

# anneal-canary-393fd1bd95246bb4

from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from openpyxl import load_workbook
from pptx import Presentation
from pptx.util import Inches

FORMULAS = {
    "B2": "=SUM(Data!C2:C7)/SUM(Data!B2:B7)*100",
    "B3": "=SUM(Data!D2:D7)/SUM(Data!C2:C7)",
    "B4": "=SUM(Data!E2:E7)/SUM(Data!D2:D7)*100",
    "B5": "=(Data!D7/Data!D2-1)*100",
}
workbook = load_workbook("kpi.xlsx")
rows = list(workbook["Data"].iter_rows(min_row=2, values_only=True))
visits, orders, revenue, refunds = (sum(row[column] for row in rows) for column in range(1, 5))
values = [orders / visits * 100, revenue / orders, refunds / revenue * 100, (rows[-1][3] / rows[0][3] - 1) * 100]
sheet = workbook["KPI"]
names = [sheet[f"A{row}"].value for row in range(2, 6)]
for cell, formula in FORMULAS.items():
    sheet[cell] = formula
Path("output").mkdir(exist_ok=True)
workbook.save("output/kpi_out.xlsx")

deck = Presentation()
slide = deck.slides.add_slide(deck.slide_layouts[5])
slide.shapes.title.text_frame.text = "Key figures, January to June"
table = slide.shapes.add_table(5, 2, Inches(1), Inches(1.8), Inches(8), Inches(3)).table
shown = [str(Decimal(value).quantize(Decimal("0.1"), ROUND_HALF_UP)) for value in values]
for row, texts in zip(table.rows, [("KPI", "Value"), *zip(names, shown, strict=True)], strict=True):
    for cell, text in zip(row.cells, texts, strict=True):
        cell.text_frame.text = text
deck.save("output/deck.pptx")
