import type { TestApp } from '@plat/server/testing';

/** What a client library has to be told. */
export interface ClientWorld {
  readonly baseUrl: string;
  readonly app: TestApp;
  readonly scopes: readonly string[];
}

/** What an app gets of a token answer by its library. */
export interface ClientTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A library in the hands of one app: what its documentation says to call, and nothing else. */
export interface OAuthClient {
  /** Where the owner's browser is sent to. */
  begin(): Promise<string>;
  /** Takes the address that the browser came back to, and exchanges its code. */
  finish(callback: string): Promise<ClientTokens>;
  /** `GET /v1/me` with a token: by the library where it can call an API. */
  me(accessToken: string): Promise<unknown>;
  /** What follows is missing where the library has none of it. */
  readonly refresh?: (refreshToken: string) => Promise<ClientTokens>;
  readonly introspect?: (accessToken: string) => Promise<{ readonly active: boolean }>;
  readonly revoke?: (tokens: ClientTokens) => Promise<unknown>;
  /** The OAuth error of what it threw; undefined when that is not of the type which the library has for these. */
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
