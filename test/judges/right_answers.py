"""Writes right answers that are not the reference's way. Usage: right_answers.py FOLDER, one working directory per name."""

import datetime as dt
import json
import os
import sys
from copy import deepcopy
from pathlib import Path

from docx import Document
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from icalendar import Calendar, Event
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Alignment, PatternFill
from pptx import Presentation
from pptx.util import Inches

out = Path("output")


def p1_new_runs() -> None:
    """The texts are set anew, in one run each."""
    deck = Presentation("deck.pptx")
    deck.slides[0].shapes.title.text_frame.text = deck.slides[0].shapes.title.text_frame.text.replace("3", "1")
    for slide in deck.slides:
        for shape in slide.placeholders:
            if "FOOTER" in str(shape.placeholder_format.type):
                shape.text_frame.text = shape.text_frame.text.replace("3", "1")
    deck.save(out / "deck.pptx")


def p2_bold_by_style() -> None:
    """The header row is bold through the table's style; numbers carry grouping commas."""
    rows = [line.split(",") for line in Path("q3.csv").read_text().split()]
    rows[1][2] = f"{float(rows[1][2]):,.2f}"
    deck = Presentation("deck.pptx")
    slide = deck.slides.add_slide(deck.slide_layouts[2])
    slide.shapes.title.text = "Q3 by region"
    table = slide.shapes.add_table(4, 4, Inches(1), Inches(2), Inches(8), Inches(2)).table
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            table.cell(r, c).text = value
    ids = deck.slides._sldIdLst
    ids.insert(2, ids[-1])
    deck.save(out / "deck.pptx")


def d2_simple_field() -> None:
    """A simple field in a content control, under a typed heading."""
    document = Document("handbook.docx")
    marked = [p for p in document.paragraphs if p.runs and all(r.bold for r in p.runs) and p.text[:1].isdigit()]
    for paragraph in marked:
        paragraph.style = document.styles["Heading 2" if "." in paragraph.text[:3] else "Heading 1"]
    field = '<w:fldSimple w:instr="TOC \\o &quot;1-3&quot; \\h"><w:r><w:t>1 Scope 1</w:t></w:r></w:fldSimple>'
    control = f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>Contents</w:t></w:r></w:p><w:p>{field}</w:p></w:sdtContent></w:sdt>"
    marked[0]._p.addprevious(parse_xml(control))
    document.save(out / "handbook.docx")


def d4_formatted_amounts() -> None:
    """Grouping, capital letters, a currency; the table has a style."""
    text = Path("order.eml").read_text()
    rows, total = [], 0.0
    for line in text.splitlines():
        if line.startswith("- "):
            count, rest = line[2:].split(" ", 1)
            name, price = rest.removesuffix(" each").split(" at ")
            quantity = int(count) + (4 if name == "office chairs" else 0)
            total += quantity * float(price)
            rows.append([name.capitalize(), str(quantity), f"{float(price):,.2f}", f"{quantity * float(price):,.2f}"])
    document = Document()
    document.add_heading("Order form", 0)
    table = document.add_table(rows=1, cols=4, style="Table Grid")
    for values in [["Item", "Quantity", "Unit price", "Line total"], *rows]:
        cells = table.rows[0].cells if values[0] == "Item" else table.add_row().cells
        for cell, value in zip(cells, values, strict=True):
            cell.text = value
    document.add_paragraph().add_run(f"Order total: {total:,.2f} EUR").bold = True
    document.save(out / "order.docx")


def x1_sum_in_parts() -> None:
    """Another formula over the same cells."""
    book = load_workbook("sales.xlsx")
    book["Sales"]["B14"] = "=ROUND(SUM(B$2:B$7)+SUM(B8:B12)+B13,2)"
    book.save(out / "sales.xlsx")


def x2_name_again() -> None:
    """The name is deleted and defined anew, quoted and without dollar signs."""
    from openpyxl.workbook.defined_name import DefinedName

    book = load_workbook("model.xlsx")
    del book.defined_names["RateTable"]
    book.defined_names["RateTable"] = DefinedName("RateTable", attr_text="'Rates'!B2:B6")
    book.save(out / "model.xlsx")


def x3_real_dates() -> None:
    """Months as dates, amounts as text, capital headings."""
    tables = [[line.split(",") for line in Path(n).read_text().split()[1:]] for n in ("a.csv", "b.csv")]
    a, b = ({(c, m): v for c, m, v in rows} for rows in tables)
    book = Workbook()
    book.remove(book.active)
    for name, heads, keys, columns in (
        ("Joined", ["Customer", "Month", "Billed", "Paid"], a.keys() & b.keys(), (a, b)),
        ("Only billed", ["Customer", "Month", "Billed"], a.keys() - b.keys(), (a,)),
        ("Only paid", ["Customer", "Month", "Paid"], b.keys() - a.keys(), (b,)),
    ):
        sheet = book.create_sheet(name)
        sheet.append(heads)
        for key in sorted(keys):
            sheet.append([key[0], dt.datetime.strptime(key[1], "%Y-%m"), *(c[key] for c in columns)])
    book.save(out / "joined.xlsx")


