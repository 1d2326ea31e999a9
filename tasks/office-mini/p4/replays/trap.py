"""Typical failure: the hidden slide comes out visible."""

# anneal-canary-9273b69740718058

from pathlib import Path

from pptx import Presentation

deck = Presentation("deck.pptx")
slides = deck.slides._sldIdLst
slides.insert(1, slides[4])
for slide in deck.slides:
    slide._element.attrib.pop("show", None)
Path("output").mkdir(exist_ok=True)
deck.save("output/deck.pptx")
