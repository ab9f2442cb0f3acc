import type { Migration } from './columns.ts';

/**
 * Details of an attempt: the class of its failure, its timings, the address that responded and the response headers.
 */
export const deliveryForensics: Migration = {
  name: '0013-delivery-forensics',
  async up({ types: t, addColumn, run }) {
    await addColumn('webhook_deliveries', `error_class ${t.ascii(32)} NULL`);
    await addColumn('webhook_deliveries', `dns_ms ${t.integer} NULL`);
    await addColumn('webhook_deliveries', `connect_ms ${t.integer} NULL`);
    await addColumn('webhook_deliveries', `tls_ms ${t.integer} NULL`);
    await addColumn('webhook_deliveries', `first_byte_ms ${t.integer} NULL`);
    await addColumn('webhook_deliveries', `remote_address ${t.ascii(64)} NULL`);
    await addColumn('webhook_deliveries', `response_headers ${t.longText} NULL`);
    // Until now the class was the word before the colon, and missing where a response had arrived.
    await run(
      `UPDATE webhook_deliveries SET error_class = CASE
         WHEN error IS NULL THEN 'http_status' ELSE SUBSTR(error, 1, INSTR(error, ':') - 1) END
       WHERE status IN ('retrying', 'failed') AND error_class IS NULL`,
    );
  },
};
