"""The quarterly deck that two tasks share, byte for byte."""

from pathlib import Path
from random import Random

from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from ..decks import CONTENT, TITLE, TITLE_ONLY, add_slide, new_deck, save_deck

REGIONS = ("North", "South", "West")


def write_quarter_deck(directory: Path, random: Random) -> None:
    deck = new_deck(TITLE, CONTENT, TITLE_ONLY)
    add_slide(deck, TITLE, "Quarterly review", ["Sales board"])
    slide = add_slide(deck, TITLE_ONLY, "Revenue by region")
    data = CategoryChartData(number_format="0.0")
    data.categories = REGIONS
    data.add_series("Q3 revenue", [random.randrange(2_000, 9_000) / 10 for _ in REGIONS])
    frame = slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, Inches(1), Inches(1.6), Inches(8), Inches(5), data)
    fill = frame.chart.plots[0].series[0].format.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(0x2E, 0x6D, 0xA4)
    add_slide(deck, CONTENT, "What went well", ["Two large orders in the West", "Fewer returns than planned"])
    add_slide(deck, CONTENT, "Next steps", ["Visit the northern dealers", "Review the price list"])
    save_deck(deck, directory / "deck.pptx")
