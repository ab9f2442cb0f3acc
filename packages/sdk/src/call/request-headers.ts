import { HEADERS } from '@plat/contract';
import { checkHeaders, checkIdempotencyKey } from '../checks/headers.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { redact } from '../redact.ts';
import type { CallSpec, Engine } from './engine.ts';

/**
 * Returns the headers of all attempts of a call without the credential. All attempts share one Idempotency-Key.
 * @throws {@link InvalidArgumentError} for headers or a key that cannot be sent
 */
export function callHeaders(engine: Engine, spec: CallSpec): Readonly<Record<string, string>> {
  const { method, body, options } = spec;
  const isPost = method === 'POST';
  if (!isPost && options.idempotencyKey !== undefined) {
    throw new InvalidArgumentError('idempotencyKey', 'is only for POST; other methods can be repeated without it');
  }
  if (!isPost && body === undefined && !options.headers) return engine.headers;
  const headers: Record<string, string> = { ...engine.headers };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (isPost) {
    if (options.idempotencyKey !== undefined) checkIdempotencyKey(options.idempotencyKey);
    headers[HEADERS.idempotencyKey] = options.idempotencyKey ?? engine.clock.uuid();
  }
  if (options.headers) Object.assign(headers, checkHeaders(options.headers));
  return headers;
}

/** Returns the headers for hooks, with the credential redacted. */
export function redactedHeaders(headers: Readonly<Record<string, string>>, secret: string): Record<string, string> {
  const copy: Record<string, string> = {};
  for (const name in headers) copy[name] = redact(headers[name] ?? '', secret);
  copy['authorization'] = 'Bearer …';
  return copy;
}
