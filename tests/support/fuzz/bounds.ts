import { ERROR_CODES, type ErrorBody, HEADERS, isErrorCode, isId } from '@plat/contract';
import { onStatement, type TestServer } from '@plat/server/testing';
import { expect } from 'vitest';
import { type RawAnswer, type RawRequest, sendRaw } from '../raw-request.ts';

/** Maximum size of a refusal in bytes, plus a maximum per byte of its request. */
const REFUSAL = { bytes: 24 * 1024, perByte: 1 };

/** Maximum size in bytes of a page for any GET. */
const PAGE_BYTES = 512 * 1024;

/** Maximum size in bytes of the OpenAPI document, which no input changes: about 5 KB for each of its operations. */
const DOCUMENT_BYTES = 768 * 1024;

/** Maximum number of statements of one call outside /v1. The cost may not depend on the input. */
const STATEMENTS = 60;

/** Sends a call and counts the statements that the server runs meanwhile. */
export async function sendCounted(server: Pick<TestServer, 'baseUrl' | 'db'>, call: RawRequest) {
  let statements = 0;
  const stop = onStatement(server.db, (statement) => {
    if (!/^INSERT INTO requests |^SELECT 1/.test(statement)) statements++;
  });
  try {
    const answer = await sendRaw(server.baseUrl, call);
    return { answer, statements };
  } finally {
    stop();
  }
}

/** Asserts the bounds of every response for any input. */
export function expectBounded(call: RawRequest, answer: RawAnswer, statements = 0): void {
  const seen = `${call.method} ${call.path.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 300)}`;
  expect(answer.status, seen).toBeLessThan(500);
  expect(isId('request', answer.headers[HEADERS.requestId]), `${seen}: request id`).toBe(true);
  expect(answer.headers['x-content-type-options'], seen).toBe('nosniff');
  expect(statements, `${seen}: statements`).toBeLessThanOrEqual(STATEMENTS);
  const sent = call.path.length + (call.body?.byteLength ?? 0);
  const size = Buffer.byteLength(answer.text);
  const limit = answer.status >= 400 ? REFUSAL.bytes + REFUSAL.perByte * sent : mostOf(call) + sent;
  expect(size, `${seen}: bytes`).toBeLessThanOrEqual(limit);
  for (const value of Object.values(answer.headers).flat()) expect(value, seen).not.toMatch(CONTROL);
  // A page escapes or isolates all text. JSON escapes control characters itself.
  expect(answer.text.replace(/[\n\t]/g, ''), `${seen}: control characters`).not.toMatch(
    isJson(answer) ? CONTROL : UNSAFE,
  );
  // A refusal in JSON names an unknown field as it was sent. Browsers do not render JSON with `nosniff`, asserted above.
  if (!isJson(answer)) expect(answer.text, `${seen}: markup`).not.toContain('<script>alert');
  if (answer.status >= 400 && isJson(answer) && answer.text !== '') expectDeclared(answer, seen);
}

function mostOf({ path }: RawRequest): number {
  return path.startsWith('/openapi.json') ? DOCUMENT_BYTES : PAGE_BYTES;
}

function expectDeclared({ status, text }: RawAnswer, seen: string): void {
  const { code } = JSON.parse(text) as ErrorBody;
  expect(isErrorCode(code), seen).toBe(true);
  expect(ERROR_CODES[code].status, seen).toBe(status);
}

function isJson({ headers }: RawAnswer): boolean {
  return String(headers['content-type']).startsWith('application/json');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const CONTROL = /[\u0000-\u001f\u007f]/;
/** Besides control characters: bidirectional controls, which reorder the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
