import type { Migration } from './columns.ts';

/**
 * The request log. `tenant_id` is `-` for requests without a valid credential, which only the development mode keeps.
 */
export const requests: Migration = {
  name: '0018-requests',
  async up({ types: t, createTable }) {
    await createTable('requests', [
      `tenant_id ${t.ascii(30)} NOT NULL`,
      `id ${t.id} NOT NULL`,
      `method ${t.ascii(16)} NOT NULL`,
      `path ${t.longText} NOT NULL`,
      `query ${t.longText} NULL`,
      `operation ${t.ascii(64)} NULL`,
      `outcome ${t.ascii(16)} NOT NULL`,
      `status ${t.integer} NULL`,
      `code ${t.ascii(64)} NULL`,
      `refusal ${t.longText} NULL`,
      `credential_type ${t.ascii(16)} NULL`,
      `credential_id ${t.ascii(64)} NULL`,
      `app_id ${t.ascii(30)} NULL`,
      `idempotency_key ${t.longText} NULL`,
      `idempotent_replayed ${t.integer} NOT NULL`,
      `ip ${t.ascii(45)} NULL`,
      `user_agent ${t.longText} NULL`,
      `duration_us ${t.instant} NOT NULL`,
      `created_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, id)',
    ]);
  },
};
