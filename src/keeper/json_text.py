"""JSON text to values and back, for trusted and hostile text alike.

The C parts of the standard `json` package without its regular expressions, whose import costs 9 ms a keeper.
Numbers that JSON does not know (NaN, Infinity) are refused in both directions.
"""

import _json

_WHITESPACE = " \t\n\r"


def _refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def _finite_number(text):
    number = float(text)
    if number - number != 0.0:
        raise ValueError(f"{text} is too large")
    return number


class _Reading:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = staticmethod(_finite_number)
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)
    memo = {}


def _refuse_value(value):
    raise TypeError(f"{type(value).__name__} has no JSON form")


_scan = _json.make_scanner(_Reading)
_encode = _json.make_encoder(None, _refuse_value, _json.encode_basestring_ascii, None, ":", ",", False, False, False)


def decode(text):
    """The value of a whole JSON text; ValueError for anything else, however deep or odd."""
    text = text.strip(_WHITESPACE)
    try:
        value, end = _scan(text, 0)
    except (StopIteration, SystemError):  # SystemError: Python 3.11's scanner where json.decoder was never imported
        raise ValueError("not JSON") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if end != len(text):
        raise ValueError("text after the JSON value")
    return value


def encode(value):
    """One line of ASCII."""
    return "".join(_encode(value, 0))
