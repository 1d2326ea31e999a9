"""System calls that Python 3.11 does not offer.

`_ctypes` instead of `ctypes`: the package's own import costs 4 ms, a third of a keeper's start.
"""

import os

from _ctypes import FUNCFLAG_CDECL, FUNCFLAG_USE_ERRNO, CFuncPtr, _SimpleCData, dlopen, dlsym, get_errno

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38


class _Int(_SimpleCData):
    _type_ = "i"


class _UnsignedLong(_SimpleCData):
    _type_ = "L"


class _Text(_SimpleCData):
    _type_ = "z"


class _Function(CFuncPtr):
    _flags_ = FUNCFLAG_CDECL | FUNCFLAG_USE_ERRNO
    _restype_ = _Int


_library = dlopen(None, 2)


def _function(name, *argument_types):
    function = _Function(dlsym(_library, name))
    function.argtypes = argument_types
    return function


_mount = _function("mount", _Text, _Text, _Text, _UnsignedLong, _Text)
_umount2 = _function("umount2", _Text, _Int)
_unshare = _function("unshare", _Int)
_prctl = _function("prctl", _Int, _UnsignedLong, _UnsignedLong, _UnsignedLong, _UnsignedLong)


def _check(status, subject):
    if status != 0:
        number = get_errno()
        raise OSError(number, os.strerror(number), subject)


def mount(source, target, kind, flags, data=""):
    _check(_mount(os.fsencode(source), os.fsencode(target), kind.encode(), flags, data.encode()), target)


def unmount(target):
    _check(_umount2(os.fsencode(target), 0), target)


def unshare(flags):
    _check(_unshare(flags), "unshare")


def control_process(option, value):
    _check(_prctl(option, value, 0, 0, 0), f"prctl {option}")
