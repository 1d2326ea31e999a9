"""Keeps the front and the tail of a stream that may never end."""


class OutputCapture:
    """Holds at most `cap` bytes, half from the front and half from the end; counts all."""

    def __init__(self, cap):
        self._half = max(1, cap // 2)
        self._front = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, chunk):
        self.total += len(chunk)
        room = self._half - len(self._front)
        if room > 0:
            self._front += chunk[:room]
            chunk = chunk[room:]
        self._tail += chunk
        if len(self._tail) > 4 * self._half:
            del self._tail[: -self._half]

    def bytes(self):
        tail = self._tail[-self._half :]
        left_out = self.total - len(self._front) - len(tail)
        if left_out == 0:
            return bytes(self._front + tail)
        return bytes(self._front) + f"\n[... {left_out} bytes left out ...]\n".encode() + bytes(tail)

    def text(self):
        return self.bytes().decode("utf-8", "replace")
