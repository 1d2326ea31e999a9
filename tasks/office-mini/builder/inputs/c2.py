"""Ten dishes and the rules for a week of lunches."""

from pathlib import Path
from random import Random

from ..texts import write_csv, write_text

DISHES = [
    ("Lentil curry", "yes", "no"),
    ("Mushroom risotto", "yes", "no"),
    ("Walnut pasta", "yes", "yes"),
    ("Vegetable lasagne", "yes", "no"),
    ("Chicken pie", "no", "no"),
    ("Fish stew", "no", "no"),
    ("Beef noodles", "no", "yes"),
    ("Potato soup", "yes", "no"),
    ("Roast salmon", "no", "no"),
    ("Turkey wrap", "no", "no"),
]
GUESTS, BUDGET = 20, 600


def write(directory: Path, random: Random) -> None:
    rows = [[dish, f"{_price(dish, random):.2f}", vegetarian, nuts] for dish, vegetarian, nuts in DISHES]
    write_csv(directory / "menu.csv", [["dish", "cost_per_person", "vegetarian", "nuts"], *rows])
    rules = f"""\
# Lunch rules

- Lunch is served Monday 2025-06-02 to Friday 2025-06-06, 12:30 to 13:15, Europe/Berlin.
- One dish a day for all {GUESTS} guests; no dish twice in the week.
- At least three of the five dishes are vegetarian.
- Nothing with nuts.
- The whole week costs at most {BUDGET} euro (cost per person times guests).
"""
    write_text(directory / "rules.md", rules)


def _price(dish: str, random: Random) -> float:
    """Fish is dear: two such dishes break the budget."""
    return random.randrange(190, 210) / 20 if dish in ("Roast salmon", "Fish stew") else random.randrange(84, 116) / 20
