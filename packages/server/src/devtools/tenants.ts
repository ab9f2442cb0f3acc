import { mintApiKey } from '../auth/api-keys.ts';
import { SYSTEM } from '../change.ts';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId, seededId } from '../kernel/ids.ts';
import { createDeveloper } from '../sandbox/developers.ts';
import { ensureSampleCatalog } from '../sandbox/sample-catalog.ts';

/** A separate sandbox with the data that a test file needs. */
export interface DevTenant {
  readonly object: 'dev_tenant';
  readonly tenant_id: string;
  readonly name: string;
  /** Key with every scope. It is shown only once. */
  readonly api_key: string;
  /** The developer who owns the sandbox: signs in to the console, and with `plat login`. */
  readonly developer: { readonly id: string; readonly email: string };
  /** The user who owns the tenant: signs in to it, and gives consents. */
  readonly owner: { readonly id: string; readonly email: string };
  /** Base URL of requests. */
  readonly base_url: string;
}

export interface NewDevTenant {
  readonly name?: string;
  /** True if the sandbox is seeded. Defaults to true. */
  readonly seed?: boolean;
}

export type CreateDevTenant = (wanted?: NewDevTenant) => Promise<DevTenant>;

interface Services {
  readonly db: Database;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

/** Creates independent tenants, so that tests can run concurrently without a reset. */
export function devTenantMaker({ db, clock, baseUrl }: Services): CreateDevTenant {
  return async ({ name = 'Test', seed = true } = {}) => {
    const now = clock();
    await ensureSampleCatalog(db, now);
    return unitOfWork(db, async (transaction) => {
      // Unique, also among concurrent calls.
      const email = `developer-${newId('developer', now).slice(4)}@sandbox.example`;
      const { id, tenantId } = await createDeveloper(db, transaction, { email, name, seed, actor: SYSTEM, now });
      const ownerId = seededId(tenantId, 'user', 0);
      const key = { tenantId, mode: 'test', createdBy: ownerId, now } as const;
      return {
        object: 'dev_tenant',
        tenant_id: tenantId,
        name,
        api_key: await mintApiKey(db, transaction, key),
        developer: { id, email },
        owner: { id: ownerId, email },
        base_url: baseUrl(),
      };
    });
  };
}
