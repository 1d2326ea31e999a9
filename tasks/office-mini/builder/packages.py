"""Office packages with the same bytes on every machine.

Entries are stored, not deflated: zlib's output differs between its implementations.
"""

import io
import re
import zipfile
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)
_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(<)")
# What a template carries for scripts and outline levels that no task uses.
_WEIGHT = re.compile(rb'<a:font script="[^"]*" typeface="[^"]*"/>|<a:lvl([3-9])pPr\b.*?</a:lvl\1pPr>', re.DOTALL)
_WEIGHTY = re.compile(r"theme\d|slideMaster\d|notesMaster\d|ppt/presentation")
_DROPPED = (
    "docProps/app.xml",
    "docProps/thumbnail.jpeg",
    "ppt/printerSettings/printerSettings1.bin",
    "ppt/viewProps.xml",
    "word/stylesWithEffects.xml",
)


def write_package(path: Path, content: bytes) -> None:
    path.write_bytes(settled(content))


def settled(content: bytes) -> bytes:
    """The package with fixed times, fixed dates in its properties and no dead weight; embedded ones too."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as package, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as out:
        for entry in package.infolist():
            if entry.filename in _DROPPED:
                continue
            fixed = zipfile.ZipInfo(entry.filename, EPOCH)
            fixed.create_system = 0
            out.writestr(fixed, _settled_part(entry.filename, package.read(entry)))
    return target.getvalue()


def _settled_part(name: str, part: bytes) -> bytes:
    if name.endswith(".xlsx"):
        return settled(part)
    if name == "docProps/core.xml":
        return _STAMP.sub(rb"\g<1>2025-01-01T00:00:00Z\g<2>", part)
    if _WEIGHTY.search(name) and name.endswith(".xml"):
        return _WEIGHT.sub(b"", part)
    if name.endswith(".rels"):
        for dropped in _DROPPED:
            short = dropped.rpartition("/")[2].encode()
            part = re.sub(rb"<Relationship [^>]*" + re.escape(short) + rb"[^>]*/>", b"", part)
    if name == "[Content_Types].xml":
        for dropped in _DROPPED:
            part = re.sub(rb"<Override [^>]*PartName=\"/" + re.escape(dropped.encode()) + rb"\"[^>]*/>", b"", part)
    return part
