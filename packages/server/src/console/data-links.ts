import { type IdKind, isId, TRACE_SUBJECTS, type TraceSubject } from '@plat/contract';
import { mayEnter, type Room } from './access.ts';
import type { PageOperation } from './api-operation.ts';
import type { PageCall } from './page-route.ts';

/** The page of an object. */
export interface ObjectPage {
  /** Path of the page without the id of the object. */
  readonly path: string;
  readonly room: Room;
  readonly get: PageOperation;
  /** Field with the name of the object. */
  readonly named: string;
  /** Noun for the object. */
  readonly words: string;
}

type Kind = TraceSubject['type'];

/** Kinds of objects with an own page. */
export const OBJECT_PAGES: Readonly<Partial<Record<Kind, ObjectPage>>> = {
  client: { path: '/clients', room: 'clients', get: 'clients.get', named: 'name', words: 'client' },
  group: { path: '/groups', room: 'groups', get: 'groups.get', named: 'name', words: 'group' },
  user: { path: '/users', room: 'users', get: 'users.get', named: 'email', words: 'user' },
  role: { path: '/roles', room: 'roles', get: 'roles.get', named: 'title', words: 'role' },
  invoice: {
    ...{ path: '/billing/invoices', room: 'billing', get: 'billing.invoices.get', named: 'number', words: 'invoice' },
  },
  event: { path: '/events', room: 'events', get: 'webhooks.events.get', named: 'type', words: 'event' },
  webhook_endpoint: {
    ...{ path: '/webhooks', room: 'webhooks', get: 'webhooks.endpoints.get', named: 'url', words: 'endpoint' },
  },
  webhook_replay: {
    ...{ path: '/webhooks/replays', room: 'webhooks', get: 'webhooks.replays.get', named: 'id', words: 'replay' },
  },
};

/** Returns a function that returns the address of an object's page, or of its trace; null for other texts. */
export function hrefOfId({
  base,
  prefix,
  session,
}: Pick<PageCall, 'base' | 'prefix' | 'session'>): (text: string) => string | null {
  return (text) => {
    const kind = TRACE_SUBJECTS.find((one: IdKind) => isId(one, text));
    if (kind === undefined) return null;
    const page = OBJECT_PAGES[kind];
    if (page && mayEnter(session, page.room, 'read')) return `${base}${prefix}${page.path}/${text}`;
    return mayEnter(session, 'trace', 'read') ? `${base}${prefix}/trace?id=${text}` : null;
  };
}
