import { charsetProblem, LIMITS, readJsonObject } from '@plat/contract';
import express, { type Request, type RequestHandler } from 'express';
import type { ApiError } from '../kernel/api-error.ts';
import { refusal } from './validate.ts';

/** Reads the body of a write as bytes. Only this far into the gate, so that malformed JSON never answers first. */
export const readBody: RequestHandler = express.raw({ type: () => true, limit: LIMITS.bodyBytes, inflate: false });

/** The same for a caller without a credential, who sends a few fields only. */
export const readSmallBody: RequestHandler = express.raw({ type: () => true, limit: LIMITS.formBytes, inflate: false });

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes of the body; none for an empty one. */
export function rawBody(req: Request): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The text of bytes that are strict UTF-8; else null. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Parses the body as one JSON object. None at all is an empty one: what it lacks is said by the rule of the operation.
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
