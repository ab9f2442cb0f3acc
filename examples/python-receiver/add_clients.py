"""Creates a client for each name of the arguments, and prints the names of all clients.

The idempotency key is derived from the name: a second run creates nothing.
"""

import hashlib
import sys

from sandbox import sandbox_platform

platform = sandbox_platform()
for name in sys.argv[1:]:
    key = hashlib.sha256(f"add-clients:{name}".encode()).hexdigest()
    print("created  ", platform.post("/v1/clients", {"name": name}, idempotency_key=key)["id"])
for client in platform.list("/v1/clients"):
    print("client   ", client["id"], client["name"])
