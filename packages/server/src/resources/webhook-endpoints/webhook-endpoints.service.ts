import { createHash } from 'node:crypto';
import type {
  AnyEventType,
  Deleted,
  EventType,
  WebhookEndpoint,
  WebhookEndpointCreateParams,
  WebhookEndpointListParams,
  WebhookEndpointUpdateParams,
  WebhookEndpointWithSecret,
  WebhookSecretRotateParams,
} from '@plat/contract';
import { col } from 'sequelize';
import type { EndpointOf, Subscribed } from '../../accounts/owned-webhooks.ts';
import type { Caller } from '../../auth/credential.ts';
import type { Context, ReadContext, WriteContext } from '../../context.ts';
import { changedFields } from '../../db/changes.ts';
import { violates } from '../../db/errors.ts';
import { findById } from '../../db/find.ts';
import { lockOwner } from '../../db/owners.ts';
import { presentPage, selectPage } from '../../db/page.ts';
import { columnsExcept } from '../../db/statements.ts';
import {
  ENDPOINT_URL,
  type Missed,
  WEBHOOK_ENDPOINTS,
  type WebhookEndpointRow,
} from '../../db/tables/webhook-endpoints.ts';
import { type Circuit, CLOSED_CIRCUIT } from '../../events/endpoints/circuit.ts';
import { sealEndpointSecret } from '../../events/endpoints/endpoint-secret.ts';
import { missingFrom, missingUntil } from '../../events/endpoints/missed-events.ts';
import { removeSubscriptions } from '../../events/outbox/subscriptions.ts';
import { checkTargetUrl } from '../../events/sending/address-guard.ts';
import type { Page } from '../../http/route.ts';
import { refusal } from '../../http/validate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { laterThan } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { newToken } from '../../kernel/tokens.ts';
import { replaceSubscriptions } from './subscriptions.ts';
import { type EndpointView, HIDDEN, presentEndpoint } from './webhook-endpoints.present.ts';

const VIEW = columnsExcept(WEBHOOK_ENDPOINTS, HIDDEN);

/** An endpoint with its secret. */
type Secret<T extends AnyEventType> = EndpointOf<T> & Pick<WebhookEndpointWithSecret, 'secret'>;

// The tenant of the context owns the endpoints. It may also be an app, with its own event types.

export async function listEndpoints<T extends AnyEventType = EventType>(
  ctx: ReadContext,
  params: WebhookEndpointListParams,
): Promise<Page<EndpointOf<T>>> {
  const page = await selectPage(ctx.db, {
    table: WEBHOOK_ENDPOINTS,
    columns: VIEW,
    kind: 'webhook_endpoint',
    tenantId: ctx.tenantId,
    params,
    filters: { status: params.status },
  });
  return presentPage(page, (row) => presentEndpoint<T>(row, ctx.now));
}

export async function getEndpoint<T extends AnyEventType = EventType>(
  ctx: ReadContext,
  endpointId: string,
): Promise<EndpointOf<T>> {
  return presentEndpoint<T>(await findEndpoint(ctx, endpointId), ctx.now);
}

