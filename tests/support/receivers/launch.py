# Receiver of launch tokens with a fault. The path is /launch/<fault>/<port of the issuer>.
import base64
import hashlib
import hmac
import json
import os
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

AUDIENCE, ENTITLEMENT = (os.environ[name] for name in ("AUDIENCE", "ENTITLEMENT"))
KNOWN = {"iss", "aud", "iat", "exp", "nbf", "jti", "tenant", "client", "user", "role", "entitlements", "groupId",
         "groupMemberships"}
LOCK = threading.Lock()
STATES = {}
# DigestInfo of SHA-256, SHA-384 and SHA-512 (RFC 8017, section 9.2).
DIGESTS = {
    "RS256": ("sha256", "3031300d060960864801650304020105000420"),
    "RS384": ("sha384", "3041300d060960864801650304020205000430"),
    "RS512": ("sha512", "3051300d060960864801650304020305000440"),
}


def decode(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def number(part):
    return int.from_bytes(decode(part), "big")


def rsa_matches(jwk, alg, signed, signature):
    name, prefix = DIGESTS[alg]
    modulus = number(jwk["n"])
    size = (modulus.bit_length() + 7) // 8
    digest = bytes.fromhex(prefix) + hashlib.new(name, signed).digest()
    padded = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
    found = pow(int.from_bytes(signature, "big"), number(jwk["e"]), modulus).to_bytes(size, "big")
    return len(signature) == size and hmac.compare_digest(found, padded)


def pem_of(jwk):
    """SubjectPublicKeyInfo of a 2048-bit key with the exponent 65537."""
    der = bytes.fromhex("30820122300d06092a864886f70d01010105000382010f003082010a0282010100") + decode(jwk["n"])
    text = base64.b64encode(der + bytes.fromhex("0203010001")).decode()
    lines = [text[at:at + 64] for at in range(0, len(text), 64)]
    return "\n".join(["-----BEGIN PUBLIC KEY-----", *lines, "-----END PUBLIC KEY-----", ""])


def key_of(fault, kid, state):
    with LOCK:
        keys = state["keys"]
    known = keys is not None and any(key["kid"] == kid for key in keys)
    if keys is None or fault == "fetch-each" or (not known and fault not in ("no-refetch", "first-key")):
        with urllib.request.urlopen(state["issuer"] + "/.well-known/jwks.json") as response:
            keys = json.load(response)["keys"]
        with LOCK:
            state["keys"] = keys
    if fault == "first-key":
        return keys[0]
    if fault == "last-key":
        return keys[-1]
    return next(key for key in keys if key["kid"] == kid)


def demand(held, why):
    if not held:
        raise ValueError(why)


def verify(fault, token, state):
    head, body, signature = token.split(".")
    header = json.loads(decode(head))
    demand(fault == "ignores-crit" or "crit" not in header, "crit")
    signed = f"{head}.{body}".encode()
    sent = decode(signature)
    if fault == "embedded-key" and "jwk" in header:
        demand(rsa_matches(header["jwk"], "RS256", signed, sent), "signature")
    elif fault == "alg-none" and header["alg"].lower() == "none":
        pass
    elif fault == "alg-deny-list" and header["alg"] == "None":
        pass
    elif fault != "no-verify":
        key = key_of(fault, header["kid"], state)
        if fault == "alg-hmac" and header["alg"] == "HS256":
            demand(hmac.digest(pem_of(key).encode(), signed, "sha256") == sent, "signature")
        else:
            demand(header["alg"] == "RS256" or fault == "any-rsa", "alg")
            demand(rsa_matches(key, header["alg"], signed, sent), "signature")
    claims = json.loads(decode(body).decode("ascii" if fault == "ascii" else "utf-8"))
    now = time.time()
    issuer = claims.get("iss")
    same = str(issuer).startswith(state["issuer"]) if fault == "issuer-prefix" else issuer == state["issuer"]
    demand(same or fault == "no-issuer", "iss")
    demand(claims.get("aud") == AUDIENCE or fault == "no-audience", "aud")
    if not (fault == "no-expiry" or (fault == "optional-exp" and "exp" not in claims)):
        demand(now - 30 < claims["exp"], "exp")
    demand(claims.get("nbf", 0) < now + 30 or fault == "no-nbf", "nbf")
    demand(fault != "strict-claims" or set(claims) <= KNOWN, "unknown")
    demand(fault != "needs-group" or claims.get("groupId"), "groupId")
    if fault != "no-claims":
        for name in ("tenant", "client", "user", "role"):
            demand(isinstance(claims.get(name), str) and claims[name] != "", name)
        demand(isinstance(claims["entitlements"], list) or fault == "substring", "entitlements")
    return claims


def launch(fault, origin, body, query, state):
    if fault == "csrf" and origin:
        return 403
    if fault == "small-limit" and len(body) > 8 * 1024:
        return 413
    try:
        fields = parse_qs(body.decode()) or (parse_qs(query) if fault == "query" else {})
        claims = verify(fault, fields["launch_token"][0], state)
        held = claims.get("entitlements") or []
        if not (ENTITLEMENT in (str(held) if fault == "substring" else held) or fault == "no-entitlement"):
            return 401 if fault == "wrong-status" else 403
        with LOCK:
            if fault != "twice" and claims["jti"] in state["used"]:
                return 401
            state["used"].add(claims["jti"])
        return 307 if fault == "repost" else 303
    except Exception:
        return 500 if fault == "crash" else 401


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        address = urlsplit(self.path)
        _, _, fault, port = address.path.split("/")
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        with LOCK:
            new = {"issuer": f"http://127.0.0.1:{port}", "keys": None, "used": set()}
            state = STATES.setdefault(fault, new)
        status = launch(fault, self.headers.get("Origin"), body, address.query, state)
        self.send_response(status)
        if status < 400:
            self.send_header("Location", "/home")
        self.send_header("Content-Length", "0")
        self.end_headers()


class Server(ThreadingHTTPServer):
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
