import type { LaunchToken, LaunchTokenMintParams } from '@plat/contract';
import { describe, id, object, oneOf, optional, slug, string, timestamp } from '../http/rules.ts';
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

const launchToken = describe(
  object<LaunchToken>('LaunchToken', {
    object: oneOf(['launch_token']),
    token: describe(string(), 'What a browser would post to `launch_url`, as the form field `launch_token`.', 'eyJ…'),
    module: describe(slug(), 'The module that it is for.', 'analytics'),
    launch_url: describe(string(), 'Where it belongs.', 'http://127.0.0.1:4020/launch'),
    issuer: describe(string(), 'Its `iss`.', 'http://127.0.0.1:4010'),
    audience: describe(string(), 'Its `aud`.', 'analytics'),
    expires_at: timestamp(),
  }),
  'A launch token.',
);

const mint = describe(
  object<LaunchTokenMintParams>('LaunchTokenMint', {
    module: describe(slug(), 'Slug of the module.', 'analytics'),
    client_id: optional(describe(id('client'), "The user's client, or the oldest one of the sandbox, when absent.")),
    user_id: optional(describe(id('user'), 'The owner of the sandbox when absent.')),
    group_id: optional(describe(id('group'), 'The group that is selected; none when absent.')),
  }),
  'Who is launched into what.',
);

/** Launch tokens for trying a module out. */
export function launchTokenRoutes({ launchSigner, mintsLaunchTokens }: MintServices): readonly DeveloperRoute[] {
  return [
    developerRoute('launch_tokens.mint', {
      body: mint,
      response: launchToken,
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

/** Returns the id of the oldest active owner; an empty text, which is the id of no user, when there is none. */
async function oldestOwner({ db, tenantId, transaction }: DeveloperWriteContext): Promise<string> {
  const where = { tenant_id: tenantId, role: 'owner', status: 'active' } as const;
  return (await db.models.user.findOne({ where, order: ['id'], transaction, raw: true }))?.id ?? '';
}

/** Returns the id of the oldest active client; an empty text, which is the id of no client, when there is none. */
async function oldestClient({ db, tenantId, transaction }: DeveloperWriteContext): Promise<string> {
  const where = { tenant_id: tenantId, status: 'active' } as const;
  return (await db.models.client.findOne({ where, order: ['id'], transaction, raw: true }))?.id ?? '';
}