export async function createEndpoint<T extends AnyEventType = EventType>(
  ctx: WriteContext<Caller>,
  input: Omit<WebhookEndpointCreateParams, 'events'> & Subscribed<T>,
): Promise<Secret<T>> {
  refuseBadTarget(ctx, input.url);
  // The lock keeps two concurrent requests from both being the last one within the limit.
  await lockOwner(ctx.db, ctx.tenantId, ctx.transaction);
  await ctx.reserve('webhook_endpoints');
  const id = newId('webhook_endpoint', ctx.now);
  const secret = newToken('whsec_');
  const row: WebhookEndpointRow = {
    tenant_id: ctx.tenantId,
    id,
    url: input.url,
    url_hash: urlHash(input.url),
    description: input.description ?? null,
    events: JSON.stringify(input.events),
    status: 'enabled',
    disabled_reason: null,
    secret: sealEndpointSecret(ctx.sealer, id, secret),
    previous_secret: null,
    previous_secret_expires_at: null,
    ...CLOSED_CIRCUIT,
    missed_since: null,
    missed_until: null,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  try {
    await ctx.db.models.webhookEndpoint.create(row, { transaction: ctx.transaction });
  } catch (error) {
    throw urlCollision(error);
  }
  const endpoint = presentEndpoint<T>(row, ctx.now);
  await replaceSubscriptions(ctx, endpoint);
  await ctx.audit({ action: 'webhook_endpoint.created', target: { type: 'webhook_endpoint', id }, at: ctx.now });
  return { ...endpoint, secret };
}

export async function updateEndpoint<T extends AnyEventType = EventType>(
  ctx: WriteContext<Caller>,
  endpointId: string,
  input: Omit<WebhookEndpointUpdateParams, 'events'> & Partial<Subscribed<T>>,
): Promise<EndpointOf<T>> {
  if (input.url !== undefined) refuseBadTarget(ctx, input.url);
  const before = await findEndpoint(ctx, endpointId);
  const status = input.status ?? before.status;
  const after: EndpointView = {
    ...before,
    url: input.url ?? before.url,
    events: input.events ? JSON.stringify(input.events) : before.events,
    description: input.description === undefined ? before.description : input.description,
    status,
    disabled_reason: disabledReason(before, status),
    ...stateAfter(before, input),
    ...(await missedAfter(ctx, before, status)),
    updated_at: laterThan(before.updated_at, ctx.now),
  };
  const endpoint = presentEndpoint<T>(after, ctx.now);
  const unchanged = presentEndpoint<T>(before, ctx.now);
  const changes = changedFields(unchanged, endpoint);
  if (Object.keys(changes).length === 0) return unchanged;
  try {
    await ctx.db.models.webhookEndpoint.update(
      { ...after, url_hash: urlHash(after.url) },
      { where: { tenant_id: ctx.tenantId, id: endpointId }, transaction: ctx.transaction },
    );
  } catch (error) {
    throw urlCollision(error);
  }
  await replaceSubscriptions(ctx, endpoint);
  const target = { type: 'webhook_endpoint', id: endpointId };
  await ctx.audit({ action: 'webhook_endpoint.updated', target, changes, at: after.updated_at });
  return endpoint;
}

/** Deletes an endpoint. Its due attempts end at their turn without being sent. */
export async function deleteEndpoint(
  ctx: WriteContext<Caller>,
  endpointId: string,
): Promise<Deleted<'webhook_endpoint'>> {
  const before = await findEndpoint(ctx, endpointId);
  await removeSubscriptions(ctx.db, ctx.transaction, { tenantId: ctx.tenantId, endpointId });
  await ctx.db.models.webhookEndpoint.destroy({
    where: { tenant_id: ctx.tenantId, id: endpointId },
    transaction: ctx.transaction,
  });
  const target = { type: 'webhook_endpoint', id: endpointId };
  await ctx.audit({ action: 'webhook_endpoint.deleted', target, at: laterThan(before.updated_at, ctx.now) });
  return { object: 'webhook_endpoint', id: endpointId, deleted: true };
}

/** Rotates the secret. The old secret also signs for the requested time, so that receivers can change over. */
export async function rotateSecret<T extends AnyEventType = EventType>(
  ctx: WriteContext<Caller>,
  endpointId: string,
  { expires_in: overlap = 0 }: WebhookSecretRotateParams,
): Promise<Secret<T>> {
  const before = await findEndpoint(ctx, endpointId);
  const at = laterThan(before.updated_at, ctx.now);
  const secret = newToken('whsec_');
  await ctx.db.models.webhookEndpoint.update(
    {
      // MySQL assigns from left to right: the old secret is copied before the new one is set.
      previous_secret: overlap > 0 ? col('secret') : null,
      previous_secret_expires_at: overlap > 0 ? ctx.now + overlap * 1000 : null,
      secret: sealEndpointSecret(ctx.sealer, endpointId, secret),
      updated_at: at,
    },
    { where: { tenant_id: ctx.tenantId, id: endpointId }, transaction: ctx.transaction },
  );
  const target = { type: 'webhook_endpoint', id: endpointId };
  await ctx.audit({ action: 'webhook_endpoint.secret_rotated', target, at });
  return { ...presentEndpoint<T>({ ...before, updated_at: at }, ctx.now), secret };
}

/** Returns the time until which the secret before the last rotation signs too, in ms; null if it does not. */
export async function secretOverlapOf(ctx: ReadContext, id: string): Promise<number | null> {
  const missing = 'WEBHOOK_ENDPOINT_NOT_FOUND';
  const columns = ['previous_secret_expires_at'] as const;
  const sought = { table: WEBHOOK_ENDPOINTS, columns, kind: 'webhook_endpoint', id, missing } as const;
  const { previous_secret_expires_at: until } = await findById(ctx, sought);
  return until !== null && until > ctx.now ? until : null;
}

function findEndpoint(ctx: ReadContext, id: string): Promise<EndpointView> {
  const missing = 'WEBHOOK_ENDPOINT_NOT_FOUND';
  return findById(ctx, { table: WEBHOOK_ENDPOINTS, columns: VIEW, kind: 'webhook_endpoint', id, missing });
}

function refuseBadTarget(ctx: Pick<Context, 'webhookTargets'>, url: string): void {
  const reason = checkTargetUrl(url, ctx.webhookTargets);
  if (reason !== null) throw refusal('INVALID_BODY', [{ path: 'url', message: reason }]);
}

function disabledReason(before: EndpointView, status: WebhookEndpoint['status']): string | null {
  if (status === 'enabled') return null;
  return before.status === 'disabled' ? before.disabled_reason : 'disabled by request';
}

/**
 * Closes the circuit of an endpoint that is enabled or gets another URL, so that attempts start at once. The circuit of
 * a disabled endpoint is reset too.
 */
function stateAfter(
  before: EndpointView,
  { status, url }: Pick<WebhookEndpointUpdateParams, 'status' | 'url'>,
): Partial<Circuit> {
  if (status === 'enabled' || (url !== undefined && url !== before.url)) return CLOSED_CIRCUIT;
  return status === 'disabled' ? { pauses: 0, paused_until: null } : {};
}

async function missedAfter(
  { db, transaction, tenantId, now }: WriteContext<Caller>,
  before: EndpointView,
  status: WebhookEndpoint['status'],
): Promise<Partial<Missed>> {
  if (status === before.status) return {};
  const missing = status === 'disabled' ? missingFrom : missingUntil;
  return missing(db, transaction, { ...before, tenantId }, now);
}

function urlCollision(error: unknown): unknown {
  return violates(error, ENDPOINT_URL)
    ? new ApiError('WEBHOOK_URL_IN_USE', 'There is a webhook endpoint with this URL already', { cause: error })
    : error;
}

/** Returns the hash of the URL in the spelling of the URL standard, so that two spellings of one address are equal. */
function urlHash(url: string): Buffer {
  return createHash('sha256').update(new URL(url).href).digest();
}
