"""A small client of the platform's API with the standard library only: pagination, retries and idempotency keys."""

import email.utils
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

TIMEOUT_SECONDS = 30
MAX_ATTEMPTS = 4
MAX_DELAY_SECONDS = 60
# 409 is retried only with the code of an idempotency key whose first request is still running.
RETRIED_STATUSES = {408, 429, 500, 502, 503, 504}


class ApiError(Exception):
    """A refusal of the platform. `code` is one of the codes in docs/errors.md."""

    def __init__(self, status, code, message, request_id):
        super().__init__(f"{code}: {message} (request {request_id})")
        self.status = status
        self.code = code
        self.request_id = request_id


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """The platform sends no redirects. urllib would send the key to the address of one."""

    def redirect_request(self, *_):
        return None


class Platform:
    def __init__(self, base_url, api_key, sleep=time.sleep):
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._sleep = sleep
        self._opener = urllib.request.build_opener(NoRedirects)

    def get(self, path, **query):
        return self.request("GET", path, query=query)

    def post(self, path, body=None, idempotency_key=None):
        """Sends one POST at most once, however often it is attempted: all attempts have the same idempotency key.

        Pass a key of your own, for example the id of the imported row, to be safe across processes too.
        """
        return self.request("POST", path, body=body, idempotency_key=idempotency_key or str(uuid.uuid4()))

    def list(self, path, **query):
        """Yields every item of a list, in pages of 100."""
        query = {"limit": 100, **query}
        while True:
            page = self.get(path, **query)
            yield from page["data"]
            if not page["has_more"]:
                return
            # A filtered page may be empty and still have a next one.
            query["starting_after"] = page.get("next_cursor") or page["data"][-1]["id"]

    def request(self, method, path, query=None, body=None, idempotency_key=None):
        url = self._base_url + path + (f"?{urllib.parse.urlencode(query)}" if query else "")
        headers = {"Authorization": f"Bearer {self._api_key}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        content = None if body is None else json.dumps(body).encode()
        for attempt in range(1, MAX_ATTEMPTS + 1):
            request = urllib.request.Request(url, content, headers, method=method)
            try:
                with self._opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                    text = response.read()
                    return json.loads(text) if text else None
            except urllib.error.HTTPError as response:
                error = api_error(response)
                is_retried = response.code in RETRIED_STATUSES or error.code == "IDEMPOTENCY_KEY_IN_USE"
                delay = retry_after(response.headers.get("Retry-After"))
                if not is_retried or attempt == MAX_ATTEMPTS or (delay or 0) > MAX_DELAY_SECONDS:
                    raise error from None
            except (OSError, http.client.HTTPException):
                # No complete response. The request may have run; with its idempotency key it is safe to repeat.
                if attempt == MAX_ATTEMPTS:
                    raise
                delay = None
            self._sleep(random.uniform(0.5, 1) * 2 ** (attempt - 1) if delay is None else delay)


def api_error(response):
    request_id = response.headers.get("X-Request-Id")
    try:
        body = json.loads(response.read())
        return ApiError(response.code, body["code"], body["message"], request_id)
    except (ValueError, KeyError, TypeError):
        # A proxy between here and the platform answers without the platform's form.
        return ApiError(response.code, f"HTTP_{response.code}", response.reason, request_id)


def retry_after(value):
    """Returns the seconds of a Retry-After header: a number or an HTTP date. None without a valid one."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]+", value):
        return int(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
