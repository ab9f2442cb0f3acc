import { findApiKey } from '../auth/api-keys.ts';
import { challenge } from '../auth/challenge.ts';
import type { Caller } from '../auth/credential.ts';
import type { Database } from '../db/database.ts';
import { NO_TENANT } from '../db/requests.ts';
import { ApiError } from '../kernel/api-error.ts';

/**
 * Returns the vendor of a key. Its tenant is the one of the path.
 * @throws {@link ApiError} FORBIDDEN for the key of a tenant
 */
export async function findVendor(db: Database, token: string, now: number): Promise<Caller | null> {
  const found = await findApiKey(db, token, now);
  if (found === null) return null;
  const { type, id } = found;
  if (type !== 'vendor_key') {
    throw new ApiError('FORBIDDEN', 'This API accepts the vendor keys of the operator only; call /v1 with this key', {
      headers: challenge('insufficient_scope'),
    });
  }
  const actor = { type: 'api_key', id } as const;
  return { id, actor, tenantId: NO_TENANT, tenantStatus: 'active', sandbox: false, scopes: [] };
}
