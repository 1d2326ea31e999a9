"""An order by mail in which the customer corrects himself."""

import textwrap
from pathlib import Path
from random import Random

from ..texts import write_text


def write(directory: Path, random: Random) -> None:
    lamps, chairs, shelves, mats = (random.randrange(6, 40) for _ in range(4))
    prices = [random.randrange(400, 9_000) / 20 for _ in range(4)]
    body = f"""\
        Good morning,

        please deliver the following to our Leeds office:

        - {lamps} desk lamps at {prices[0]:.2f} each
        - {chairs} office chairs at {prices[1]:.2f} each
        - {shelves} wall shelves at {prices[2]:.2f} each
        - {mats} floor mats at {prices[3]:.2f} each

        We already have two floor mats from your last delivery, they are fine.

        PS: I have just counted again, please make it {chairs + 4} office chairs.

        Kind regards
        Amira Holt
        """
    head = (
        "From: Amira Holt <amira.holt@example.com>\nTo: orders@example.com\nSubject: Order for Leeds\n"
        "Date: Mon, 03 Mar 2025 08:14:00 +0000\nMIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    )
    write_text(directory / "order.eml", head + textwrap.dedent(body))
