"""Reference solution: the text may be cut into runs, so each paragraph is rewritten in its first run."""

# anneal-canary-a4cdd2bd51b4e179

from pathlib import Path

from pptx import Presentation


def renumber(paragraph) -> None:
    if paragraph.runs:
        text = "".join(run.text for run in paragraph.runs).replace("Lecture 3", "Lecture 1")
        paragraph.runs[0].text = text
        for run in paragraph.runs[1:]:
            run.text = ""


deck = Presentation("deck.pptx")
targets = [deck.slides[0].shapes.title]
for slide in deck.slides:
    targets += [p for p in slide.placeholders if "FOOTER" in str(p.placeholder_format.type)]
for shape in targets:
    for paragraph in shape.text_frame.paragraphs:
        renumber(paragraph)
Path("output").mkdir(exist_ok=True)
deck.save("output/deck.pptx")
