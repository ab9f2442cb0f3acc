# Receiver of deliveries with a fault, which is the path: /hooks/<fault>. GET /effects/<fault> returns the effects so far.
import hashlib
import hmac
import json
import os
import re
import threading
import time
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET, FORMER, TENANT = (os.environ[name] for name in ("SECRET", "FORMER", "TENANT"))
LOCK = threading.Lock()
STATE = {}


def state_of(fault):
    with LOCK:
        return STATE.setdefault(fault, {"seen": set(), "effects": 0, "running": 0})


class Close(Exception):
    pass


def verify(fault, header, body):
    if not header:
        return fault == "optional"
    parts = [part.strip() for part in header.split(",")]
    times = [part[2:] for part in parts if part.startswith("t=")]
    if len(times) != 1 or not re.fullmatch(r"[0-9]+", times[0]):
        return False
    t = times[0]
    age = time.time() - int(t)
    tolerance = 60 if fault == "short-age" else 300
    if fault != "no-age" and age > tolerance:
        return False
    if fault not in ("no-age", "no-future") and age < -tolerance:
        return False
    signed = body
    if fault == "json-again":
        try:
            signed = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()
        except ValueError:
            pass
    if fault == "latin1":
        signed = body.decode("latin-1").encode()
    keys = [SECRET] + ([""] if fault == "empty-secret" else []) + ([FORMER] if fault == "former" else [])
    expected = [hmac.new(key.encode(), t.encode() + b"." + signed, hashlib.sha256).hexdigest() for key in keys]
    digests = [part[3:] for part in parts if part.startswith("v1=")]
    if fault == "first-v1":
        digests = digests[:1]
    if fault == "prefix":
        return any(own.startswith(digest) for digest in digests for own in expected)
    return any(hmac.compare_digest(digest.encode(), own.encode()) for digest in digests for own in expected)


def receive(fault, header, body, state):
    if fault != "no-verify" and not verify(fault, header, body):
        if fault == "crash":
            raise ValueError("the signature does not match")
        if fault == "close":
            raise Close()
        return 400
    try:
        event = json.loads(body.decode("utf-8"))
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict):
        return 200 if fault in ("no-shape", "no-verify") else 400
    if fault not in ("no-tenant", "no-verify") and event.get("tenant_id") != TENANT:
        return 403
    if fault == "strict-types" and not re.match(r"(client|group|user|tenant|location|oauth)\.", event["type"]):
        return 400
    if fault == "strict-fields" and len(event) != 6:
        return 422
    if fault == "order" and time.time() - datetime.fromisoformat(event["created"][:23] + "+00:00").timestamp() > 30:
        return 409
    with LOCK:
        if fault != "double-effect" and event["id"] in state["seen"]:
            return 409 if fault == "conflict" else 200
        state["seen"].add(event["id"])
        state["effects"] += 1
    return 200


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self, status, text="", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        try:
            self.end_headers()
            self.wfile.write(text.encode())
        except BrokenPipeError:
            pass

    def do_GET(self):
        self.answer(200, str(state_of(self.path.split("/")[2])["effects"]))

    def do_POST(self):
        fault = self.path.split("/")[2]
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if fault == "redirect":
            return self.answer(308, headers=[("Location", "/hooks/good")])
        if fault == "small-limit" and len(body) > 100 * 1024:
            return self.answer(413)
        state = state_of(fault)
        with LOCK:
            busy = fault == "serial" and state["running"] > 0
            state["running"] += 0 if busy else 1
        if busy:
            return self.answer(503)
        status = None
        try:
            if fault == "slow":
                time.sleep(3)
            if fault == "serial":
                time.sleep(0.015)
            signatures = self.headers.get_all("X-Platform-Signature")
            status = receive(fault, ", ".join(signatures) if signatures else None, body, state)
        except Close:
            self.close_connection = True
        except Exception:
            status = 500
        with LOCK:
            state["running"] -= 1
        if status is not None:
            self.answer(status)


class Server(ThreadingHTTPServer):
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
