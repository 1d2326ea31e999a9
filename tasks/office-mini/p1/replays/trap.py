"""Typical failure: only the title is renumbered, the footers are forgotten."""

# anneal-canary-a4cdd2bd51b4e179

from pathlib import Path

from pptx import Presentation

deck = Presentation("deck.pptx")
paragraph = deck.slides[0].shapes.title.text_frame.paragraphs[0]
text = "".join(run.text for run in paragraph.runs).replace("Lecture 3", "Lecture 1")
paragraph.runs[0].text = text
for run in paragraph.runs[1:]:
    run.text = ""
Path("output").mkdir(exist_ok=True)
deck.save("output/deck.pptx")
