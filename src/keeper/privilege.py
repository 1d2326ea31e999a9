"""What this process may do here: the level, the uids of the jails, its own namespaces."""

import os
import time

import kernel


class Accounts:
    """Host uids of the jails. At level `user` all share one, in the keeper's own user namespace.

    `cpu_seconds_before` is what the process spent that became the keeper by forking.
    """

    def __init__(self, own, harness, task, judge):
        self.own = own
        self.cpu_seconds_before = time.process_time()
        self.harness = harness
        self.task = task
        self.judge = judge

    def owner(self, uid):
        """The uid to hand files to, or None where there is only one."""
        return uid if self.own else None


def is_mapped(uid):
    """Whether a host uid can be taken on here; false in a container that maps only a few."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        ranges = [[int(field) for field in line.split()] for line in file]
    return any(first <= uid < first + count for first, _, count in ranges)


def accounts(uids):
    """As root four uids for each slot: harness, task, judge and one kept free."""
    first = uids["base"] + 4 * uids["slot"]
    if os.geteuid() == 0 and is_mapped(first + 3):
        return Accounts(True, first, first + 1, first + 2)
    inside = os.geteuid() or 1000
    return Accounts(False, inside, inside, inside)


def enter_private_namespaces(own_uids):
    """Forks. Answers the child's pid in the parent and 0 in the child, which is its namespace's first process.

    Mounts made by the child are seen by it and its jails alone. Whatever kills it, the kernel ends every process
    inside with it: bubblewrap's `--die-with-parent` by itself takes hold only once a jail is set up.
    """
    if own_uids:
        kernel.unshare(kernel.CLONE_NEWNS | kernel.CLONE_NEWPID)
    else:
        _enter_user_namespace()
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    return os.fork()


def mount_own_proc():
    """From here on /proc shows the namespace: bubblewrap looks up its children there."""
    kernel.mount("proc", "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)


def _enter_user_namespace():
    uid, gid = os.geteuid(), os.getegid()
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS | kernel.CLONE_NEWPID)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid or 1000} {uid} 1"),
        ("gid_map", f"{gid or 1000} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def drop_to(uid):
    """In a forked child, before exec: gives up root, its groups and every capability for good."""
    for capability in range(64):
        try:
            kernel.control_process(kernel.PR_CAPBSET_DROP, capability)
        except OSError:
            break
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
