import { LIMITS } from '@plat/contract';
import type { CachedKeySet } from './cache.ts';

/** The part of `fetch` that the verifier uses. */
export type Fetch = (
  url: string,
  init: {
    /** Always `GET`. */
    readonly method: 'GET';
    /** Always `manual`: redirects are not followed. */
    readonly redirect: 'manual';
    /** Request headers. */
    readonly headers: Record<string, string>;
    /** Aborts the request. */
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

const MAX_BYTES = 256 * 1024;
/** Minimum age of a key set: even a shorter max-age of the platform causes no more fetches than an unknown kid. */
const MIN_AGE_SECONDS = 12;

/**
 * Fetches a key set. It accepts only 200 with JSON, from this address, of at most 256 KiB.
 * @param now time of the request in milliseconds, from which the age of the key set is counted
 * @throws Error with the reason for the log
 */
export async function fetchKeySet(uri: string, fetch: Fetch, signal: AbortSignal, now: number): Promise<CachedKeySet> {
  const response = await fetch(uri, {
    method: 'GET',
    // Not `error`, which Workers do not support. Another host after a redirect is not trusted.
    redirect: 'manual',
    headers: { accept: 'application/json, application/jwk-set+json' },
    signal,
  });
  if (response.redirected || response.status !== 200) {
    throw new Error(`The response for the key set has status ${response.status} instead of 200.`);
  }
  const type = response.headers.get('content-type') ?? 'none';
  if (!/^application\/(jwk-set\+)?json *(;|$)/i.test(type)) {
    throw new Error(`The response for the key set has the content type ${type.slice(0, 60)}, which is not JSON.`);
  }
  return { jwks: await readText(response), fetchedAt: now, maxAgeSeconds: maxAgeOf(response.headers) };
}

async function readText(response: Response): Promise<string> {
  const tooLarge = (): Error => new Error(`The key set is larger than ${MAX_BYTES} bytes.`);
  if (Number(response.headers.get('content-length')) > MAX_BYTES) throw tooLarge();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const reader = response.body?.getReader();
  let text = '';
  let size = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BYTES) throw tooLarge();
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Returns the seconds for which a response may be used (RFC 9111, sections 4.2 and 5.1). The caller uses it for at most
 * an hour.
 */
function maxAgeOf(headers: Headers): number {
  const control = headers.get('cache-control') ?? '';
  if (/\bno-(store|cache)\b/i.test(control)) return MIN_AGE_SECONDS;
  const [, said] = /(?:^|[\s,])max-age="?(\d+)/i.exec(control) ?? [];
  const left = said === undefined ? LIMITS.jwksMaxAgeSeconds : Number(said) - (Number(headers.get('age')) || 0);
  return Math.max(left, MIN_AGE_SECONDS);
}
