"""Finds the sandbox on this machine. For development only: in production, configure addresses, keys and secrets."""

import json
import os
import sys
from pathlib import Path

from platform_api import ApiError, Platform

EVENTS = ["client.created", "client.updated", "client.deleted"]


def sandbox_platform():
    """Returns a client of the platform of PLAT_BASE_URL and PLAT_API_KEY, or of the sandbox that `npm start` runs."""
    if "PLAT_API_KEY" in os.environ:
        return Platform(os.environ["PLAT_BASE_URL"], os.environ["PLAT_API_KEY"])
    file = Path(os.environ.get("PLAT_DATA_DIR", ".plat")) / "sandbox.json"
    try:
        sandbox = json.loads(file.read_text())
    except OSError:
        sys.exit(
            f"""There is no sandbox in {file}. Either
  start one with "npm start" and run this in the same folder, or
  set PLAT_BASE_URL and PLAT_API_KEY, and PLAT_WEBHOOK_SECRET for the receiver."""
        )
    return Platform(sandbox["base_url"], sandbox["api_key"])


def register_with_sandbox(url):
    """Returns the secret of a new endpoint. It is shown once, so an endpoint of an earlier run gets a new secret."""
    platform = sandbox_platform()
    try:
        return platform.post("/v1/webhooks/endpoints", {"url": url, "events": EVENTS})["secret"]
    except ApiError as error:
        if error.code != "WEBHOOK_URL_IN_USE":
            raise
    for endpoint in platform.list("/v1/webhooks/endpoints"):
        if endpoint["url"] == url:
            return platform.post(f"/v1/webhooks/endpoints/{endpoint['id']}/rotate_secret")["secret"]
    sys.exit(f"The endpoint for {url} was deleted just now; start again.")
