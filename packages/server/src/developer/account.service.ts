import {
  type ApiKey,
  type Deleted,
  type Developer,
  type DeveloperToken,
  isId,
  type ListParams,
  type Sandbox,
} from '@plat/contract';
import { findTenantKey, noKey } from '../accounts/api-keys.ts';
import { findTenant } from '../accounts/tenants.ts';
import type { Caller } from '../auth/credential.ts';
import type { Context, WriteContext } from '../context.ts';
import { presentPage, selectPage } from '../db/page.ts';
import { columnsExcept } from '../db/statements.ts';
import { DEVELOPER_TOKENS, type DeveloperTokenRow } from '../db/tables/developer-tokens.ts';
import type { Page } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';
import { isoTime } from '../kernel/clock.ts';
import { resetTenant } from '../sandbox/reset.ts';
import type { DeveloperContext, DeveloperWriteContext } from './caller.ts';
import { deleteDeveloperToken } from './tokens.ts';

const TOKEN_VIEW = columnsExcept(DEVELOPER_TOKENS, ['developer_id', 'token_hash']);
type TokenView = Pick<DeveloperTokenRow, (typeof TOKEN_VIEW)[number]>;

export async function getDeveloper({ db, credential }: DeveloperContext): Promise<Developer> {
  const { actor, id, tenantId } = credential;
  const [developer, token] = await Promise.all([
    db.models.developer.findByPk(actor.id, { raw: true }),
    db.models.developerToken.findByPk(id, { raw: true }),
  ]);
  // Both existed when the caller was authenticated. If one was deleted since, the token is no longer valid.
  if (!developer || !token) throw noToken();
  return {
    object: 'developer',
    id: actor.id,
    email: developer.email,
    tenant_id: tenantId,
    created_at: isoTime(developer.created_at),
    token: presentToken(token),
  };
}

export async function listTokens(
  { db, credential }: Pick<Context<Caller>, 'db' | 'credential'>,
  params: ListParams,
): Promise<Page<DeveloperToken>> {
  const page = await selectPage(db, {
    table: DEVELOPER_TOKENS,
    columns: TOKEN_VIEW,
    kind: 'developer_token',
    tenantId: null,
    params,
    filters: { developer_id: credential.actor.id },
  });
  return presentPage(page, presentToken);
}

/** @throws {@link ApiError} DEVELOPER_TOKEN_NOT_FOUND */
export async function getToken(
  { db, credential }: Pick<Context<Caller>, 'db' | 'credential'>,
  id: string,
): Promise<DeveloperToken> {
  const where = { id, developer_id: credential.actor.id };
  const row = isId('developer_token', id) ? await db.models.developerToken.findOne({ where, raw: true }) : null;
  if (!row) throw noToken();
  return presentToken(row);
}

/**
 * Revokes a token; `current` selects the token of the request.
 * @throws {@link ApiError} DEVELOPER_TOKEN_NOT_FOUND
 */
export async function revokeToken(ctx: WriteContext<Caller>, tokenId: string): Promise<Deleted<'developer_token'>> {
  const { db, transaction, credential, now } = ctx;
  const id = tokenId === 'current' ? credential.id : tokenId;
  const isThere =
    isId('developer_token', id) &&
    (await deleteDeveloperToken(db, transaction, { id, developerId: credential.actor.id }));
  if (!isThere) throw noToken();
  await ctx.audit({ action: 'developer_token.revoked', target: { type: 'developer_token', id }, at: now });
  return { object: 'developer_token', id, deleted: true };
}

export async function getSandbox(ctx: DeveloperContext): Promise<Sandbox> {
  const tenant = await findTenant(ctx.db, ctx.tenantId, ctx.transaction);
  if (!tenant) throw new Error(`the tenant ${ctx.tenantId} of a developer is gone`);
  return {
    object: 'sandbox',
    tenant_id: tenant.id,
    name: tenant.name,
    status: tenant.status,
    base_url: ctx.baseUrl,
    console_url: `${ctx.baseUrl}/console`,
    created_at: isoTime(tenant.created_at),
    updated_at: isoTime(tenant.updated_at),
  };
}

export async function resetOwnSandbox(ctx: DeveloperWriteContext): Promise<Sandbox> {
  await resetTenant(ctx);
  return getSandbox(ctx);
}

/** @throws {@link ApiError} API_KEY_NOT_FOUND */
export async function getKey({ db, tenantId, now }: DeveloperContext): Promise<ApiKey> {
  const key = await findTenantKey(db, tenantId, now);
  if (!key) throw noKey();
  return key;
}

function presentToken(row: TokenView): DeveloperToken {
  return {
    object: 'developer_token',
    id: row.id,
    client_name: row.client_name,
    ip: row.ip,
    created_at: isoTime(row.created_at),
    last_used_at: isoTime(row.last_used_at),
    expires_at: isoTime(row.expires_at),
  };
}

function noToken(): ApiError {
  return new ApiError('DEVELOPER_TOKEN_NOT_FOUND', 'The account has no such login');
}
