import { ERROR_CODES, type ErrorCode, HEADERS, isId } from '@plat/contract';
import { expect } from 'vitest';

/** A call of the API as bytes on a socket: no SDK between the story and the server. */
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

/** Calls a server with a key. A body that is not a string is sent as JSON. */
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
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
}

/** Asserts a refusal whole: status of the code, the error body's form, and the request id. */
export function expectRefusal(answer: Answer, code: ErrorCode, fields?: readonly string[]): void {
  expect(answer.body).toMatchObject({ code, message: expect.stringMatching(/\w/) });
  expect(answer.status).toBe(ERROR_CODES[code].status);
  expect(isId('request', answer.headers.get(HEADERS.requestId))).toBe(true);
  const hasErrors = code === 'INVALID_BODY' || code === 'INVALID_REQUEST';
  expect(Object.keys(answer.body).sort()).toEqual(hasErrors ? ['code', 'errors', 'message'] : ['code', 'message']);
  if (fields) expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([...fields].sort());
}
