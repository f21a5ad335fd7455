"""One stream of length-prefixed JSON between the lab and the learner's side."""

import socket
import time
from json import dumps, loads  # by name: a learner may replace json.dumps
from typing import Any

LARGEST_FRAME = 16 << 20


class Closed(Exception):
    """The other side is gone."""


class Malformed(Exception):
    """What came over the stream is no frame of ours."""


class Channel:
    """Sends and receives JSON objects, each behind its length in four bytes."""

    largest = LARGEST_FRAME

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream

    def send(self, frame: dict[str, Any], deadline: float | None = None) -> None:
        """Send one frame. TimeoutError if it is not taken until the deadline.

        Raises Closed if nobody is there to take it.
        """
        data = dumps(frame).encode()
        try:
            self._wait_until(deadline)
            self.stream.sendall(len(data).to_bytes(4, "big") + data)
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from None

    def receive(self, deadline: float | None = None) -> dict[str, Any]:
        """The next frame. TimeoutError at the deadline (by `time.monotonic`).

        Raises Closed at the stream's end and Malformed for what is no JSON object.
        """
        length = int.from_bytes(self._read(4, deadline), "big")
        if length > self.largest:
            raise Malformed(f"a frame of {length} bytes")
        data = self._read(length, deadline)
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

    def _wait_until(self, deadline: float | None) -> None:
        left = None if deadline is None else max(deadline - time.monotonic(), 1e-6)
        self.stream.settimeout(left)

    def _read(self, size: int, deadline: float | None) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                self._wait_until(deadline)
                piece = self.stream.recv(size - len(data))
            except TimeoutError:
                raise
            except OSError as error:
                raise Closed(str(error)) from None
            if not piece:
                raise Closed("end of stream")
            data += piece
        return bytes(data)
