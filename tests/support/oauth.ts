import { HEADERS, isId, type OAuthError } from '@plat/contract';
import type { TestApp, TestConsent, TestServer } from '@plat/server/testing';
import { expect } from 'vitest';
import { type Answer, expectForm, expectRefusal } from './api.ts';

/** Fields of a form; undefined ones are left out. */
export type FormFields = Readonly<Record<string, string | undefined>>;

/** Posts a form as an app's server does. A string is sent unchanged. */
export async function postForm(
  url: string,
  fields: FormFields | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: typeof fields === 'string' ? fields : formText(fields),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

export function formText(fields: FormFields): string {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given).toString();
}

/** Returns id and secret of an app as form fields. */
export function secretOf({ appId, clientSecret }: TestApp): { client_id: string; client_secret: string } {
  return { client_id: appId, client_secret: clientSecret };
}

/** Returns the form that exchanges a code. */
export function codeForm(app: TestApp, { code, redirectUri, codeVerifier }: TestConsent): FormFields {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    ...secretOf(app),
  };
}

/** Returns the form that exchanges a refresh token. */
export function refreshForm(app: TestApp, refreshToken: string): FormFields {
  return { grant_type: 'refresh_token', refresh_token: refreshToken, ...secretOf(app) };
}

/** Returns the HTTP Basic header, each half form-encoded first (RFC 6749, section 2.3.1). */
export function basicOf(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ x: text }).toString().slice(2);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

/** Asserts a refusal of these endpoints whole: the service's error body, and the fields of RFC 6749. */
export function expectOAuthRefusal(
  answer: Answer,
  code: Parameters<typeof expectRefusal>[1],
  error: OAuthError,
  fields?: readonly string[],
): void {
  const { error: given, error_description: description, ...body } = answer.body;
  expectForm({ ...answer, body });
  expectRefusal({ ...answer, body }, code, fields);
  expect(given).toBe(error);
  expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

/** Response of the authorize endpoint. */
export interface Visit {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Redirect target; null without a redirect. */
  readonly location: string | null;
}

/** Requests a page as a browser does, or as a program with `accept: application/json`; follows no redirect. */
export async function visit(
  url: string,
  { cookie, form, headers = {} }: { cookie?: string; form?: FormFields; headers?: Record<string, string> } = {},
): Promise<Visit> {
  const response = await fetch(url, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      ...(cookie === undefined ? {} : { cookie }),
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' } : {}),
      ...headers,
    },
    ...(form ? { body: formText(form) } : {}),
  });
  expect(isId('request', response.headers.get(HEADERS.requestId))).toBe(true);
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    location: response.headers.get('location'),
  };
}

/** Returns the parameters appended to a redirect URI, and asserts that the URI itself is unchanged byte for byte. */
export function answerIn({ status, location }: Visit, redirectUri: string): Record<string, string> {
  expect(status).toBe(303);
  expect(location?.startsWith(redirectUri)).toBe(true);
  return Object.fromEntries(new URLSearchParams(location?.slice(redirectUri.length).replace(/^[?&]/, '')));
}

/** Returns the URL of an authorization request. */
export function authorizeUrl(server: Pick<TestServer, 'baseUrl'>, parameters: FormFields): string {
  return `${server.baseUrl}/oauth/authorize?${formText(parameters)}`;
}
