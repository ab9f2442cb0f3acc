import express, { type Request, type RequestHandler } from 'express';
import { refusal } from './validate.ts';

const TYPE = 'application/x-www-form-urlencoded';

/** Reads the body of a form, 16 KiB at most. */
export const readForm: RequestHandler = express.raw({ type: TYPE, limit: 16 * 1024, inflate: false });

/**
 * The fields of a form. One that is given twice is refused: which of the two counts would be a matter of taste.
 * @throws {@link ApiError} INVALID_REQUEST
 */
export function formOf(req: Request): Readonly<Record<string, string>> {
  if (!Buffer.isBuffer(req.body)) {
    throw refusal('INVALID_REQUEST', [{ path: '', message: `must be sent with Content-Type: ${TYPE}` }]);
  }
  const fields = [...new URLSearchParams(req.body.toString('utf8'))];
  const names = fields.map(([name]) => name);
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  if (twice.length > 0) {
    throw refusal(
      'INVALID_REQUEST',
      [...new Set(twice)].map((path) => ({ path, message: 'is given more than once' })),
    );
  }
  const unstorable = fields.filter(([, value]) => value.includes('\0'));
  if (unstorable.length > 0) {
    throw refusal(
      'INVALID_REQUEST',
      unstorable.map(([path]) => ({ path, message: 'must not contain NUL' })),
    );
  }
  return Object.fromEntries(fields);
}
