"""Why no jail can be made here, and what to do about it."""

import os

import jail

REMEDIES = {
    "kernel_setting": "as root: sysctl -w kernel.unprivileged_userns_clone=1",
    "apparmor": "as root: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0,"
    " or load an AppArmor profile that grants userns to the bwrap program",
    "namespace_limit": "as root: sysctl -w user.max_user_namespaces=15000",
    "nested_container": "run outside the container, or start it with --security-opt seccomp=unconfined"
    " --security-opt apparmor=unconfined --security-opt systempaths=unconfined",
    "architecture": "use an x86_64 or aarch64 machine",
    "bubblewrap_missing": "install the Python tools environment again, or the system package bubblewrap",
    "bash_missing": "install bash",
    "level": "run as root where memory cgroups can be made, or set the sandbox level to auto",
    "unknown": "try by hand: unshare -Urm true; the reason above is the system's own",
}


def refusal(reason, bubblewrap, cause=None):
    """`cause` is a key of REMEDIES, found out where the caller does not know it."""
    cause = cause or _cause(bubblewrap)
    return {"kind": "impossible", "cause": cause, "reason": reason, "remedy": REMEDIES[cause]}


def _cause(bubblewrap):
    if not os.path.exists(bubblewrap):
        return "bubblewrap_missing"
    if not os.path.exists("/bin/bash"):
        return "bash_missing"
    if not os.path.exists(f"{jail.FILTERS}/{os.uname().machine}-unix.bpf"):
        return "architecture"
    if _setting("kernel/unprivileged_userns_clone") == "0":
        return "kernel_setting"
    if _setting("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return "apparmor"
    if _setting("user/max_user_namespaces") == "0":
        return "namespace_limit"
    return "nested_container" if _in_container() else "unknown"


def _setting(name):
    try:
        with open(f"/proc/sys/{name}", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return None


def _in_container():
    """Marker files, a system-call filter from outside, or a changed root (which forbids user namespaces)."""
    if os.path.exists("/.dockerenv") or os.path.exists("/run/.containerenv"):
        return True
    with open("/proc/self/status", encoding="utf-8") as file:
        filtered = any(line.split() == ["Seccomp:", "2"] for line in file)
    return filtered or _root_is_changed()


def _root_is_changed():
    try:
        return os.stat("/").st_ino != os.stat("/proc/1/root").st_ino
    except OSError:
        return False
