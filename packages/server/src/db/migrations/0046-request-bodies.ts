import type { Migration } from './columns.ts';

/** Bodies of requests, for sandboxes that opted in (decision 063). */
export const requestBodies: Migration = {
  name: '0046-request-bodies',
  async up({ types: t, addColumn, createIndex, createTable }) {
    await createTable('request_bodies', [
      `tenant_id ${t.id} NOT NULL`,
      `request_id ${t.id} NOT NULL`,
      `request_body ${t.longText} NULL`,
      `request_bytes ${t.integer} NOT NULL`,
      `response_body ${t.longText} NULL`,
      `response_bytes ${t.integer} NOT NULL`,
      `expires_at ${t.instant} NOT NULL`,
      'PRIMARY KEY (tenant_id, request_id)',
    ]);
    await createIndex('request_bodies_expiry', 'request_bodies', ['expires_at']);
    await addColumn('tenants', `captures_bodies ${t.integer} NOT NULL DEFAULT 0`);
  },
};
