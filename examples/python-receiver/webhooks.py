"""Verifies webhook deliveries of the platform with the standard library only."""

import hashlib
import hmac
import json
import re
import time

TOLERANCE_SECONDS = 300


class Refused(Exception):
    """The delivery is not authentic, or its body is no event. Answer 400."""


def verify(raw_body, header, secrets, now=None):
    """Returns the event of a delivery.

    raw_body: the bytes of the body as received, before any parser.
    header: the value of X-Platform-Signature, or None.
    secrets: the signing secrets of the endpoint. During a rotation there are two: the new one and the current one.
    """
    if not all(secrets) or not secrets:
        raise ValueError("an empty secret would accept deliveries of any caller")
    parts = [part.strip() for part in (header or "").split(",")]
    times = [part[2:] for part in parts if part.startswith("t=")]
    if len(times) != 1 or not re.fullmatch(r"[1-9][0-9]{0,14}", times[0]):
        raise Refused("X-Platform-Signature is missing or malformed")
    if abs((time.time() if now is None else now) - int(times[0])) > TOLERANCE_SECONDS:
        raise Refused(f"the signature is more than {TOLERANCE_SECONDS} s old or ahead; check the clock of this machine")

    signed = times[0].encode() + b"." + raw_body
    expected = [hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets]
    # While a secret is rotated, the header has several v1. One match is enough.
    received = [part[3:].lower() for part in parts if part.startswith("v1=")]
    # Bytes, because compare_digest refuses text beyond ASCII. It compares in constant time.
    if not any(hmac.compare_digest(one.encode(), own.encode()) for one in received for own in expected):
        raise Refused("no signature matches; check the secret, and that the body arrives unchanged")
    return parse(raw_body)


def parse(raw_body):
    try:
        event = json.loads(raw_body.decode())
    except ValueError as error:
        raise Refused("the body is not JSON in UTF-8") from error
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict):
        raise Refused("the body is no event")
    if not all(isinstance(event.get(field), str) for field in ("id", "type", "tenant_id")):
        raise Refused("the body is no event")
    return event
