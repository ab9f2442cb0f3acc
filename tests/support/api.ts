import { ERROR_CODES, type ErrorCode, HEADERS, isErrorCode, isId } from '@plat/contract';
import { expect } from 'vitest';

/** Sends a request of the API without an SDK between the story and the server. */
export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a story reads what the server says, and asserts on it
  readonly body: any;
}

export type Api = (path: string, call?: Call) => Promise<Answer>;

/** Returns a function that calls a server with a key. A body that is not a string is sent as JSON. */
export function apiOf(baseUrl: string, apiKey?: string): Api {
  return async (path, { method, body, headers = {} } = {}) => {
    const response = await fetch(baseUrl + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    expectForm(answer);
    return answer;
  };
}

/** Asserts the request id and, for a refusal, the error body with a known code and its status. */
export function expectForm({ status, headers, body }: Answer): void {
  expect(isId('request', headers.get(HEADERS.requestId))).toBe(true);
  if (status < 400) return;
  const code: unknown = body.code;
  expect(isErrorCode(code) && ERROR_CODES[code].status, body.code).toBe(status);
  expect(body.message).toMatch(/\w/);
  const hasErrors = body.code === 'INVALID_BODY' || body.code === 'INVALID_REQUEST';
  expect(Object.keys(body).sort()).toEqual(hasErrors ? ['code', 'errors', 'message'] : ['code', 'message']);
}

/** Asserts a refusal: its code and its invalid fields. */
export function expectRefusal({ body }: Answer, code: ErrorCode, fields?: readonly string[]): void {
  expect(body).toMatchObject({ code });
  if (fields) expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([...fields].sort());
}
