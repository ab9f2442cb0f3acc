import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './event.ts';
import { hintForUnreadableBody } from './mismatch.ts';

/** Letters, digits, `-` and `_` only, so that the value is safe in a path, a query or a log. */
const TENANT_ID = /^tnt_[A-Za-z0-9_-]{1,124}$/;

const BACKSLASH = 0x5c;
const decoder = new TextDecoder();

/**
 * Returns the `tenant_id` of a body whose signature has not been checked. The value is untrusted: use it only to find a
 * secret.
 *
 * It scans for the first `tenant_id` of the outermost object without parsing, so that a forged body costs one pass. A
 * body that JSON.parse reads differently (a duplicate member, an escaped name) is refused later by {@link checkTenant}.
 * @throws {WebhookVerificationError} `BODY_NOT_EVENT`
 */
export function readUnverifiedTenantId(body: string | Uint8Array): string {
  const tenantId = findTenantId(typeof body === 'string' ? body : decoder.decode(body));
  if (tenantId !== undefined && TENANT_ID.test(tenantId)) return tenantId;
  const cause = tenantId === undefined ? 'It has no tenant_id that is a string' : 'Its tenant_id is not a tnt_ id';
  throw new WebhookVerificationError(
    'BODY_NOT_EVENT',
    hintForUnreadableBody(body) ?? `${cause}, so no secret can be looked up. Its signature was not checked.`,
  );
}

/**
 * Refuses a verified event whose tenant differs from the tenant of the secret. Also refuses an event of an app: a tenant
 * could otherwise forge one, with the data of another tenant.
 * @throws {WebhookVerificationError} `TENANT_MISMATCH`
 */
export function checkTenant(event: Pick<WebhookEvent, 'tenant_id'>, tenantId: string): void {
  if (event.tenant_id !== tenantId) {
    throw new WebhookVerificationError('TENANT_MISMATCH', 'The body names two tenants: it was manipulated.');
  }
  if (!('app_id' in event)) return;
  throw new WebhookVerificationError(
    'TENANT_MISMATCH',
    'The event is one of an app, but the secret that signed it belongs to a tenant.',
  );
}

function findTenantId(text: string): string | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === '"') {
      const end = endOfString(text, at);
      if (depth === 1 && end - at === 10 && text.startsWith('tenant_id', at + 1)) {
        const colon = skipSpace(text, end + 1);
        if (text[colon] === ':') return stringAt(text, skipSpace(text, colon + 1));
      }
      at = end;
    }
  }
  return undefined;
}

/** Returns the string literal at a position with its escapes unchanged; undefined if there is no complete one. */
function stringAt(text: string, at: number): string | undefined {
  const end = text[at] === '"' ? endOfString(text, at) : text.length;
  return end === text.length ? undefined : text.slice(at + 1, end);
}

/**
 * Returns the position of the closing quote: the first one after an even number of backslashes. Else the end of the
 * text.
 */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let from = quote;
    while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    if ((quote - from) % 2 === 0) return quote;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return at;
}
