import {
  type Client,
  type ClientCreateParams,
  type ClientListParams,
  type ClientUpdateParams,
  type Deleted,
  distinctSlug,
  slugFromName,
} from '@plat/contract';
import { presentClient } from '../../accounts/present-client.ts';
import type { Context, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { violates } from '../../db/errors.ts';
import { findById } from '../../db/find.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { lockReferences } from '../../db/row-lock.ts';
import { execute } from '../../db/sql.ts';
import { columnsExcept, insertInto, updateSet } from '../../db/statements.ts';
import { CLIENT_DOMAIN, CLIENT_SLUG, CLIENTS, type ClientRow } from '../../db/tables/clients.ts';
import type { Page } from '../../http/route.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { detachClient } from './detach-client.ts';

const COLUMNS = columnsExcept(CLIENTS, ['domain_space']);
const INSERT = insertInto(CLIENTS, COLUMNS);
const CHANGEABLE = columnsExcept(CLIENTS, ['tenant_id', 'id', 'created_at']);
const UPDATE = `${updateSet(CLIENTS, CHANGEABLE)} WHERE tenant_id = :tenant_id AND id = :id`;

export async function listClients(ctx: Context, params: ClientListParams): Promise<Page<Client>> {
  const page = await selectPage(ctx.db, {
    table: CLIENTS,
    columns: COLUMNS,
    kind: 'client',
    tenantId: ctx.tenantId,
    params,
    filters: { status: params.status, slug: params.slug },
  });
  return presentPage(page, presentClient);
}

export async function getClient(ctx: Context, clientId: string): Promise<Client> {
  return presentClient(await findClient(ctx, clientId));
}

export async function createClient(ctx: WriteContext, input: ClientCreateParams): Promise<Client> {
  await ctx.reserve('clients');
  const id = newId('client', ctx.now);
  const row: ClientRow = {
    tenant_id: ctx.tenantId,
    id,
    name: input.name,
    status: 'active',
    slug: input.slug ?? slugFromName(input.name, 'client'),
    custom_domain: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  const inserted = await insertClient(ctx, row, input.slug === undefined);
  const client = presentClient(inserted);
  await ctx.emit('client.created', client, ctx.now);
  await ctx.audit({ action: 'client.created', target: { type: 'client', id }, at: ctx.now });
  return client;
}

/** Any PATCH emits client.updated, even if every field stays the same (specification, Event types). */
export async function updateClient(ctx: WriteContext, clientId: string, input: ClientUpdateParams): Promise<Client> {
  const before = await findClient(ctx, clientId);
  const after: ClientRow = {
    ...before,
    name: input.name ?? before.name,
    status: input.status ?? before.status,
    slug: input.slug ?? before.slug,
    custom_domain: domainOf(input) === undefined ? before.custom_domain : (domainOf(input) ?? null),
    updated_at: laterThan(before.updated_at, ctx.now),
  };
  await storeClient(ctx, after);
  const client = presentClient(after);
  await ctx.emit('client.updated', client, after.updated_at);
  await ctx.audit({
    action: 'client.updated',
    target: { type: 'client', id: clientId },
    changes: changedFields(presentClient(before), client),
    at: after.updated_at,
  });
  return client;
}

/**
 * Soft-deletes a client: its row moves to deleted_clients, which frees its slug and domain. Its locations and
 * memberships end with it, without their own events.
 */
export async function deleteClient(ctx: WriteContext, clientId: string): Promise<Deleted<'client'>> {
  await lockReferences(ctx.db, ctx.tenantId, ctx.transaction);
  const before = await findClient(ctx, clientId);
  const at = laterThan(before.updated_at, ctx.now);
  await detachClient(ctx, clientId, at);
  const columns = COLUMNS.join(', ');
  const values = { tenantId: ctx.tenantId, clientId, at };
  const where = 'WHERE tenant_id = :tenantId AND id = :clientId';
  await execute(
    ctx.db,
    `INSERT INTO deleted_clients (${columns}, deleted_at) SELECT ${columns}, :at FROM clients ${where}`,
    values,
    ctx.transaction,
  );
  await execute(ctx.db, `DELETE FROM clients ${where}`, values, ctx.transaction);
  await ctx.emit('client.deleted', presentClient({ ...before, updated_at: at }), at);
  await ctx.audit({ action: 'client.deleted', target: { type: 'client', id: clientId }, at });
  return { object: 'client', id: clientId, deleted: true };
}

function findClient(ctx: Context, id: string): Promise<ClientRow> {
  return findById(ctx, { table: CLIENTS, columns: COLUMNS, kind: 'client', id, missing: 'CLIENT_NOT_FOUND' });
}

/** Inserts the row. A slug that was derived from the name changes if it is taken. */
async function insertClient(ctx: WriteContext, row: ClientRow, mayRename: boolean): Promise<ClientRow> {
  try {
    await execute(ctx.db, INSERT, { ...row }, ctx.transaction);
    return row;
  } catch (error) {
    if (mayRename && violates(error, CLIENT_SLUG)) {
      return insertClient(ctx, { ...row, slug: distinctSlug(row.slug, row.id) }, false);
    }
    throw collision(error, row);
  }
}

async function storeClient(ctx: WriteContext, row: ClientRow): Promise<void> {
  try {
    await execute(
      ctx.db,
      UPDATE,
      { ...row, domain_space: ctx.credential.sandbox ? ctx.tenantId : '' },
      ctx.transaction,
    );
  } catch (error) {
    throw collision(error, row);
  }
}

function collision(error: unknown, row: ClientRow): unknown {
  if (violates(error, CLIENT_SLUG)) {
    return new ApiError('SLUG_IN_USE', `The slug ${row.slug} is used by another client of the tenant`, {
      cause: error,
    });
  }
  if (violates(error, CLIENT_DOMAIN)) {
    return new ApiError('DOMAIN_IN_USE', `The domain ${row.custom_domain} is used by another client`, { cause: error });
  }
  return error;
}

function domainOf(input: ClientUpdateParams): string | null | undefined {
  return input.domain === undefined ? input.custom_domain : input.domain;
}
