import { ALL_SCOPES, type Scope } from '@plat/contract';
import { findTenantKey } from '../accounts/api-keys.ts';
import type { SessionKind } from '../accounts/session-cookie.ts';
import { findTenant } from '../accounts/tenants.ts';
import type { Credential } from '../auth/credential.ts';
import { seededId } from '../kernel/ids.ts';
import { isRoom, mayEnter, type Room } from './access.ts';
import type { PageCall } from './page-route.ts';

/**
 * Rooms whose access decides about the scopes of a resource, where their names differ. Explorer's decides about a resource without
 * a room, and about the catalog: the room of the modules is for launches.
 */
const ROOM_OF: Readonly<Record<string, Room>> = { locations: 'clients', tenant: 'settings', modules: 'explorer' };

/**
 * Returns the signed-in account as a caller of the API. A developer has the scopes of the sandbox's key, or all while
 * there is none. A user has those of the rooms that the role may open.
 */
export async function callerOf({ session, db, now }: PageCall<SessionKind>): Promise<Credential> {
  const { tenantId, sandbox } = session;
  const [tenant, key] = await Promise.all([
    findTenant(db, tenantId, null),
    session.kind === 'developer' ? findTenantKey(db, tenantId, now) : null,
  ]);
  const tenantStatus = tenant?.status === 'active' ? 'active' : 'suspended';
  const capturesBodies = tenant?.captures_bodies === 1;
  const common = { type: 'session', tenantId, tenantStatus, sandbox, capturesBodies } as const;
  if (session.kind === 'developer') {
    const { developerId: id } = session;
    const userId = seededId(tenantId, 'user', 0);
    return { ...common, id, actor: { type: 'developer', id }, userId, scopes: key?.scopes ?? ALL_SCOPES };
  }
  const { userId: id } = session;
  return { ...common, id, actor: { type: 'user', id }, userId: id, scopes: scopesOf(session) };
}

function scopesOf(session: PageCall<'admin'>['session']): readonly Scope[] {
  return ALL_SCOPES.filter((scope) => {
    const [resource = '', right] = scope.split(':');
    const room = ROOM_OF[resource] ?? (isRoom(resource) ? resource : 'explorer');
    return mayEnter(session, room, right === 'write' ? 'change' : 'read');
  });
}
