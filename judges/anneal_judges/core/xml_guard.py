"""Refuses XML that declares a document type, whatever its encoding."""

import re

_ENCODING = re.compile(rb"^<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_PLAIN = {"utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"}


class HostileXml(ValueError):
    """XML that could expand or reach outside."""


def guard_xml(part: bytes) -> bytes:
    """The part in an ASCII-compatible encoding.

    Raises where a DTD, an entity or an encoding that could hide them is declared.

    An Office part never needs any of them.
    """
    text = part
    if part[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = part.decode("utf-16").encode("utf-8")
    elif b"\0" in part[:4]:
        raise HostileXml("a wide encoding without a byte order mark")
    else:
        declared = _ENCODING.match(part.removeprefix(b"\xef\xbb\xbf").lstrip())
        if declared and declared.group(1).decode().lower() not in _PLAIN:
            raise HostileXml(f"encoding {declared.group(1).decode()}")
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise HostileXml("a document type declaration")
    return text
