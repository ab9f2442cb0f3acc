import { LIMITS } from '@plat/contract';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { bodiesOf } from './request-bodies.ts';

const some = (text: string): string => text.repeat(Math.floor((LIMITS.bodyBytes - 100) / text.length));

// A pattern that searches the word again from each of its places takes half a minute or more, in which the process is blocked.
test.each([
  ['a word', some('secret')],
  ['a word in another member', `"${some('token')}" : "\\"`],
  ['names', some('"token":"\\')],
  ['quoted words', some('"token" ')],
])('a long body that repeats %s is redacted at once', { timeout: 10_000 }, (_, name) => {
  const body = Buffer.from(`{"name":"${name}","token":"hidden"}`);
  const req = { user: { sandbox: true, capturesBodies: true, tenantId: 'tnt_1' }, body } as unknown as Request;
  const res = { locals: { requestId: 'req_1', sent: '{"token":"hidden"}' } } as unknown as Response;
  const kept = bodiesOf(req, res, 0);
  expect(kept?.response_body).toBe('{"token":"…"}');
  expect(kept?.request_body).toMatch(/^{"name":"/);
  expect(kept?.request_bytes).toBe(body.length);
});
