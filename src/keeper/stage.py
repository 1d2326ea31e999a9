"""The stage: a tmpfs that only this keeper's mount table has, from which every jail is mounted.

A dropped uid cannot reach below a private home, and host paths would show in the jail's mount table; so files are
copied here, environments are bound here, and writable trees are tmpfs here, capped in bytes and inodes.
"""

import os

import file_copy
import kernel

STAGE_BYTES = 2 << 30
FLAGS = kernel.MS_NOSUID | kernel.MS_NODEV


class Stage:
    def __init__(self, staging_root, own_uids):
        self.path = f"{staging_root}/k"
        self._own_uids = own_uids
        self._made = 0
        for folder in (staging_root, self.path):
            _make_traversable(folder)

    def mount(self):
        kernel.mount("tmpfs", self.path, "tmpfs", FLAGS, f"size={STAGE_BYTES},mode=0711")

    def folder(self, name, uid=None, mode=0o755):
        path = f"{self.path}/{name}"
        file_copy.make_folder(path, uid if self._own_uids else None, mode)
        return path

    def writable(self, name, size, inodes, uid, mode=0o755):
        """An empty tmpfs of its own; full means ENOSPC for whoever fills it."""
        path = self.folder(name)
        kernel.mount("tmpfs", path, "tmpfs", FLAGS, f"size={size},nr_inodes={inodes},mode={mode:o},uid={uid},gid={uid}")
        return path

    def copied(self, source, name=None):
        path = self._path(name)
        file_copy.copy_trusted(source, path)
        return path

    def bound(self, source, name=None):
        """A host file or folder as it is, with its own permissions."""
        path = self._path(name)
        if os.path.isdir(source):
            os.mkdir(path, 0o755)
        else:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644))
        kernel.mount(source, path, "", kernel.MS_BIND | kernel.MS_REC)
        return path

    def _path(self, name):
        self._made += 1
        return f"{self.path}/{name or f'm{self._made}'}"


def _make_traversable(folder):
    """Ours alone to write, for every uid to pass through; the time stamp keeps cleaners of /tmp away."""
    try:
        os.mkdir(folder, 0o711)
    except FileExistsError:
        found = os.lstat(folder)
        if found.st_uid != os.geteuid() or not os.path.isdir(folder) or os.path.islink(folder):
            raise PermissionError(f"{folder} belongs to somebody else") from None
    os.chmod(folder, 0o711)
    os.utime(folder)
