/** Kinds of actors that make a change. */
export const AUDIT_ACTOR_TYPES = ['api_key', 'oauth_app', 'user', 'developer', 'operator', 'system'] as const;
