import type { Scope } from '../scopes.ts';

/** Parts of a trace with the scope that each needs: that of the operation which returns the same objects. */
export const TRACE_PARTS = {
  requests: 'audit:read',
  changes: 'audit:read',
  grants: 'audit:read',
  events: 'webhooks:read',
  attempts: 'webhooks:read',
  replays: 'webhooks:read',
} as const satisfies Readonly<Record<string, Scope>>;

/** Kinds of objects that a trace can start from. */
export const TRACE_SUBJECTS = [
  'request',
  'event',
  'webhook_delivery',
  'webhook_endpoint',
  'webhook_replay',
  'audit_event',
  'client',
  'group',
  'location',
  'user',
  'role',
  'tenant',
  'invoice',
  'payment',
  'api_key',
  'app',
  'grant',
  'session',
  'developer_token',
] as const;

/** Steps of an OAuth grant. `reused`: a code or refresh token was presented a second time, which ended the grant. */
export const TRACE_GRANT_STEPS = ['issued', 'exchanged', 'refreshed', 'reused', 'revoked', 'expired'] as const;
