import type { LaunchToken, LaunchTokenMintParams } from '@plat/contract';
import { selectOne } from '../db/sql.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime } from '../kernel/clock.ts';
import { issueLaunchToken } from '../launch/issue-launch-token.ts';
import type { LaunchSigner } from '../launch/launch-signer.ts';
import type { DeveloperWriteContext } from './caller.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

export interface MintServices {
  readonly launchSigner: LaunchSigner;
  /** In production a sandbox's users would get into real modules: there the operator issues tokens. */
  readonly mintsLaunchTokens: boolean;
}

/** Launch tokens for trying a module out. */
export function launchTokenRoutes({ launchSigner, mintsLaunchTokens }: MintServices): readonly DeveloperRoute[] {
  return [
    developerRoute('launch_tokens.mint', {
      errors: [
        'FORBIDDEN',
        'MODULE_NOT_FOUND',
        'MODULE_NOT_LAUNCHABLE',
        'CLIENT_NOT_FOUND',
        'USER_NOT_FOUND',
        'GROUP_NOT_FOUND',
        'UNPROCESSABLE',
      ],
      handle(ctx, { body }) {
        if (mintsLaunchTokens) return mintToken(ctx, launchSigner, body);
        throw new ApiError('FORBIDDEN', 'Developers mint launch tokens in development only; here its operator does');
      },
    }),
  ];
}

async function mintToken(
  ctx: DeveloperWriteContext,
  signer: LaunchSigner,
  { module: moduleSlug, client_id, user_id, group_id: groupId }: LaunchTokenMintParams,
): Promise<LaunchToken> {
  const userId = user_id ?? (await oldestOf(ctx, 'users', "role = 'owner' AND status = 'active'"));
  const clientId = client_id ?? (await clientOf(ctx, userId)) ?? (await oldestOf(ctx, 'clients', "status = 'active'"));
  const launch = { moduleSlug, clientId, userId, groupId };
  const { token, claims, module } = await issueLaunchToken(ctx, signer, launch);
  return {
    object: 'launch_token',
    token,
    module: module.slug,
    launch_url: module.launchUrl.href,
    issuer: claims.iss,
    audience: claims.aud,
    expires_at: isoTime(claims.exp * 1000),
  };
}

async function clientOf({ db, tenantId, transaction }: DeveloperWriteContext, userId: string): Promise<string | null> {
  const row = await selectOne<{ client_id: string | null }>(
    db,
    'SELECT client_id FROM users WHERE tenant_id = :tenantId AND id = :userId',
    { tenantId, userId },
    transaction,
  );
  return row?.client_id ?? null;
}

/** The id of the oldest one; empty, which nobody's id is, where there is none. */
async function oldestOf(
  { db, tenantId, transaction }: DeveloperWriteContext,
  table: 'users' | 'clients',
  which: string,
): Promise<string> {
  const sql = `SELECT id FROM ${table} WHERE tenant_id = :tenantId AND ${which} ORDER BY id LIMIT 1`;
  return (await selectOne<{ id: string }>(db, sql, { tenantId }, transaction))?.id ?? '';
}
