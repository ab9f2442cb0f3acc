import { charsetProblem, type FieldError, LIMITS } from '@plat/contract';
import express, { type Request, type RequestHandler } from 'express';
import type { ApiError } from '../kernel/api-error.ts';
import { decodeUtf8 } from './body.ts';
import { toApiError } from './error-handler.ts';
import { refusal } from './validate.ts';

const TYPE = 'application/x-www-form-urlencoded';

const read = express.raw({ type: TYPE, limit: LIMITS.formBytes, inflate: false });

/** Reads the body of a form, up to 16 KiB. A compressed form is refused with the code of every invalid form. */
export const readForm: RequestHandler = (req, res, next) =>
  read(req, res, (error?: unknown) => {
    const refused = error === undefined ? null : toApiError(error);
    next(refused?.code === 'INVALID_BODY' ? invalid(refused.errors ?? []) : error);
  });

/**
 * Returns the fields of a form. A repeated field is refused, because neither value has precedence.
 * @throws {@link ApiError} INVALID_REQUEST
 */
export function formOf(req: Request): Readonly<Record<string, string>> {
  if (!Buffer.isBuffer(req.body)) throw invalid([{ path: '', message: `must be sent with Content-Type: ${TYPE}` }]);
  const wrongCharset = charsetProblem(req.headers['content-type'] ?? '');
  if (wrongCharset !== null) throw invalid([{ path: '', message: wrongCharset }]);
  const text = decodeUtf8(req.body);
  if (text === null) throw invalid([{ path: '', message: 'must be in UTF-8: malformed UTF-8' }]);
  if (hasMoreThan(LIMITS.form.fields, text)) {
    throw invalid([{ path: '', message: `must not have more than ${LIMITS.form.fields} fields` }]);
  }

  const values = new Map<string, string>();
  const errors = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (values.has(name)) errors.set(name, 'is given more than once');
    else if (value.includes('\0') || name.includes('\0')) errors.set(name, 'must not contain NUL');
    values.set(name, value);
  }
  if (errors.size > 0) throw invalid([...errors].map(([path, message]) => ({ path, message })));
  return Object.fromEntries(values);
}

/** Returns true if form-encoded text has more than `max` fields. */
export function hasMoreThan(max: number, encoded: string): boolean {
  let count = 1;
  for (let at = encoded.indexOf('&'); at >= 0; at = encoded.indexOf('&', at + 1)) {
    if (++count > max) return true;
  }
  return false;
}

function invalid(errors: readonly FieldError[]): ApiError {
  return refusal('INVALID_REQUEST', errors);
}
