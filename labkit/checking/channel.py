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

    def __init__(self, stream: socket.socket) -> None:
        self.stream = stream

    def send(self, frame: dict[str, Any]) -> None:
        """Send one frame; Closed if nobody is there to take it."""
        data = dumps(frame).encode()
        try:
            self.stream.settimeout(None)
            self.stream.sendall(len(data).to_bytes(4, "big") + data)
        except OSError as error:
            raise Closed(str(error)) from None

    def receive(self, deadline: float | None = None) -> dict[str, Any]:
        """The next frame. TimeoutError at the deadline (by `time.monotonic`).

        Raises Closed at the stream's end and Malformed for what is no JSON object.
        """
        length = int.from_bytes(self._read(4, deadline), "big")
        if length > LARGEST_FRAME:
            raise Malformed(f"a frame of {length} bytes")
        data = self._read(length, deadline)
        try:
            frame = loads(data)
        except (ValueError, RecursionError) as error:
            raise Malformed(str(error)) from None
        if not isinstance(frame, dict):
            raise Malformed("a frame that is no object")
        return frame

    def close(self) -> None:
        """Close this end."""
        self.stream.close()

    def _read(self, size: int, deadline: float | None) -> bytes:
        data = bytearray()
        while len(data) < size:
            if deadline is not None:
                self.stream.settimeout(max(deadline - time.monotonic(), 1e-6))
            try:
                piece = self.stream.recv(size - len(data))
            except TimeoutError:
                raise
            except OSError as error:
                raise Closed(str(error)) from None
            if not piece:
                raise Closed("end of stream")
            data += piece
        return bytes(data)
