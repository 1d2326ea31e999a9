"""Evaluates the worksheet formulas that tasks need, in process; nothing else is ever computed.

A function or form it does not know raises `Unsupported`: the criterion becomes unknown.
"""

from .evaluate import Evaluator
from .values import ExcelError, Unsupported

__all__ = ["Evaluator", "ExcelError", "Unsupported"]
