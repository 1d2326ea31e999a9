"""Typical failure: the results are pasted over the formulas, the name stays broken."""

# anneal-canary-8a0c25a7b6a83cb2

from pathlib import Path

from openpyxl import load_workbook

workbook = load_workbook("model.xlsx")
model = workbook["Model"]
rates = [workbook["Rates"][f"B{row}"].value for row in range(2, 7)]
for row in range(2, 6):
    model[f"D{row}"] = model[f"B{row}"].value * rates[model[f"C{row}"].value - 1]
model["D6"] = sum(model[f"D{row}"].value for row in range(2, 6))
model["D7"] = sum(rates) / len(rates)
Path("output").mkdir(exist_ok=True)
workbook.save("output/model.xlsx")
