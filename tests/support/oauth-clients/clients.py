"""Two client libraries of Python, driven by lines of JSON: {"do": …} in, {"ok": …} or {"error": …, "type": …} out."""

import json
import os
import sys

# What oauthlib's documentation names for http on loopback.
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from oauthlib.oauth2 import OAuth2Error
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session as RequestsSession

library, base_url, client_id, client_secret, redirect_uri, scope = sys.argv[1:]
TOKEN = base_url + "/oauth/token"
verifier = generate_token(64)


class Authlib:
    def __init__(self, method):
        self.session = AuthlibSession(
            client_id,
            client_secret,
            scope=scope,
            redirect_uri=redirect_uri,
            token_endpoint_auth_method=method,
            revocation_endpoint_auth_method=method,
            code_challenge_method="S256",
        )

    def begin(self):
        url, self.state = self.session.create_authorization_url(base_url + "/oauth/authorize", code_verifier=verifier)
        return url

    def finish(self, callback):
        return self.session.fetch_token(
            TOKEN, authorization_response=callback, state=self.state, code_verifier=verifier
        )

    def me(self, access_token):
        self.session.token = {"access_token": access_token, "token_type": "Bearer"}
        return self.session.get(base_url + "/v1/me").json()

    def refresh(self, refresh_token):
        return self.session.refresh_token(TOKEN, refresh_token=refresh_token)

    def introspect(self, access_token):
        return self.session.introspect_token(base_url + "/oauth/introspect", token=access_token).json()

    def revoke(self, refresh_token):
        self.session.revoke_token(
            base_url + "/oauth/revoke", token=refresh_token, token_type_hint="refresh_token"
        ).raise_for_status()


class RequestsOAuthlib:
    # Without PKCE of its own in this version: it passes on what it is given.
    def __init__(self):
        self.session = RequestsSession(client_id, scope=scope.split(" "), redirect_uri=redirect_uri)

    def begin(self):
        url, _state = self.session.authorization_url(
            base_url + "/oauth/authorize",
            code_challenge=create_s256_code_challenge(verifier),
            code_challenge_method="S256",
        )
        return url

    def finish(self, callback):
        return self.session.fetch_token(
            TOKEN, authorization_response=callback, client_secret=client_secret, code_verifier=verifier
        )

    def me(self, access_token):
        self.session.token = {"access_token": access_token, "token_type": "Bearer"}
        return self.session.get(base_url + "/v1/me").json()

    def refresh(self, refresh_token):
        auth = HTTPBasicAuth(client_id, client_secret)
        return self.session.refresh_token(TOKEN, refresh_token=refresh_token, auth=auth)


client = RequestsOAuthlib() if library == "requests-oauthlib" else Authlib(library.replace("authlib ", ""))
for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"ok": getattr(client, request["do"])(*request["with"])}
    except (OAuthError, OAuth2Error) as error:
        answer = {"error": error.error, "type": type(error).__name__}
    except Exception as error:
        answer = {"error": repr(error), "type": None}
    print(json.dumps(answer), flush=True)
