import type { AuditEvent } from '@plat/contract';
import { findTenantKey } from '../accounts/api-keys.ts';
import { accountIdOf } from '../accounts/session.ts';
import { readEmails } from '../accounts/users.ts';
import { type HtmlValue, html, isolated } from '../http/html.ts';
import { readAppNames } from '../oauth/apps.service.ts';
import type { PageCall } from './page-route.ts';

/** Id of an actor → the name by which people know it. */
export type ActorNames = ReadonlyMap<string, string>;

/**
 * Reads the names of actors: the addresses of users, the names of apps and the visible part of the present keys. Actors
 * that are gone have none.
 */
export async function readActorNames(
  { db, session, now }: Pick<PageCall, 'db' | 'session' | 'now'>,
  actors: readonly AuditEvent['actor'][],
): Promise<ActorNames> {
  const { tenantId } = session;
  const idsOf = (type: AuditEvent['actor']['type']) => [
    ...new Set(actors.flatMap((actor) => (actor.type === type && actor.id !== null ? [actor.id] : []))),
  ];
  const [emails, apps, key] = await Promise.all([
    readEmails(db, tenantId, idsOf('user')),
    readAppNames(db, idsOf('oauth_app')),
    idsOf('api_key').length > 0 ? findTenantKey(db, tenantId, now) : null,
  ]);
  const keys = [key, key?.previous_key].flatMap((one) => (one ? [[one.id, one.hint] as const] : []));
  return new Map([...emails, ...apps, ...keys, [accountIdOf(session), session.email]]);
}

/** Shows the name of an actor with a space behind it; nothing for an actor without a name. */
export function shownName(names: ActorNames, id: string | null): HtmlValue {
  const name = names.get(id ?? '');
  return name !== undefined && html`${isolated(name)} `;
}
