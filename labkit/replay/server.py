"""Recordings over real HTTP, on this machine only: what `labkit serve` does.

Any client of the chat completions API can talk to it, with the rules, the faults and
the streams of a replay, for it is the replay's own transport that answers.
"""

import json
import socket
import struct
import sys
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any

import httpx2

from labkit.errors import LabError
from labkit.replay.chunks import as_stream
from labkit.replay.recording import Turn
from labkit.replay.transport import ADDRESS, ReplayTransport

LARGEST_REQUEST = 32 << 20
# Closed like this, a connection is reset and not ended.
RESET = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)


class Server(ThreadingTCPServer):
    """Serves what `answer` gives for each request, at `address` until it is closed.

    A turn's `delay` is waited for by `sleep`. Port 0 is any free one. Raises LabError
    if the port cannot be had.
    """

    allow_reuse_address = True
    daemon_threads = True

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Turn],
        port: int = 0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.turn_for = answer
        self.sleep = sleep
        self.transport = ReplayTransport(self._answer)
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise LabError(
                f"Port {port} cannot be had ({error.strerror}); --port 0 takes a free "
                "one."
            ) from None

    @property
    def address(self) -> str:
        """What goes into OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def _answer(self, request: dict[str, Any]) -> Turn:
        turn = self.turn_for(request)
        if delay := turn.get("delay"):
            self.sleep(delay)
        return as_stream(request, turn)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection without a farewell: a reset must not begin with one."""
        self.close_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless it is only that the client has gone."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One request, one answer, one connection."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    server: Server

    def do_GET(self) -> None:
        """The list of models: one, which is whichever is asked for."""
        if self.path.partition("?")[0] != "/v1/models":
            return self._refuse(404, f"Unknown request URL: GET {self.path}.")
        model = {"id": "replayed", "object": "model", "created": 0}
        listed = {"object": "list", "data": [model | {"owned_by": "labkit"}]}
        self._send(httpx2.Response(200, json=listed))

    def do_POST(self) -> None:
        """The turn for this request."""
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST_REQUEST:
            return self._refuse(413, "A request needs a content-length, 32 MB at most.")
        content = self.rfile.read(int(length))
        if self.path.partition("?")[0] != "/v1/chat/completions":
            return self._refuse(404, f"Unknown request URL: POST {self.path}.")
        if not _is_object(content):
            return self._refuse(400, "The body of the request is not a JSON object.")
        request = httpx2.Request("POST", ADDRESS, content=content)
        try:
            self._send(self.server.transport.handle_request(request))
        except httpx2.ReadError:
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged: what is in them is the client's own."""

    def _refuse(self, status: int, text: str) -> None:
        error = {"message": text, "type": "invalid_request_error", "code": None}
        self._send(httpx2.Response(status, json={"error": error}))

    def _send(self, response: httpx2.Response) -> None:
        """The response, piece by piece; its end is the end of the connection."""
        self.send_response(response.status_code)
        for name, value in response.headers.multi_items():
            self.send_header(name, value)
        self.send_header("connection", "close")
        self.end_headers()
        assert isinstance(response.stream, httpx2.SyncByteStream)
        for piece in response.stream:
            self.wfile.write(piece)


def _is_object(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False
