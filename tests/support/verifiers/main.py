import sys
from base64 import b64decode

import webhooks

# The decision about the signature alone: bodies of vectors need not be events.
webhooks.parse = lambda body: body

for line in sys.stdin.read().splitlines():
    now, secrets, header, body = line.split("\t")
    try:
        webhooks.verify(b64decode(body), b64decode(header).decode(), secrets.split(","), int(now))
        print("true")
    except webhooks.Refused:
        print("false")
