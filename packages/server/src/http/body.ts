import { charsetProblem, LIMITS, readJsonObject } from '@plat/contract';
import express, { type Request, type RequestHandler } from 'express';
import type { ApiError } from '../kernel/api-error.ts';
import { refusal } from './validate.ts';

/**
 * Reads the body of a write as bytes. Mounted after the gate, so that a refusal by the gate precedes one for malformed
 * JSON.
 */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: LIMITS.bodyBytes, inflate: false });

/** Reads the small body of a caller without a credential. */
export const readSmallBody: RequestHandler = express.raw({ type: () => true, limit: LIMITS.formBytes, inflate: false });

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the bytes of the body. The buffer is empty if there is no body. */
export function rawBody(req: Request): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** Returns the text of strict UTF-8 bytes, or null if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Parses the body as one JSON object. An absent body counts as `{}`, so that the schema of the operation reports its
 * missing fields.
 * @throws {@link ApiError} INVALID_BODY
 */
export function parseJsonBody(req: Request): object {
  const bytes = rawBody(req);
  if (bytes.length === 0) return {};
  const type = req.headers['content-type'] ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw invalid('must be sent with Content-Type: application/json');
  }
  const wrongCharset = charsetProblem(type);
  if (wrongCharset !== null) throw invalid(wrongCharset);
  const text = decodeUtf8(bytes);
  if (text === null) throw invalid('must be JSON in UTF-8: malformed UTF-8');
  const { value, problem } = readJsonObject(text);
  if (problem) throw refusal('INVALID_BODY', [problem]);
  return value;
}

function invalid(message: string): ApiError {
  return refusal('INVALID_BODY', [{ path: '', message }]);
}
