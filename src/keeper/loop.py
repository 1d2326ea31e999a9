"""Waits for descriptors, timers and the stop signal in one thread.

One thread because `--die-with-parent` follows the thread that forked, and so that no fork meets a held lock.
"""

import os
import select
import time

import _signal

READABLE = select.POLLIN
WRITABLE = select.POLLOUT


def hold_stop_signal():
    """The first process of a namespace would not even see a signal that it has no handler for yet."""
    _signal.pthread_sigmask(_signal.SIG_BLOCK, [_signal.SIGTERM])


class Timer:
    def __init__(self, due, action):
        self.due = due
        self.action = action


class Loop:
    def __init__(self):
        self._poll = select.poll()
        self._handlers = {}
        self._timers = []
        self._running = False

    def watch(self, descriptor, handler, events=READABLE):
        """Replaces an earlier watch of the descriptor. The handler also runs on hang-up and error."""
        self._handlers[descriptor] = handler
        self._poll.register(descriptor, events)

    def forget(self, descriptor):
        if self._handlers.pop(descriptor, None) is not None:
            self._poll.unregister(descriptor)

    def after(self, seconds, action):
        timer = Timer(time.monotonic() + seconds, action)
        self._timers.append(timer)
        return timer

    def cancel(self, timer):
        if timer in self._timers:
            self._timers.remove(timer)

    def on_stop_signal(self, action):
        """Also for a signal that came while it was held back by `hold_stop_signal`."""
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        _signal.set_wakeup_fd(writer)
        _signal.signal(_signal.SIGTERM, lambda number, frame: None)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGTERM])
        for ignored in (_signal.SIGINT, _signal.SIGHUP):
            _signal.signal(ignored, _signal.SIG_IGN)

        def stop():
            os.read(reader, 64)
            action()

        self.watch(reader, stop)

    def stop(self):
        self._running = False

    def run(self):
        """Until `stop`."""
        self._running = True
        while self._running:
            self._wait()
            now = time.monotonic()
            for timer in [timer for timer in self._timers if timer.due <= now]:
                self.cancel(timer)
                timer.action()

    def _wait(self):
        due = min((timer.due for timer in self._timers), default=None)
        timeout = None if due is None else max(0, (due - time.monotonic()) * 1000)
        for descriptor, _ in self._poll.poll(timeout):
            handler = self._handlers.get(descriptor)
            if handler is not None:
                handler()
