import type { LaunchToken, LaunchTokenMintParams } from '@plat/contract';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime } from '../kernel/clock.ts';
import { issueLaunchToken } from '../launch/issue-launch-token.ts';
import type { LaunchSigner } from '../launch/launch-signer.ts';
import type { DeveloperWriteContext } from './caller.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

export interface MintServices {
  readonly launchSigner: LaunchSigner;
  /** False in production, where users of a sandbox would enter real modules. The operator issues tokens there. */
  readonly launchesSandboxes: boolean;
}

/** Issues launch tokens to try a module. */
export function launchTokenRoutes({ launchSigner, launchesSandboxes }: MintServices): readonly DeveloperRoute[] {
  return [
    developerRoute('launch_tokens.mint', {
      handle(ctx, { body }) {
        if (launchesSandboxes) return mintToken(ctx, launchSigner, body);
        throw new ApiError(
          'FORBIDDEN',
          'Developers can mint launch tokens in development mode only; on this server the operator mints them',
        );
      },
    }),
  ];
}

async function mintToken(
  ctx: DeveloperWriteContext,
  signer: LaunchSigner,
  { module: moduleSlug, client_id, user_id, group_id: groupId }: LaunchTokenMintParams,
): Promise<LaunchToken> {
  const userId = user_id ?? (await oldestOwner(ctx));
  const clientId = client_id ?? (await clientOf(ctx, userId)) ?? (await oldestClient(ctx));
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

async function clientOf(ctx: DeveloperWriteContext, userId: string): Promise<string | null> {
  const where = { tenant_id: ctx.tenantId, id: userId };
  const user = await ctx.db.models.user.findOne({ where, transaction: ctx.transaction, raw: true });
  return user?.client_id ?? null;
}

/** Returns the id of the oldest active owner. Without one, returns an empty text, which is the id of no user. */
async function oldestOwner({ db, tenantId, transaction }: DeveloperWriteContext): Promise<string> {
  const where = { tenant_id: tenantId, role: 'owner', status: 'active' } as const;
  return (await db.models.user.findOne({ where, order: ['id'], transaction, raw: true }))?.id ?? '';
}

/** Returns the id of the oldest active client. Without one, returns an empty text, which is the id of no client. */
async function oldestClient({ db, tenantId, transaction }: DeveloperWriteContext): Promise<string> {
  const where = { tenant_id: tenantId, status: 'active' } as const;
  return (await db.models.client.findOne({ where, order: ['id'], transaction, raw: true }))?.id ?? '';
}
