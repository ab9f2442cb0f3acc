import { ALL_SCOPES, OPERATIONS, type OperationName, type Scope, TRACE_PARTS, type TracePart } from '@plat/contract';
import type { AdminSession, DeveloperSession } from '../accounts/session.ts';
import { isRoom, mayEnter, type Room } from './access.ts';

/** Rooms that show the same objects as a part of a trace. */
export const ROOM_OF_PART: Readonly<Record<TracePart, Room>> = {
  requests: 'requests',
  changes: 'audit',
  grants: 'audit',
  events: 'events',
  attempts: 'webhooks',
  replays: 'webhooks',
};

type Session = AdminSession | DeveloperSession;

/**
 * Rooms whose access decides about a resource, where their names differ. Explorer's decides about a resource without a room, and
 * about the catalog: the room of the modules is for launches.
 */
const ROOM_OF: Readonly<Record<string, Room>> = { locations: 'clients', tenant: 'settings', modules: 'explorer' };

/** Returns the scopes of the rooms that the account may open: `read` gives the scope for reading, `change` both. */
export function scopesOfRooms(session: Session): readonly Scope[] {
  return ALL_SCOPES.filter((scope) => {
    const [resource = ''] = scope.split(':');
    return mayUse(session, resource, scope);
  });
}

/**
 * Returns the scopes of a call: also that of its operation, if the account may enter the room of the operation. The
 * request log and the audit trail have one scope and two rooms.
 */
export function scopesOfCall(session: Session, operation: OperationName): readonly Scope[] {
  const { scope } = OPERATIONS[operation];
  const [family = ''] = operation.split('.');
  const scopes = scopesOfRooms(session);
  return scope === null || scopes.includes(scope) || !mayUse(session, family, scope) ? scopes : [...scopes, scope];
}

/**
 * Returns the parts of a trace that the account's rooms show. The request log and the audit trail have one scope, so scopes
 * do not tell them apart.
 */
export function traceParts(session: Session): readonly TracePart[] {
  const parts = Object.keys(TRACE_PARTS) as TracePart[];
  return parts.filter((part) => mayEnter(session, ROOM_OF_PART[part], 'read'));
}

function mayUse(session: Session, resource: string, scope: Scope): boolean {
  const room = ROOM_OF[resource] ?? (isRoom(resource) ? resource : 'explorer');
  return mayEnter(session, room, scope.endsWith(':write') ? 'change' : 'read');
}
