"""Writes the outputs that an evaluation key asks for, one action a file.

The importer turns each key into a list of actions and emits, for every task, a script of its own: the functions below
that the task's actions need, and the actions. So every function stands alone but for the others in this file, and takes
paths relative to the working directory.
"""

import os


def carry_out(actions):
    """Each action is {"do": name, ...}; later ones see what earlier ones wrote."""
    for action in actions:
        arguments = {key: value for key, value in action.items() if key != "do"}
        if "path" in arguments:
            os.makedirs(os.path.dirname(arguments["path"]) or ".", exist_ok=True)
        globals()["do_" + action["do"]](**arguments)


def do_text(path, lines):
    """Appends lines to a text file."""
    with open(path, "a", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def do_document(path, lines):
    """Appends paragraphs to a Word document, which is created if there is none."""
    import docx

    document = docx.Document(path if os.path.exists(path) else None)
    for line in lines:
        document.add_paragraph(line)
    document.save(path)


def do_workbook(path, cells=(), rows=()):
    """Sets cells [row, column, value] of the active sheet, then appends rows below it."""
    import openpyxl

    book = openpyxl.load_workbook(path) if os.path.exists(path) else openpyxl.Workbook()
    for row, column, value in cells:
        book.active.cell(row=row, column=column).value = value
    for row in rows:
        book.active.append(row)
    book.save(path)


def do_new_workbook(path, rows):
    """Writes rows to a new workbook, replacing what was there."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)


def do_drop_rows(path, words):
    """Deletes each row of the active sheet whose filled cells are all among the words."""
    import openpyxl

    book = openpyxl.load_workbook(path)
    sheet = book.active
    for row in reversed(list(sheet.iter_rows())):
        shown = {str(cell.value) for cell in row if cell.value is not None}
        if shown and shown <= set(words):
            sheet.delete_rows(row[0].row)
    book.save(path)


def do_pdf(path, lines):
    """Writes a PDF file of one page with a text layer."""
    shown = "".join(
        "(" + line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ") Tj T*\n" for line in lines
    )
    stream = ("BT /F1 11 Tf 14 TL 50 780 Td\n" + shown + "ET").encode("cp1252", "replace")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(body))
    with open(path, "wb") as file:
        file.write(body + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer)


def do_image(path):
    """Writes a small blank picture."""
    from PIL import Image

    Image.new("RGB", (64, 64), "white").save(path)


def do_deck(path, lines):
    """Writes a presentation with the lines on one slide."""
    import pptx

    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.placeholders[1].text = "\n".join(lines)
    deck.save(path)


def do_event(path, lines, start=None):
    """Appends an event of an hour to a calendar, which is created if there is none.

    Without a start it takes the day after the last event, so that it meets no other.
    """
    import datetime
    import re

    text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//calendar//EN\nEND:VCALENDAR\n"
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    if start is None:
        days = re.findall(r"DT(?:START|END)[^:\n]*:(\d{8})", text) or ["20240601"]
        day = datetime.datetime.strptime(max(days), "%Y%m%d") + datetime.timedelta(days=1)
        start = day.strftime("%Y%m%dT090000Z")
    end = datetime.datetime.strptime(start[:15], "%Y%m%dT%H%M%S") + datetime.timedelta(hours=1)
    stop = end.strftime("%Y%m%dT%H%M%S") + start[15:]
    notes = "".join("COMMENT:" + line + "\n" for line in lines[1:])
    summary = lines[0] if lines else "appointment"
    event = f"BEGIN:VEVENT\nUID:{start}-{text.count('BEGIN:VEVENT')}@example.com\nDTSTAMP:20240101T000000Z\n"
    event += f"DTSTART:{start}\nDTEND:{stop}\nSUMMARY:{summary}\n{notes}END:VEVENT\n"
    head, mark, tail = text.rpartition("END:VCALENDAR")
    with open(path, "w", encoding="utf-8") as file:
        file.write((head + event + mark + tail) if mark else (text + event))


def do_mail(path, sender, recipient, subject, lines):
    """Writes one mail file."""
    from email.message import EmailMessage

    mail = EmailMessage()
    mail["From"] = sender + "@example.com"
    mail["To"] = recipient + "@example.com"
    mail["Subject"] = subject
    mail.set_content("\n".join(lines) + "\n", charset="utf-8", cte="8bit")
    with open(path, "wb") as file:
        file.write(mail.as_bytes())


def do_folder(path):
    """Makes a folder."""
    os.makedirs(path, exist_ok=True)


def do_copy(path, source):
    """Copies a file."""
    import shutil

    shutil.copyfile(source, path)


def do_remove(path):
    """Removes a file if it is there."""
    if os.path.exists(path):
        os.remove(path)
