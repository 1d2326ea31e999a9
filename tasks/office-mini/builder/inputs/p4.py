"""Six slides with notes, the fourth hidden."""

from pathlib import Path
from random import Random

from ..decks import CONTENT, add_slide, new_deck, save_deck, slim_notes


def write(directory: Path, random: Random) -> None:
    deck = new_deck(CONTENT)
    slim_notes(deck)
    minutes = random.sample(range(3, 12), 6)
    titles = ["Town hall meeting", "Where we stand", "Traffic count", "Costs in detail", "What we propose", "Timetable"]
    bodies = [
        ["Residents' evening"],
        ["Two routes remain", "Both need a bridge"],
        [f"{random.randrange(4_000, 9_000)} cars a day", "A third of them pass through"],
        [f"Route A: {random.randrange(20, 40)} million", f"Route B: {random.randrange(41, 60)} million"],
        ["Route A with a lower speed", "A decision in autumn"],
        ["Survey in May", "Council in September"],
    ]
    for count, title, body in zip(minutes, titles, bodies, strict=True):
        notes = f"{count} minutes on '{title.lower()}', then questions."
        add_slide(deck, CONTENT, title, body, notes)
    deck.slides[3]._element.set("show", "0")
    save_deck(deck, directory / "deck.pptx")
