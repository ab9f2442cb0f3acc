import { type LaunchTokenClaims, type LaunchTokenGroup, LIMITS } from '@plat/contract';
import type { Change } from '../change.ts';
import { findById } from '../db/find.ts';
import { CLIENT_GROUPS } from '../db/tables/client-groups.ts';
import { ApiError } from '../kernel/api-error.ts';
import { randomBytes } from '../kernel/random.ts';
import { entitlementsOf } from './entitlements.ts';
import { groupsOfLaunch } from './groups-of-launch.ts';
import { checkClient, findLifetime, findModule, findRoleIn, type LaunchableModule } from './launch-parties.ts';
import type { LaunchSigner } from './launch-signer.ts';

/** The user and the module of a launch. The tenant is that of the change. */
export interface Launch {
  readonly moduleSlug: string;
  readonly clientId: string;
  readonly userId: string;
  /** Id of the selected group. */
  readonly groupId?: string | undefined;
}

export interface IssuedLaunchToken {
  /** The token. It is a credential: it is sent to the user's browser only, and not stored in clear. */
  readonly token: string;
  readonly claims: LaunchTokenClaims;
  readonly module: LaunchableModule;
}

/**
 * Issues a launch token (specification, Launch token claims), and records the actor in the audit trail.
 * @throws {@link ApiError} NOT_FOUND, TENANT_SUSPENDED, MODULE_NOT_FOUND, MODULE_NOT_LAUNCHABLE, CLIENT_NOT_FOUND,
 * USER_NOT_FOUND, GROUP_NOT_FOUND, UNPROCESSABLE
 */
export async function issueLaunchToken(
  change: Change,
  signer: LaunchSigner,
  { moduleSlug, clientId, userId, groupId }: Launch,
): Promise<IssuedLaunchToken> {
  const { db, transaction, tenantId, now } = change;
  const seconds = await findLifetime(change);
  const module = await findModule(change, moduleSlug);
  await checkClient(change, clientId);
  const role = await findRoleIn(change, clientId, userId);
  const groups = await groupsOfLaunch(db, transaction, { tenantId, clientId, userId });
  if (groupId !== undefined) await checkGroup(change, groups, groupId);
  const iat = Math.floor(now / 1000);
  const required = {
    iss: signer.issuer(),
    aud: module.audience,
    iat,
    exp: iat + seconds,
    jti: randomBytes(16, 'launch token').toString('base64url'),
    tenant: tenantId,
    client: clientId,
    user: userId,
    role,
    entitlements: await entitlementsOf(db, transaction, { tenantId, clientId, role }),
    ...(groupId === undefined ? {} : { groupId }),
  };
  const claims = withGroups(required, groups);
  const token = await signer.sign(db, transaction, claims);
  await change.audit({
    action: 'launch_token.issued',
    target: { type: 'user', id: userId },
    changes: {
      module: { before: null, after: module.slug },
      client_id: { before: null, after: clientId },
      ...(groupId === undefined ? {} : { group_id: { before: null, after: groupId } }),
    },
    at: now,
  });
  return { token, claims, module };
}

async function checkGroup(change: Change, groups: readonly LaunchTokenGroup[], id: string): Promise<void> {
  if (groups.some((group) => group.id === id)) return;
  await findById(change, { table: CLIENT_GROUPS, columns: ['id'], kind: 'group', id, missing: 'GROUP_NOT_FOUND' });
  throw new ApiError('UNPROCESSABLE', 'The user does not belong to the group, neither as its owner nor by the client');
}

/** Size of header, signature and dots of a token, in bytes. */
const BESIDE_CLAIMS_BYTES = 512;

/**
 * Adds the groups if the token stays short enough, because receivers refuse long tokens unread. Groups that do not fit
 * are omitted together, because a partial list would look complete.
 * @throws {@link ApiError} UNPROCESSABLE if the entitlements alone do not fit
 */
function withGroups(required: LaunchTokenClaims, groupMemberships: readonly LaunchTokenGroup[]): LaunchTokenClaims {
  const all = { ...required, groupMemberships };
  if (fits(all)) return all;
  if (fits(required)) return required;
  throw new ApiError('UNPROCESSABLE', 'The user has more entitlements than a launch token can hold');
}

function fits(claims: LaunchTokenClaims): boolean {
  const bytes = Buffer.byteLength(JSON.stringify(claims));
  return Math.ceil((bytes * 4) / 3) + BESIDE_CLAIMS_BYTES <= LIMITS.launchTokenBytes;
}
