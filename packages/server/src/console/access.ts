import type { AdminSession, DeveloperSession } from '../accounts/session.ts';
import { ApiError } from '../kernel/api-error.ts';

/** Standing of a signed-in account in its tenant. `other` stands for every role that a tenant defined itself. */
export type Standing = 'developer' | 'owner' | 'member' | 'viewer' | 'other';

/** A part of the console. */
export type Room =
  | 'home'
  | 'trace'
  | 'explorer'
  | 'requests'
  | 'events'
  | 'webhooks'
  | 'audit'
  | 'clients'
  | 'groups'
  | 'users'
  | 'roles'
  | 'settings'
  | 'billing'
  | 'catalog'
  | 'modules'
  | 'key'
  | 'apps'
  | 'consents'
  | 'cli'
  | 'sandbox'
  | 'reset'
  | 'account';

/** Rights of a standing in a room. `change` includes `read`. */
export type Level = 'none' | 'read' | 'change';

/**
 * Who may do what: the only rules of the console. The navigation shows rooms of level `read` and up, and every page
 * requires its level.
 */
export const ACCESS: Readonly<Record<Room, Readonly<Record<Standing, Level>>>> = {
  home: { developer: 'change', owner: 'change', member: 'change', viewer: 'read', other: 'read' },
  trace: { developer: 'read', owner: 'read', member: 'read', viewer: 'none', other: 'none' },
  explorer: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  requests: { developer: 'read', owner: 'read', member: 'read', viewer: 'none', other: 'none' },
  events: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  webhooks: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  audit: { developer: 'read', owner: 'read', member: 'none', viewer: 'none', other: 'none' },
  clients: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  groups: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  users: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  roles: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  settings: { developer: 'change', owner: 'change', member: 'read', viewer: 'none', other: 'none' },
  billing: { developer: 'read', owner: 'read', member: 'none', viewer: 'none', other: 'none' },
  catalog: { developer: 'read', owner: 'read', member: 'read', viewer: 'none', other: 'none' },
  modules: { developer: 'none', owner: 'change', member: 'change', viewer: 'change', other: 'change' },
  key: { developer: 'change', owner: 'change', member: 'none', viewer: 'none', other: 'none' },
  apps: { developer: 'change', owner: 'none', member: 'none', viewer: 'none', other: 'none' },
  consents: { developer: 'change', owner: 'change', member: 'none', viewer: 'none', other: 'none' },
  cli: { developer: 'change', owner: 'none', member: 'none', viewer: 'none', other: 'none' },
  sandbox: { developer: 'change', owner: 'none', member: 'none', viewer: 'none', other: 'none' },
  reset: { developer: 'change', owner: 'none', member: 'none', viewer: 'none', other: 'none' },
  account: { developer: 'none', owner: 'change', member: 'change', viewer: 'change', other: 'change' },
};

function standingOf(session: AdminSession | DeveloperSession): Standing {
  if (session.kind === 'developer') return 'developer';
  const { role } = session;
  return role === 'owner' || role === 'member' || role === 'viewer' ? role : 'other';
}

/** Returns true if a room has the name. */
export function isRoom(name: string): name is Room {
  return Object.hasOwn(ACCESS, name);
}

/** Returns true if the account may read, or change, in the room. */
export function mayEnter(session: AdminSession | DeveloperSession, room: Room, level: 'read' | 'change'): boolean {
  const allowed = ACCESS[room][standingOf(session)];
  return allowed === 'change' || allowed === level;
}

/** @throws {@link ApiError} FORBIDDEN */
export function requireAccess(session: AdminSession | DeveloperSession, room: Room, level: 'read' | 'change'): void {
  if (mayEnter(session, room, level)) return;
  throw new ApiError(
    'FORBIDDEN',
    level === 'read'
      ? 'Your role in this tenant cannot open this page; ask an owner of the tenant'
      : 'Your role in this tenant cannot make this change; ask an owner of the tenant',
  );
}
