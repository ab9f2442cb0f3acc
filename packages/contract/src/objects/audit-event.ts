/** The types of actors in the audit trail. */
export const AUDIT_ACTOR_TYPES = ['api_key', 'oauth_app', 'user', 'developer', 'operator', 'system'] as const;
