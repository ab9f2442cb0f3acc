import { mintApiKey } from '../auth/api-keys.ts';
import { SYSTEM } from '../change.ts';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId, seededId } from '../kernel/ids.ts';
import { createDeveloper } from '../sandbox/developers.ts';
import { ensureSampleCatalog } from '../sandbox/sample-catalog.ts';

/** A sandbox of its own, with all that a test file needs of it. */
export interface DevTenant {
  readonly object: 'dev_tenant';
  readonly tenant_id: string;
  readonly name: string;
  /** With every scope. It is shown this once. */
  readonly api_key: string;
  /** Whose sandbox it is: who signs in to the console, and logs in with `plat login`. */
  readonly developer: { readonly id: string; readonly email: string };
  /** The user who owns the tenant: who signs in to it, and gives consents. */
  readonly owner: { readonly id: string; readonly email: string };
  /** What each request goes to. */
  readonly base_url: string;
}

export interface NewDevTenant {
  readonly name?: string;
  /** Whether it has the seeded content of a sandbox; true when absent. */
  readonly seed?: boolean;
}

export type CreateDevTenant = (wanted?: NewDevTenant) => Promise<DevTenant>;

interface Services {
  readonly db: Database;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

/** Makes tenants that know nothing of each other, so that tests run beside each other and reset nothing. */
export function devTenantMaker({ db, clock, baseUrl }: Services): CreateDevTenant {
  return async ({ name = 'Test', seed = true } = {}) => {
    const now = clock();
    await ensureSampleCatalog(db, now);
    return unitOfWork(db, async (transaction) => {
      // Of nobody else's, whoever makes one at the same moment.
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
