"""Writes the seccomp filters that the jails load: one per architecture and set of socket families.

Development only. Needs libseccomp >= 2.5 and its ctypes binding (`pip install pyseccomp`); nothing here runs
with the engine, which loads the generated files:

    python generate.py            # rewrites <architecture>-<families>.bpf beside this script
"""

import errno
import pathlib
import struct

import pyseccomp

CLONE_NEW = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
LOW_32_BITS = 0xFFFFFFFF

REFUSED = """
unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp
add_key request_key keyctl bpf perf_event_open userfaultfd memfd_secret
io_uring_setup io_uring_enter io_uring_register
name_to_handle_at open_by_handle_at fanotify_init
init_module finit_module delete_module kexec_load kexec_file_load
shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv msgctl
mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
mknod mknodat mbind set_mempolicy get_mempolicy migrate_pages move_pages set_mempolicy_home_node
modify_ldt iopl ioperm acct swapon swapoff reboot syslog quotactl quotactl_fd vhangup lookup_dcookie
uselib ustat sysfs nfsservctl settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname
""".split()

ARCHITECTURES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}
FAMILIES = {"unix": (AF_UNIX,), "internet": (AF_UNIX, AF_INET, AF_INET6)}


def refuse_families(rules, call, allowed):
    unsupported = pyseccomp.ERRNO(errno.EAFNOSUPPORT)
    rules.add_rule(unsupported, call, pyseccomp.Arg(0, pyseccomp.GT, max(allowed)))
    for family in range(max(allowed)):
        if family not in allowed:
            rules.add_rule(unsupported, call, pyseccomp.Arg(0, pyseccomp.EQ, family))


def library_filter(architecture, families):
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    rules.set_attr(pyseccomp.Attr.ACT_BADARCH, pyseccomp.KILL_PROCESS)
    if not rules.exist_arch(architecture):
        rules.add_arch(architecture)
    for native in ARCHITECTURES.values():
        if native != architecture and rules.exist_arch(native):
            rules.remove_arch(native)
    refused = pyseccomp.ERRNO(errno.EPERM)
    for name in REFUSED:
        rules.add_rule(refused, name)
    for flag in CLONE_NEW:
        rules.add_rule(refused, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    for request in (TIOCSTI, TIOCLINUX):
        rules.add_rule(refused, "ioctl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, LOW_32_BITS, request))
    refuse_families(rules, "socket", families)
    refuse_families(rules, "socketpair", (AF_UNIX,))
    return rules


def newer_calls_prologue():
    """Answers ENOSYS to calls that libseccomp's table does not know: 457-461 (statmount ... lsm_*) and 463 upwards.

    462 is mseal. x32 numbers (0x40000000 upwards) fall through to the library's filter, which kills them.
    """
    load, jump_if_at_least, answer = 0x20, 0x35, 0x06
    return [
        (load, 0, 0, 0),
        (jump_if_at_least, 4, 0, 0x40000000),
        (jump_if_at_least, 2, 0, 463),
        (jump_if_at_least, 2, 0, 462),
        (jump_if_at_least, 0, 1, 457),
        (answer, 0, 0, 0x00050000 | errno.ENOSYS),
    ]


def exported(rules, scratch):
    with scratch.open("wb") as file:
        rules.export_bpf(file)
    text = scratch.read_bytes()
    scratch.unlink()
    return text


def main():
    folder = pathlib.Path(__file__).resolve().parent
    prologue = b"".join(struct.pack("<HBBI", *instruction) for instruction in newer_calls_prologue())
    for architecture, token in ARCHITECTURES.items():
        for name, families in FAMILIES.items():
            program = prologue + exported(library_filter(token, families), folder / ".scratch")
            (folder / f"{architecture}-{name}.bpf").write_bytes(program)
            print(architecture, name, len(program) // 8, "instructions")


if __name__ == "__main__":
    main()
