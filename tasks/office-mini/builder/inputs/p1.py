"""A lecture of four slides; its number stands in one title, four footers and, rightly, in body text."""

from pathlib import Path
from random import Random

from ..decks import CONTENT, TITLE, add_footer, add_slide, new_deck, save_deck, set_runs, slim_notes


def write(directory: Path, random: Random) -> None:
    course = random.choice(["Statistics for Planners", "Data for Public Works", "Methods for Town Planning"])
    deck = new_deck(TITLE, CONTENT)
    slim_notes(deck)
    first = add_slide(deck, TITLE, "", ["Spring term, room B204"], notes="Hand out the reading list.")
    set_runs(first.shapes.title.text_frame.paragraphs[0], ["Lecture", " 3", ": Sampling and its pitfalls"])
    share = random.randrange(52, 79)
    slides = [
        first,
        add_slide(deck, CONTENT, "Why samples mislead", [f"A poll of {share} percent men", "Who did not answer?"]),
        add_slide(
            deck,
            CONTENT,
            "Last year",
            ["The recording of Lecture 3 from last year is in the archive", "Skip its part two"],
        ),
        add_slide(
            deck, CONTENT, "Reading", ["Chapters 3 and 4", "Exercise sheet 3"], notes="Sheet 3 is due in two weeks."
        ),
    ]
    for slide, cut in zip(slides, ([0], [7], [8], [0]), strict=True):
        footer = f"Lecture 3 · {course}"
        add_footer(slide, [part for part in (footer[: cut[0]], footer[cut[0] :]) if part])
    save_deck(deck, directory / "deck.pptx")
