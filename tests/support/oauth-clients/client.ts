import type { TestApp } from '@plat/server/testing';

/** Settings of a client library. */
export interface ClientWorld {
  readonly baseUrl: string;
  readonly app: TestApp;
  readonly scopes: readonly string[];
}

/** Tokens that a library returns to the app. */
export interface ClientTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A library as an app uses it: only the calls of its documentation. */
export interface OAuthClient {
  /** Returns the URL to which the owner's browser is sent. */
  begin(): Promise<string>;
  /** Takes the URL that the browser returned to, and exchanges its code. */
  finish(callback: string): Promise<ClientTokens>;
  /** `GET /v1/me` with a token, by the library if it can call an API. */
  me(accessToken: string): Promise<unknown>;
  /** Undefined if the library lacks the feature. */
  readonly refresh?: (refreshToken: string) => Promise<ClientTokens>;
  readonly introspect?: (accessToken: string) => Promise<{ readonly active: boolean }>;
  readonly revoke?: (tokens: ClientTokens) => Promise<unknown>;
  /** Returns the OAuth error code of the library's own error type; undefined for other errors. */
  errorOf(thrown: unknown): unknown;
  close?(): Promise<void>;
}

export type OpenClient = (world: ClientWorld) => OAuthClient | Promise<OAuthClient>;

/** For libraries that do not call APIs. */
export async function fetchMe({ baseUrl }: ClientWorld, accessToken: string): Promise<unknown> {
  const response = await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  if (!response.ok) throw new Error(`/v1/me answered ${response.status}`);
  return response.json();
}
