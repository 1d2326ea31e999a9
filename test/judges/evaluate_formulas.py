"""Reads a list of formulas as JSON and prints what each comes to on one small workbook."""

import io
import json
import sys

sys.path.insert(0, sys.argv[1])

from openpyxl import Workbook, load_workbook
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.table import Table

from anneal_judges.formula import Evaluator, ExcelError, Unsupported

book = Workbook()
sheet = book.active
sheet.title = "S"
for row in [["Part", "Count", "Price"], ["nut", 3, 0.5], ["bolt", 1, 2], ["nut", 4, 0.25], ["Gear", None, 12.5]]:
    sheet.append(row)
sheet.add_table(Table(displayName="Parts", ref="A1:C5"))
other = book.create_sheet("My sheet")
other["A1"] = "=S!B2*2"
book.defined_names["Rate"] = DefinedName("Rate", attr_text="S!$C$2:$C$5")
book.defined_names["Gone"] = DefinedName("Gone", attr_text="S!#REF!")

buffer = io.BytesIO()
book.save(buffer)
book = load_workbook(buffer)
sheet = book["S"]
found = []
for formula in json.load(sys.stdin):
    sheet["J3"] = formula
    try:
        value = Evaluator(book, {("S", "B5"): 10}).value("S", "J3")
        found.append(value.code if isinstance(value, ExcelError) else value)
    except Unsupported:
        found.append("unsupported")
json.dump(found, sys.stdout)
