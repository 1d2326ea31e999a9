"""The kill timer. Waiting for the provider and outages of the gateway do not eat the attempt's wall time."""

import os
import time

from gateway_query import GatewayQuery, connect

TICK_SECONDS = 1
SILENT_SECONDS = 30


class WallClock:
    """Calls `on_expired(kind)` once, at the limit plus the lease's waited time plus the gateway's outages: `wall_limit`,
    or `gateway_lost` when nobody listened up to the end of the outage that counts.

    `lease` is {socket, token, owner} or None. An outage is a socket where nobody listens, which no jail can bring
    about; at most `unreachable_ms` of it count. A gateway that takes the question and is silent gets 30 s in all.
    """

    def __init__(self, loop, limit_ms, lease, unreachable_ms, on_expired):
        self._loop = loop
        self._lease = lease
        self._on_expired = on_expired
        self._began = time.monotonic()
        self._deadline = self._began + limit_ms / 1000
        self._outage_left = unreachable_ms / 1000
        self._outage = 0
        self._silent_left = SILENT_SECONDS
        self._timer = loop.after(limit_ms / 1000, self._at_deadline)
        self.extended = 0
        if lease is not None:
            self._ticked = self._began
            self._tick_timer = loop.after(TICK_SECONDS, self._tick)

    def remaining_ms(self):
        return (self._deadline - time.monotonic()) * 1000

    def elapsed_ms(self):
        return (time.monotonic() - self._began) * 1000

    def stop(self):
        self._loop.cancel(self._timer)
        if self._lease is not None:
            self._loop.cancel(self._tick_timer)

    def _tick(self):
        """Counts outages. A gateway that restarts as root makes its socket anew: it is handed to the jail's uid again."""
        now = time.monotonic()
        passed, self._ticked = now - self._ticked, now
        client = connect(self._lease["socket"])
        if client is None:
            counted = min(passed, self._outage_left)
            self._outage_left -= counted
            self._outage += counted
        else:
            client.close()
            hand_over(self._lease)
        self._tick_timer = self._loop.after(TICK_SECONDS, self._tick)

    def _at_deadline(self):
        if self._lease is None:
            self._on_expired("wall_limit")
        else:
            GatewayQuery(self._loop, self._lease["socket"], self._lease["token"], self._answered)

    def _answered(self, kind, waited_ms):
        if kind == "down":
            self._wait_or_expire(self._outage_left, "gateway_lost")
        elif kind == "silent":
            self._silent_left -= TICK_SECONDS
            self._wait_or_expire(self._silent_left, "wall_limit")
        else:
            # A gateway that came back has given its outage to the lease: the same seconds are not owed twice.
            owed = max((waited_ms or 0) / 1000, self._outage)
            if owed - self.extended < 0.01:
                self._on_expired("wall_limit")
            else:
                self._deadline += owed - self.extended
                self.extended = owed
                self._timer = self._loop.after(max(0, self._deadline - time.monotonic()), self._at_deadline)

    def _wait_or_expire(self, left, kind):
        if left <= 0:
            self._on_expired(kind)
        else:
            self._timer = self._loop.after(TICK_SECONDS, self._at_deadline)


def hand_over(lease):
    """Gives the gateway's socket to the harness's uid, mode 0600."""
    if lease["owner"] is None:
        return
    try:
        if os.lstat(lease["socket"]).st_uid != lease["owner"]:
            os.chown(lease["socket"], lease["owner"], lease["owner"], follow_symlinks=False)
            os.chmod(lease["socket"], 0o600)
    except FileNotFoundError:
        pass
