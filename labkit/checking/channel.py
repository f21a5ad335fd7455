"""One stream of length-prefixed JSON between the lab and the learner's side."""

import math
import select
import socket
import time
from collections.abc import Callable
from json import dumps, loads  # by name: a learner may replace json.dumps
from typing import Any

LARGEST_FRAME = 16 << 20
PIECE = 1 << 16
MOST_HELD = 1 << 12  # bytes


class Closed(Exception):
    """The other side is gone."""


class Malformed(Exception):
    """What came over the stream is no frame of ours."""


class Channel:
    """Sends and receives JSON objects, each behind its length in four bytes.

    Whoever waits with a deadline calls `look` every `look_seconds`; it may raise.
    """

    largest = LARGEST_FRAME

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream
        self.come = bytearray()  # and not yet read: one look may fetch many frames
        self.held = b""  # and not yet sent
        self.look: Callable[[], object] = lambda: None
        self.look_seconds = math.inf

    def send(self, frame: dict[str, Any], deadline: float | None = None) -> None:
        """Send one frame. TimeoutError if it is not taken until the deadline.

        Raises Closed if nobody is there to take it.
        """
        self.held += _packed(frame)
        self._flush(deadline)

    def hold(self, frame: dict[str, Any]) -> None:
        """Send a frame that nobody answers, but with the next one; it wakes nobody."""
        self.held += _packed(frame)
        if len(self.held) > MOST_HELD:
            self._flush()

    def receive(self, deadline: float | None = None) -> dict[str, Any]:
        """The next frame. TimeoutError at the deadline (by `time.monotonic`).

        What has come until then is kept; the next call goes on with it.
        Raises Closed at the stream's end and Malformed for what is no JSON object.
        """
        length = int.from_bytes(self._come(4, deadline), "big")
        if length > self.largest:
            raise Malformed(f"a frame of {length} bytes")
        data = self._come(4 + length, deadline)[4:]
        del self.come[: 4 + length]
        self.measure(data)
        try:
            frame = loads(data)
        except (ValueError, RecursionError) as error:
            raise Malformed(str(error)) from None
        if not isinstance(frame, dict):
            raise Malformed("a frame that is no object")
        return frame

    def measure(self, data: bytes) -> None:
        """Look at a frame before it is read; Malformed if it is not to be taken."""

    def close(self) -> None:
        """Close this end."""
        self.stream.close()

    def _come(self, size: int, deadline: float | None) -> bytes:
        """The first bytes that are not read yet; they stay so."""
        while len(self.come) < size:
            try:
                if deadline is not None:
                    self._wait(select.POLLIN, deadline)
                piece = self.stream.recv(PIECE)
            except TimeoutError:
                raise
            except OSError as error:
                raise Closed(str(error)) from None
            if not piece:
                raise Closed("end of stream")
            self.come += piece
        return bytes(self.come[:size])

    def _flush(self, deadline: float | None = None) -> None:
        data, self.held = self.held, b""
        try:
            if deadline is None:
                self.stream.sendall(data)
            else:
                self._send_until(deadline, data)
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from None

    def _send_until(self, deadline: float, data: bytes) -> None:
        left = memoryview(data)
        while left:
            try:
                left = left[self.stream.send(left, socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)

    def _wait(self, event: int, deadline: float) -> None:
        """Until the stream can be read or written; TimeoutError past the deadline."""
        ready = select.poll()
        ready.register(self.stream, event)
        while True:
            left = deadline - time.monotonic()
            if ready.poll(max(0.0, min(left, self.look_seconds)) * 1000):
                return
            if left <= 0:
                raise TimeoutError
            self.look()


def _packed(frame: dict[str, Any]) -> bytes:
    data = dumps(frame).encode()
    return len(data).to_bytes(4, "big") + data
