import { OAUTH_PATHS } from '@plat/contract';
import type { PendingAuthorization } from './authorization.ts';
import { type GrantContext, type GrantTools, holdRecord } from './grant-context.ts';
import type { LiveRecord } from './grant-record.ts';
import { identify } from './identify.ts';
import { CallbackError } from './oauth-errors.ts';
import type { Found } from './records.ts';
import { readTokenPair } from './token-answer.ts';

/** An authorization whose callback was checked. */
export interface CheckedCallback {
  readonly code: string;
  readonly pending: PendingAuthorization;
  /** Key of the grant; the tenant's id when absent. */
  readonly key: string | undefined;
  /** True if the grant replaces one of the same tenant, whose tokens are revoked. */
  readonly replaces: boolean;
}

/**
 * Exchanges a code and stores the new pair. A pair that cannot be stored is revoked. With `replaces`, the record keeps
 * the former refresh token until {@link revokeFormer} has revoked it.
 * @throws {@link PlatformError}
 */
export async function exchangeCode(
  tools: GrantTools,
  { code, pending, key, replaces }: CheckedCallback,
  grantOf: (key: string) => GrantContext,
): Promise<{ readonly key: string; readonly saved: Found<LiveRecord> }> {
  const { endpoint, clock, records } = tools;
  const { redirectUri, codeVerifier } = pending;
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier };
  const outcome = await endpoint.sendOnce(OAUTH_PATHS.token, form);
  if (outcome.kind !== 'answered') throw outcome.error;
  const pair = readTokenPair(outcome.body, outcome.askedAt);
  if (pair instanceof Error) throw pair;
  try {
    const { tenant_id: tenantId, sub: userId } = await identify(tools, pair.accessToken);
    const under = key ?? tenantId;
    const consent = { grantId: clock.uuid(), tenantId, userId, connectedAt: clock.now() };
    for (;;) {
      const old = await records.read(under);
      // The write was stored, but its answer was lost.
      if (old?.record.status === 'live' && old.record.grantId === consent.grantId) {
        holdRecord(grantOf(under), old.record);
        return { key: under, saved: { stored: old.stored, record: old.record } };
      }
      if (replaces && old && old.record.tenantId !== tenantId) throw otherTenant();
      const live = old?.record.status === 'live' ? old.record : null;
      // A record has room for one former pair. One that an earlier call could not revoke is revoked first.
      if (live?.former !== undefined) await revokePair(endpoint, live.former).catch(() => {});
      const former = replaces && live ? { former: live.refreshToken } : {};
      const saved = await records.write(under, old, (generation): LiveRecord => {
        return { status: 'live', ...consent, ...pair, generation, mark: null, ...former };
      });
      if (!saved) continue;
      holdRecord(grantOf(under), saved.record);
      return { key: under, saved };
    }
  } catch (error) {
    // These tokens are never used, so they are revoked.
    await revokePair(endpoint, pair.refreshToken).catch(() => {});
    throw error;
  }
}

/**
 * Revokes the pair that a grant replaced, and removes it from the record. Another process may do the same at the same
 * time: a second revocation has no effect.
 * @throws {@link PlatformError} if the service could not be reached; the record is then unchanged
 */
export async function revokeFormer({ endpoint, records }: GrantTools, key: string): Promise<void> {
  for (;;) {
    const found = await records.read(key);
    if (found?.record.status !== 'live' || found.record.former === undefined) return;
    const { former, ...record } = found.record;
    await revokePair(endpoint, former);
    if (await records.write(key, found, () => record)) return;
  }
}

/** Revokes the pair of a refresh token at the service. */
export function revokePair(endpoint: GrantTools['endpoint'], token: string): Promise<unknown> {
  return endpoint.send(OAUTH_PATHS.revoke, { token, token_type_hint: 'refresh_token' });
}

function otherTenant(): CallbackError {
  return new CallbackError('OTHER_TENANT', 'The owner consented for another tenant than that of the grant to replace');
}
