import { type IdKind, isId, TRACE_SUBJECTS } from '@plat/contract';
import { mayEnter, type Room } from './access.ts';
import type { PageCall } from './page-route.ts';

/** Kinds of objects with an own page, and the room of that page. */
const PAGES: readonly (readonly [kind: IdKind, path: string, room: Room])[] = [
  ['client', '/clients', 'clients'],
  ['group', '/groups', 'groups'],
  ['user', '/users', 'users'],
  ['role', '/roles', 'roles'],
  ['invoice', '/billing/invoices', 'billing'],
  ['webhook_endpoint', '/webhooks', 'webhooks'],
  ['webhook_replay', '/webhooks/replays', 'webhooks'],
];

/** Returns a function that returns the address of an object's page, or of its trace; null for other texts. */
export function hrefOfId({
  base,
  prefix,
  session,
}: Pick<PageCall, 'base' | 'prefix' | 'session'>): (text: string) => string | null {
  return (text) => {
    const found = PAGES.find(([kind, , room]) => isId(kind, text) && mayEnter(session, room, 'read'));
    if (found) return `${base}${prefix}${found[1]}/${text}`;
    const isTraced = mayEnter(session, 'trace', 'read') && TRACE_SUBJECTS.some((kind: IdKind) => isId(kind, text));
    return isTraced ? `${base}${prefix}/trace?id=${text}` : null;
  };
}
