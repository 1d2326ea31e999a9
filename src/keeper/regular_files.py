"""The checked reader: the regular files below a folder that hostile code may have filled.

Every name is opened relative to its folder's descriptor, never following a link and never blocking. Whatever is
not a plain file with one link and a printable name is left out, with a note.
"""

import os
import stat
from itertools import islice

NOTES = 200
PATH_BYTES = 1000
WIDE_SPACES = "\u00a0\u2002\u2003\u2009\u202f\u3000"

OTHER_KINDS = (
    (stat.S_ISLNK, "symbolic_link"),
    (stat.S_ISFIFO, "fifo"),
    (stat.S_ISSOCK, "socket"),
)


class Notes:
    """Up to 200 findings and how many there were."""

    def __init__(self):
        self.entries = []
        self.total = 0

    def add(self, path, reason):
        self.total += 1
        if self.total <= NOTES:
            shown = path.encode("utf-8", "backslashreplace").decode("utf-8")
            shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in shown)
            self.entries.append({"path": shown[:300], "reason": reason})


class ReadLimits:
    """Entries seen (folders and refused ones count), folder depth, apparent bytes of one file and of all."""

    def __init__(self, entries, depth, file_bytes, total_bytes, single_link=True):
        self.entries = entries
        self.depth = depth
        self.file_bytes = file_bytes
        self.total_bytes = total_bytes
        self.single_link = single_link


def acceptable_name(name):
    """Printable Unicode: no control or direction characters, no bytes that are not UTF-8."""
    return all(letter.isprintable() or letter in WIDE_SPACES for letter in name)


class RegularFiles:
    """Iterates over (path, descriptor, stat) in a fixed order; the descriptor is closed after each step."""

    def __init__(self, folder, limits, notes):
        self._folder = folder
        self._limits = limits
        self._notes = notes
        self._entries = 0
        self._bytes = 0

    def __iter__(self):
        root = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            yield from self._below(root, "", 1)
        finally:
            os.close(root)

    def _below(self, folder, prefix, depth):
        taken = set()
        for name in self._names(folder, prefix):
            path = prefix + name
            if not acceptable_name(name):
                self._notes.add(path, "name")
            elif len(os.fsencode(path)) > PATH_BYTES:
                self._notes.add(path, "path_too_long")
            elif name.casefold() in taken:
                self._notes.add(path, "case_twin")
            else:
                taken.add(name.casefold())
                yield from self._entry(folder, name, path, depth)

    def _names(self, folder, prefix):
        """Lower case before upper case, so that of two case twins the plainer one stays."""
        room = self._limits.entries - self._entries
        with os.scandir(folder) as entries:
            names = [entry.name for entry in islice(entries, room + 1)]
        if len(names) > room:
            self._notes.add(prefix, "too_many_entries")
            del names[room:]
        self._entries += len(names)
        return sorted(names, key=lambda name: (name.casefold(), name.swapcase()))

    def _entry(self, folder, name, path, depth):
        found = os.lstat(name, dir_fd=folder)
        if stat.S_ISDIR(found.st_mode):
            yield from self._folder_entry(folder, name, path, depth)
        elif not stat.S_ISREG(found.st_mode):
            self._notes.add(path, next((reason for test, reason in OTHER_KINDS if test(found.st_mode)), "device"))
        else:
            yield from self._file_entry(folder, name, path)

    def _folder_entry(self, folder, name, path, depth):
        if depth >= self._limits.depth:
            self._notes.add(path, "too_deep")
            return
        inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
        try:
            yield from self._below(inner, path + "/", depth + 1)
        finally:
            os.close(inner)

    def _file_entry(self, folder, name, path):
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
        try:
            found = os.fstat(descriptor)
            refusal = self._refusal(found)
            if refusal is not None:
                self._notes.add(path, refusal)
                return
            self._bytes += found.st_size
            yield path, descriptor, found
        finally:
            os.close(descriptor)

    def _refusal(self, found):
        if not stat.S_ISREG(found.st_mode):
            return "device"
        if self._limits.single_link and found.st_nlink != 1:
            return "hard_link"
        if found.st_size > self._limits.file_bytes:
            return "file_too_large"
        if self._bytes + found.st_size > self._limits.total_bytes:
            return "total_too_large"
        return None
