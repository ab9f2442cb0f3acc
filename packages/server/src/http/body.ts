import { LIMITS } from '@plat/contract';
import express, { type Request, type RequestHandler } from 'express';
import type { ApiError } from '../kernel/api-error.ts';
import { refusal } from './validate.ts';

/** Reads the body of a write as bytes. Only this far into the gate, so that malformed JSON never answers first. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: LIMITS.bodyBytes, inflate: false });

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes of the body; none for an empty one. */
export function rawBody(req: Request): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/**
 * Parses the body as one JSON object. None at all is an empty one: what it lacks is said by the rule of the operation.
 * @throws {@link ApiError} INVALID_BODY
 */
export function parseJsonBody(req: Request): object {
  const bytes = rawBody(req);
  if (bytes.length === 0) return {};
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(req.headers['content-type'] ?? '')) {
    throw invalid('must be sent with Content-Type: application/json');
  }
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw invalid(`must be JSON in UTF-8: ${error instanceof SyntaxError ? error.message : 'malformed UTF-8'}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('must be a JSON object');
  refuseUnstorableText(value, []);
  return value;
}

/** NUL and unpaired surrogates cannot be stored or sent on faithfully; `__proto__` is never a field. */
function refuseUnstorableText(value: unknown, path: readonly (string | number)[]): void {
  if (path.length > 32) throw refusal('INVALID_BODY', [{ path: path.join('.'), message: 'is nested too deeply' }]);
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw refusal('INVALID_BODY', [{ path: path.join('.'), message: 'must not contain NUL or unpaired surrogates' }]);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__')
        throw refusal('INVALID_BODY', [{ path: [...path, key].join('.'), message: 'is not a known field' }]);
      refuseUnstorableText(item, [...path, key]);
    }
  }
}

function invalid(message: string): ApiError {
  return refusal('INVALID_BODY', [{ path: '', message }]);
}
