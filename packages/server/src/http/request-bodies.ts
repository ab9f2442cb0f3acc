import { LIMITS, maskSecrets } from '@plat/contract';
import type { Request, Response } from 'express';
import type { RequestBodiesRow } from '../db/requests.ts';
import { decodeUtf8, rawBody } from './body.ts';

/**
 * Members of JSON whose names say that their text is a secret, of any system. The word is in a lookahead: it is searched once
 * in each name, so that a long text that repeats it costs no square of its length.
 */
const SECRET_MEMBER =
  /("(?=[^"\\]*(?:secret|password|token|api_?key|authorization))[^"\\]*"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/** Returns the bodies of a request that has ended, for a sandbox that keeps them; null for every other request. */
export function bodiesOf(req: Request, res: Response, now: number): RequestBodiesRow | null {
  const { user } = req;
  if (!user?.capturesBodies || !user.sandbox) return null;
  const given = rawBody(req);
  const { requestId, sent = '' } = res.locals;
  return {
    tenant_id: user.tenantId,
    request_id: requestId,
    request_body: given.length === 0 ? null : keptText(decodeUtf8(given)),
    request_bytes: given.length,
    response_body: keptText(sent),
    response_bytes: Buffer.byteLength(sent),
    expires_at: now + LIMITS.requestBodies.seconds * 1000,
  };
}

/** Redacts before it cuts: a part of a secret would not be recognized. */
function keptText(text: string | null): string | null {
  if (text === null || text === '') return null;
  const redacted = maskSecrets(text).replace(SECRET_MEMBER, '$1"…"');
  const bytes = Buffer.from(redacted);
  // The last character may be cut.
  return bytes.length <= LIMITS.requestBodies.bytes
    ? redacted
    : bytes.toString('utf8', 0, LIMITS.requestBodies.bytes).replace(/\uFFFD$/, '');
}
