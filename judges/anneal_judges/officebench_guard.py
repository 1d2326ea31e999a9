"""Looks at each output in a child process of its own, so that no file can take the judge down with it.

A file that exhausts its reader must cost the attempt its item, never the verdict: a judge that dies is counted against
the infrastructure, and a solver could then buy itself out of every bad result.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import time

from .core.finding import JudgeDefect
from .officebench import Item, Place, Seen, judge_item

CPU_SECONDS = 20
WALL_SECONDS = 30
MEMORY_BYTES = 1536 * 1024 * 1024


def guarded(item: Item, place: Place, wall_seconds: float = WALL_SECONDS) -> Seen:
    """`judge_item` in a limited child.

    One that is killed or runs out of memory fails its item; one that raises leaves it undecided, which earns nothing.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _child(item, place, writing)
    os.close(writing)
    answer, overdue = _answer(reading, wall_seconds)
    if overdue:
        os.kill(child, signal.SIGKILL)
    os.close(reading)
    os.waitpid(child, 0)
    try:
        found = json.loads(answer)
    except ValueError:
        subject = _subject(item)
        spent = f"{subject}: reading it took more than {CPU_SECONDS} s or {MEMORY_BYTES} bytes"
        return Seen(False, spent, (subject, "unreadable"))
    if "defect" in found:
        raise JudgeDefect(found["defect"])
    fault = found["fault"]
    return Seen(found["passed"], found["observed"], None if fault is None else (fault[0], fault[1]), found["decided"])


def _subject(item: Item) -> str:
    named = item.get("file") or item.get("result") or item.get("output")
    return str(named or f"mail or calendar of {item.get('username')}")


def _answer(reading: int, wall_seconds: float) -> tuple[bytes, bool]:
    """Everything the child wrote, and whether its time was over first."""
    answer, deadline = b"", time.monotonic() + wall_seconds
    while True:
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return answer, True
        chunk = os.read(reading, 65_536)
        if not chunk:
            return answer, False
        answer += chunk


def _limit(kind: int, value: int) -> None:
    """Never above what the jail already allows."""
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _child(item: Item, place: Place, writing: int) -> None:
    """Never returns."""
    code = 1
    try:
        _limit(resource.RLIMIT_CPU, CPU_SECONDS)
        _limit(resource.RLIMIT_AS, MEMORY_BYTES)
        try:
            seen = judge_item(item, place)
        except JudgeDefect as defect:
            found = {"defect": str(defect)}
        else:
            found = {"passed": seen.passed, "observed": seen.observed, "fault": seen.fault, "decided": seen.decided}
        os.write(writing, json.dumps(found).encode())
        code = 0
    except MemoryError:
        pass
    except Exception as error:
        found = {"passed": False, "observed": f"the check raised {type(error).__name__}", "fault": None, "decided": False}
        os.write(writing, json.dumps(found).encode())
    finally:
        os._exit(code)
