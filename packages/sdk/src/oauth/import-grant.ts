import { checkOptionNames } from '../checks/options.ts';
import { isVisibleAscii } from '../checks/visible-ascii.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { type Grant, presentGrant } from './grant.ts';
import type { GrantContext, GrantTools } from './grant-context.ts';
import { GrantCredential } from './grant-credential.ts';
import type { LiveRecord } from './grant-record.ts';
import { identify } from './identify.ts';
import { createIntrospect } from './introspection.ts';
import { challengeOf } from './pkce.ts';
import { checkKey, type Found } from './records.ts';

/** A pair of tokens that the app obtained without this SDK. */
export interface ImportedGrant {
  /** The current refresh token, `plat_rt_…`. */
  readonly refreshToken: string;
  /** The access token of the same pair. Without a valid one, the refresh token is exchanged at once. */
  readonly accessToken?: string | undefined;
  /** Key of the grant; the tenant's id when absent. It is required if there is no valid access token. */
  readonly key?: string | undefined;
}

/** Tenant and user of a grant whose token is not yet exchanged. */
const UNKNOWN = '';

/** See {@link OAuthGrants.import}. */
export async function importGrant(
  tools: GrantTools,
  given: ImportedGrant,
  grantOf: (key: string) => GrantContext,
): Promise<Grant> {
  checkOptionNames('grants.import', given, { refreshToken: true, accessToken: true, key: true });
  checkToken('refreshToken', given.refreshToken);
  if (given.accessToken !== undefined) checkToken('accessToken', given.accessToken);
  if (given.key !== undefined) checkKey(given.key);
  const importedFrom = await challengeOf(given.refreshToken);
  const live = await liveRecord(tools, given, importedFrom);
  const key = given.key ?? live?.tenantId;
  if (key === undefined) throw new InvalidArgumentError('key', 'is required, because there is no valid access token');
  const stored = await store(tools, key, importedFrom, live ?? unknownRecord(tools, given, importedFrom));
  if (stored.record.tenantId !== UNKNOWN) return presentGrant(key, stored.record);
  // Renewed like any expired token: a crash leaves a mark, and the next import or call continues.
  const { value } = await new GrantCredential(grantOf(key)).get();
  return presentGrant(key, await complete(tools, key, value));
}

/** Stores the record, unless the same pair was imported before: then returns what it has become. */
async function store(
  tools: GrantTools,
  key: string,
  importedFrom: string,
  record: LiveRecord,
): Promise<Found<LiveRecord>> {
  const { records } = tools;
  for (;;) {
    const old = await records.read(key);
    if (old?.record.status === 'live') {
      if (old.record.importedFrom === importedFrom) return { stored: old.stored, record: old.record };
      throw new InvalidArgumentError('key', 'has a connected grant; revoke it, or connect the tenant again');
    }
    const saved = await records.write(key, old, (generation) => ({ ...record, generation }));
    if (saved) return saved;
  }
}

/** Adds tenant and user, which are not known before the first exchange. */
async function complete(tools: GrantTools, key: string, accessToken: string): Promise<LiveRecord> {
  const { tenant_id: tenantId, sub: userId } = await identify(tools, accessToken);
  for (;;) {
    const found = await tools.records.read(key);
    if (found?.record.status !== 'live') throw new InvalidArgumentError('key', 'was revoked during the import');
    const { record } = found;
    if (record.tenantId !== UNKNOWN) return record;
    const saved = await tools.records.write(key, found, () => ({ ...record, tenantId, userId }));
    if (saved) return saved.record;
  }
}

/** Returns the record of a pair whose access token is valid, without spending anything; null otherwise. */
async function liveRecord(
  { endpoint, clock }: GrantTools,
  { accessToken, refreshToken }: ImportedGrant,
  importedFrom: string,
): Promise<LiveRecord | null> {
  if (accessToken === undefined) return null;
  const state = await createIntrospect(endpoint, clock, 0)(accessToken);
  if (!state.active) return null;
  const now = clock.now();
  const consent = { tenantId: state.tenant_id, userId: state.sub, scopes: state.scope.split(' ') };
  const pair = { accessToken, refreshToken, obtainedAt: now, expiresAt: state.exp * 1000 };
  return { ...EMPTY, ...consent, ...pair, grantId: clock.uuid(), connectedAt: now, importedFrom };
}

function unknownRecord({ clock }: GrantTools, { refreshToken }: ImportedGrant, importedFrom: string): LiveRecord {
  const now = clock.now();
  const consent = { tenantId: UNKNOWN, userId: UNKNOWN, scopes: [] };
  const pair = { accessToken: UNKNOWN, refreshToken, obtainedAt: now, expiresAt: now };
  return { ...EMPTY, ...consent, ...pair, grantId: clock.uuid(), connectedAt: now, importedFrom };
}

/** The store gives each record its generation. */
const EMPTY = { status: 'live', generation: 0, mark: null } as const;

function checkToken(name: string, value: unknown): void {
  if (isVisibleAscii(value)) return;
  throw new InvalidArgumentError(name, 'must be a token: visible ASCII characters');
}
