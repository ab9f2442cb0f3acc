import { LIMITS } from '@plat/contract';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { bodiesOf } from './request-bodies.ts';

// A pattern that searches the word again from each of its places takes half a minute or more, in which the process is blocked.
test('a long body that repeats the name of a secret is redacted at once', { timeout: 10_000 }, () => {
  const body = Buffer.from(JSON.stringify({ name: 'token'.repeat(LIMITS.bodyBytes / 5 - 10), token: 'hidden' }));
  const req = { user: { sandbox: true, capturesBodies: true, tenantId: 'tnt_1' }, body } as unknown as Request;
  const res = { locals: { requestId: 'req_1', sent: '{"token":"hidden"}' } } as unknown as Response;
  const kept = bodiesOf(req, res, 0);
  expect(kept?.response_body).toBe('{"token":"…"}');
  expect(kept?.request_body).toMatch(/^{"name":"(?:token)+/);
  expect(kept?.request_bytes).toBe(body.length);
});
