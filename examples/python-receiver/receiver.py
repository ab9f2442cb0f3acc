"""A webhook receiver with the standard library only: it verifies each delivery and stores the clients.

- `python3 receiver.py` registers an endpoint with the sandbox that `npm start` runs.
- `PLAT_WEBHOOK_SECRET=whsec_… python3 receiver.py` serves an endpoint that you have registered. During a rotation,
  separate the new and the current secret by a comma.

PORT (default: 4050) is its port, DATABASE (default: python-receiver.db) its SQLite file.
"""

import os
import sqlite3
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from sandbox import register_with_sandbox
from webhooks import Refused, verify

PATH = "/webhooks"
MAX_BODY_BYTES = 5 * 1024 * 1024


class Database:
    """The handled events, and the data that they change."""

    def __init__(self, file):
        self._connection = sqlite3.connect(file, check_same_thread=False)
        self._lock = threading.Lock()
        self._connection.executescript(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS handled (event_id TEXT PRIMARY KEY);
            CREATE TABLE IF NOT EXISTS clients (id TEXT PRIMARY KEY, name TEXT, updated_at TEXT, deleted INTEGER);
            """
        )

    def handle(self, event):
        """Applies an event once. Returns false for a duplicate."""
        with self._lock, self._connection:  # one transaction: the effect and its record, or neither
            added = self._connection.execute("INSERT OR IGNORE INTO handled VALUES (?)", (event["id"],))
            if added.rowcount == 0:
                return False
            self._apply(event)
            return True

    def _apply(self, event):
        if event["type"] not in ("client.created", "client.updated", "client.deleted"):
            return
        client = event["data"]
        # Events arrive in any order: an older state does not replace a newer one, and a deletion is final.
        self._connection.execute(
            """INSERT INTO clients VALUES (:id, :name, :updated_at, :deleted) ON CONFLICT (id) DO UPDATE
               SET name = iif(excluded.updated_at > updated_at, excluded.name, name),
                   updated_at = max(excluded.updated_at, updated_at),
                   deleted = max(excluded.deleted, deleted)""",
            {
                "id": client["id"],
                "name": client["name"],
                "updated_at": client["updated_at"],
                "deleted": event["type"] == "client.deleted",
            },
        )


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        # The body is read before the response, so that a refusal does not break the connection.
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            self.close_connection = True
            return self.answer(413 if length.isdecimal() else 411)
        raw_body = self.rfile.read(int(length))
        if self.path != PATH:
            return self.answer(404)
        # Without a secret yet: the platform sends the delivery again.
        if not self.server.secrets:
            return self.answer(503)
        try:
            event = verify(raw_body, self.headers.get("X-Platform-Signature"), self.server.secrets)
        except Refused as reason:
            print(f"refused   {reason}", file=sys.stderr, flush=True)
            return self.answer(400)
        # An exception answers 500, and the platform sends the event again.
        try:
            is_first = self.server.database.handle(event)
        except Exception as error:
            print(f"failed    {event['id']}: {error!r}", file=sys.stderr, flush=True)
            return self.answer(500)
        print(f"{'handled ' if is_first else 'repeated'}  {event['type']}  {event['id']}", flush=True)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        """The receiver prints its own lines."""


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    secrets = ()


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(os.environ.get("PORT", "4050"))), Receiver)
    server.database = Database(os.environ.get("DATABASE", "python-receiver.db"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}{PATH}"
    configured = os.environ.get("PLAT_WEBHOOK_SECRET", "")
    server.secrets = configured.split(",") if configured else [register_with_sandbox(url)]
    print(f"Listening on {url}", flush=True)
    threading.Event().wait()