def x4_built_anew() -> None:
    """Copied cell by cell into a new workbook, colour without alpha."""
    source = load_workbook("counts.xlsx")["Counts"]
    book = Workbook()
    book.active.title = "Counts"
    for row in source.iter_rows():
        for cell in row:
            new = book.active.cell(cell.row, cell.column, cell.value)
            new.alignment = Alignment(horizontal="center", vertical="center")
            if cell.row == 1:
                new.fill = PatternFill(fill_type="solid", start_color="87CEEB", end_color="87CEEB")
    book.save(out / "counts_formatted.xlsx")


def c1_sumproduct() -> None:
    """Whole-column sums and a lookup; values with a percent sign and a comma."""
    book = load_workbook("kpi.xlsx")
    data = list(book["Data"].iter_rows(min_row=2, values_only=True))
    visits, orders, revenue, refunds = (sum(row[c] for row in data) for c in range(1, 5))
    june = 'INDEX(Data!D:D,MATCH("June",Data!A:A,0))'
    formulas = ("=100*SUM(Data!C:C)/SUM(Data!B:B)", "=SUM(Data!D:D)/SUM(Data!C:C)", "=SUM(Data!E:E)/SUM(Data!D:D)/1%")
    for row, formula in enumerate([*formulas, f"=100*({june}-Data!D2)/Data!D2"], start=2):
        book["KPI"][f"B{row}"] = formula
    book.save(out / "kpi_out.xlsx")
    values = [f"{100 * orders / visits:.1f} %", f"{revenue / orders:,.1f}", f"{100 * refunds / revenue:.1f}%"]
    values.append(f"{100 * (data[-1][3] / data[0][3] - 1):.1f}")
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = "Shop"
    table = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_table(5, 2, 0, 0, Inches(6), Inches(3)).table
    for row, texts in enumerate(
        [("KPI", "Value"), *zip([book["KPI"][f"A{r}"].value for r in range(2, 6)], values, strict=True)]
    ):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    deck.save(out / "deck.pptx")


def c2_utc_and_dates() -> None:
    """Dates as dates, events in UTC with a duration, a script with an annotated constant."""
    menu = [line.split(",") for line in Path("menu.csv").read_text().splitlines()[1:]]
    fitting = sorted((row for row in menu if row[3] == "no"), key=lambda row: float(row[1]))
    chosen = [row for row in fitting if row[2] == "yes"][-1:] + [row for row in fitting if row[2] == "yes"][:2]
    chosen += [row for row in fitting if row not in chosen][:2]
    dates = [dt.date(2025, 6, day) for day in range(2, 7)]
    days = [{"cost": float(r[1]) * 20, "date": str(d), "dish": r[0]} for d, r in zip(dates, chosen, strict=True)]
    plan = {"total": sum(day["cost"] for day in days), "days": days}
    (out / "plan.json").write_text(json.dumps(plan))
    script = f"import json\nimport sys\n\nPLAN: dict = {json.dumps(plan, indent=4)}\n\nif __name__ == '__main__':\n    json.dump(PLAN, sys.stdout)\n"
    (out / "plan.py").write_text(script)
    book = Workbook()
    book.active.title = "Plan"
    book.active.append(["Date", "Dish", "Cost"])
    document, calendar = Document(), Calendar()
    table = document.add_table(rows=1, cols=3)
    for cell, text in zip(table.rows[0].cells, ("Date", "Dish", "Cost"), strict=True):
        cell.text = text
    for date, day in zip(dates, days, strict=True):
        book.active.append([date, day["dish"], day["cost"]])
        for cell, text in zip(table.add_row().cells, (day["date"], day["dish"], str(day["cost"])), strict=True):
            cell.text = text
        event = Event()
        event.add("uid", str(date))
        event.add("dtstart", dt.datetime(date.year, date.month, date.day, 10, 30, tzinfo=dt.timezone.utc))
        event.add("duration", dt.timedelta(minutes=45))
        event.add("summary", day["dish"])
        calendar.add_component(event)
    book.active.append(["Total", None, "=SUBTOTAL(9,C2:C6)"])
    book.save(out / "plan.xlsx")
    document.save(out / "plan.docx")
    (out / "plan.ics").write_bytes(calendar.to_ical())


def d1_by_hand() -> None:
    """Runs are merged into plain paragraphs where no change by Legal is left."""
    document = Document("contract.docx")
    legal = "Legal"
    for paragraph in document.element.body.iter(qn("w:p")):
        for change in list(paragraph.iter(qn("w:ins"), qn("w:del"), qn("w:rPrChange"))):
            if change.get(qn("w:author")) != legal:
                for run in [deepcopy(r) for r in change] if change.tag == qn("w:ins") else []:
                    change.addprevious(run)
                change.getparent().remove(change)
        if not any(e.get(qn("w:author")) for e in paragraph.iter()):
            runs = paragraph.findall(qn("w:r"))
            if len(runs) > 1 and all(r.find(qn("w:rPr")) is None for r in runs):
                text = OxmlElement("w:t")
                text.text = "".join(r.findtext(qn("w:t")) or "" for r in runs)
                runs[0].find(qn("w:t")).addprevious(text)
                runs[0].remove(runs[0].findall(qn("w:t"))[1])
                for run in runs[1:]:
                    paragraph.remove(run)
    document.save(out / "contract.docx")


if __name__ == "__main__":
    for folder in sorted(Path(sys.argv[1]).resolve().iterdir()):
        os.chdir(folder)
        out.mkdir()
        globals()[folder.name]()
