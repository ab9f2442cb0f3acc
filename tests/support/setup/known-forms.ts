/** Statements whose form a sharded engine refuses, and that stay for the reason in docs/scaling.md. */
export const KNOWN_FORMS: readonly { readonly form: string; readonly sql: RegExp }[] = [
  { form: 'subquery in UPDATE or DELETE', sql: /^UPDATE webhook_deliveries SET .* FROM shard_leases\b/s },
  {
    form: 'subquery in UPDATE or DELETE',
    sql: /^DELETE FROM events\b.*NOT EXISTS \(\s*SELECT 1 FROM webhook_deliveries/s,
  },
  { form: 'subquery in UPDATE or DELETE', sql: /^UPDATE oauth_grants SET .* EXISTS \(\s*SELECT 1 FROM users/s },
  // A story that holds a start in its first statement.
  { form: 'LOCK TABLES', sql: /^LOCK TABLES plat\.schema_migrations WRITE$/ },
  // Two released migrations, which fill a column once.
  { form: 'subquery in UPDATE or DELETE', sql: /^UPDATE clients SET domain_space = tenant_id\b/ },
  { form: 'subquery in UPDATE or DELETE', sql: /^UPDATE oauth_grants SET code_hash = \(SELECT / },
];
