import { ID_PREFIXES, type IdKind, isId, type Scope, TRACE_SUBJECTS, type TraceSubject } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { lacksScope } from '../../http/gate.ts';
import { ApiError } from '../../kernel/api-error.ts';
import { emailHash } from '../../kernel/mail-address.ts';

/**
 * Returns the object that a text names: an id, the e-mail address of a user, or the slug of a client or group. The
 * object of an id need not exist.
 * @throws {@link ApiError} TRACE_NOT_FOUND, INSUFFICIENT_SCOPE
 */
export async function subjectOf(ctx: ReadContext, text: string, scopes: readonly Scope[]): Promise<TraceSubject> {
  const type = TRACE_SUBJECTS.find((kind: IdKind) => isId(kind, text));
  if (type !== undefined) return { type, id: text };
  if (Object.values(ID_PREFIXES).some((prefix) => text.startsWith(`${prefix}_`))) throw notFound();
  const found = await (text.includes('@')
    ? userOf(ctx, text, scopes)
    : SLUG.test(text)
      ? ownerOfSlug(ctx, text, scopes)
      : null);
  if (!found) throw notFound();
  return found;
}

/** Other texts never reach the database. */
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Returns one refusal for ids of other tenants and ids that do not exist. */
export function notFound(): ApiError {
  return new ApiError('TRACE_NOT_FOUND', 'Nothing is recorded about this id, address or slug in the tenant or app');
}

async function userOf(ctx: ReadContext, address: string, scopes: readonly Scope[]): Promise<TraceSubject | null> {
  if (!scopes.includes('users:read')) throw lacksScope('users:read');
  const where = { tenant_id: ctx.tenantId, email_hash: emailHash(address) };
  const row = await ctx.db.models.user.findOne({ attributes: ['id'], where, raw: true });
  return row && { type: 'user', id: row.id };
}

/** A client and a group may have the same slug; the client has priority. */
async function ownerOfSlug(ctx: ReadContext, slug: string, scopes: readonly Scope[]): Promise<TraceSubject | null> {
  const { client, group } = ctx.db.models;
  const options = { where: { tenant_id: ctx.tenantId, slug }, raw: true } as const;
  const mayReadClients = scopes.includes('clients:read');
  if (!mayReadClients && !scopes.includes('groups:read')) throw lacksScope('clients:read');
  const ofClient = mayReadClients ? await client.findOne(options) : null;
  if (ofClient) return { type: 'client', id: ofClient.id };
  const ofGroup = scopes.includes('groups:read') ? await group.findOne(options) : null;
  return ofGroup && { type: 'group', id: ofGroup.id };
}
