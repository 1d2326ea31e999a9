"""Copies regular files from one tree to another through the checked reader."""

import os

from regular_files import Notes, ReadLimits, RegularFiles

try:
    from _sha2 import sha256
except ImportError:
    try:
        from _sha256 import sha256
    except ImportError:
        from hashlib import sha256

CHUNK = 1 << 20
TRUSTED = dict(entries=20_000, depth=32, file_bytes=1 << 31, total_bytes=1 << 32, single_link=False)


class UnfitSource(Exception):
    """A tree that the host itself supplied holds something that cannot be staged."""


def make_folder(path, owner=None, mode=0o755):
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        return
    os.chmod(path, mode)
    if owner is not None:
        os.chown(path, owner, owner)


def make_folders(root, relative, owner):
    path = root
    for name in relative.split("/")[:-1]:
        path = f"{path}/{name}"
        make_folder(path, owner)


def copy_file(source, size, target, mode, owner=None):
    """At most `size` bytes from a descriptor to a new file; the digest of what was written."""
    digest = sha256()
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        while size > 0:
            chunk = os.read(source, min(size, CHUNK))
            if not chunk:
                break
            size -= len(chunk)
            digest.update(chunk)
            write_all(descriptor, chunk)
        os.fchmod(descriptor, mode)
        if owner is not None:
            os.fchown(descriptor, owner, owner)
    finally:
        os.close(descriptor)
    return digest.hexdigest()


def write_all(descriptor, text):
    view = memoryview(text)
    while view:
        view = view[os.write(descriptor, view) :]


def copy_tree(source, target, limits, notes, owner=None):
    """Below an existing target folder. Answers [{path, bytes, sha256}] in reading order."""
    copied = []
    for path, descriptor, found in RegularFiles(source, limits, notes):
        make_folders(target, path, owner)
        mode = 0o755 if found.st_mode & 0o100 else 0o644
        digest = copy_file(descriptor, found.st_size, f"{target}/{path}", mode, owner)
        copied.append({"path": path, "bytes": found.st_size, "sha256": digest})
    return copied


def copy_trusted(source, target, owner=None):
    """A host file or folder to `target`; refuses what the checked reader would leave out."""
    if os.path.isdir(source):
        make_folder(target, owner)
        notes = Notes()
        copied = copy_tree(source, target, ReadLimits(**TRUSTED), notes, owner)
        if notes.total:
            first = notes.entries[0]
            raise UnfitSource(f"{source}: {first['path']!r} cannot be staged ({first['reason']})")
        return copied
    descriptor = os.open(source, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        mode = 0o755 if found.st_mode & 0o100 else 0o644
        digest = copy_file(descriptor, found.st_size, target, mode, owner)
    finally:
        os.close(descriptor)
    return [{"path": "", "bytes": found.st_size, "sha256": digest}]
