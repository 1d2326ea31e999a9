"""What a jail sees of the file system: the read-only base system, and the spec's mounts by way of the stage."""

import os

PASSWD = "root:x:0:0:root:/:/bin/false\nuser:x:1000:1000:user:/tmp:/bin/bash\n"
GROUP = "root:x:0:\nuser:x:1000:\n"
HOSTS = "127.0.0.1 localhost\n"
NAME_SERVICE = "passwd: files\ngroup: files\nhosts: files\n"
SYSTEM_LINKS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
SYSTEM_FOLDERS = ("alternatives", "fonts")
def system_mounts(etc, hidden):
    """`/usr`, its aliases and the staged `/etc`. `hidden` folders are shown empty, where they exist below `/usr`."""
    arguments = ["--ro-bind", "/usr", "/usr"]
    for name in SYSTEM_LINKS:
        if os.path.islink(f"/{name}"):
            arguments += ["--symlink", os.readlink(f"/{name}"), f"/{name}"]
        elif os.path.isdir(f"/{name}"):
            arguments += ["--ro-bind", f"/{name}", f"/{name}"]
    for folder in hidden:
        real = os.path.realpath(folder)
        if real.startswith("/usr/") and os.path.isdir(real):
            arguments += ["--size", "4096", "--perms", "0555", "--tmpfs", real, "--remount-ro", real]
    return [*arguments, "--ro-bind", etc, "/etc"]


def stage_etc(stage):
    """`/usr/bin/awk` and others lead through `/etc/alternatives`; nothing else of the host's `/etc` is shown."""
    etc = stage.folder("etc")
    for name, text in (("passwd", PASSWD), ("group", GROUP), ("hosts", HOSTS), ("nsswitch.conf", NAME_SERVICE)):
        with open(f"{etc}/{name}", "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(f"{etc}/{name}", 0o644)
    if os.path.isfile("/etc/ld.so.cache"):
        stage.copied("/etc/ld.so.cache", "etc/ld.so.cache")
    for name in SYSTEM_FOLDERS:
        if os.path.isdir(f"/etc/{name}"):
            stage.bound(f"/etc/{name}", f"etc/{name}")
    return etc


def staged_mounts(stage, mounts):
    """Read-only binds for the spec's [{source, target, how}]; a Python environment brings its interpreter along."""
    arguments = []
    for mount in mounts:
        source, target = mount["source"], mount["target"]
        staged = stage.copied(source) if mount["how"] == "copy" else stage.bound(source)
        arguments += ["--ro-bind", staged, target]
        for prefix in interpreter_prefixes(source):
            arguments += ["--ro-bind", stage.bound(prefix), prefix]
    return arguments


def interpreter_prefixes(source):
    """Host folders outside /usr that a virtual environment's interpreter lives in."""
    if not os.path.exists(f"{source}/pyvenv.cfg"):
        return []
    interpreter = f"{source}/bin/python"
    prefixes = set()
    while os.path.islink(interpreter):
        folder = os.path.dirname(interpreter)
        interpreter = os.path.normpath(os.path.join(folder, os.readlink(interpreter)))
        prefixes.add(os.path.dirname(os.path.dirname(interpreter)))
    return sorted(prefix for prefix in prefixes if prefix not in ("/", source) and not f"{prefix}/".startswith("/usr/"))
