import { deepStrictEqual } from 'node:assert';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Server } from './servers.ts';

/**
 * Asserts that the servers do the same work: the same list, and for a create one row in each of three tables.
 * @throws Error with the name of the server that differs
 */
export async function checkSameAnswers(servers: readonly Server[], apiKey: string, databaseUrl: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const connection = await createConnection({ uri: databaseUrl });
  const count = async (): Promise<unknown> => {
    const [[row]] = await connection.query<RowDataPacket[]>(
      `SELECT (SELECT COUNT(*) FROM clients) + 0 AS clients, (SELECT COUNT(*) FROM events) AS events,
         (SELECT COUNT(*) FROM audit_events) AS audits`,
    );
    return { ...row };
  };
  try {
    const [first, ...others] = await Promise.all(
      servers.map(async ({ name, baseUrl }) => ({
        name,
        list: await (await fetch(`${baseUrl}/v1/clients`, { headers })).json(),
      })),
    );
    for (const { name, list } of others) deepStrictEqual(list, first?.list, `${name} answers another list`);
    for (const { name, baseUrl } of servers) {
      const before = await count();
      const slug = `check-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${Date.now()}`;
      const body = JSON.stringify({ name: 'Check', slug });
      const response = await fetch(`${baseUrl}/v1/clients`, { method: 'POST', headers, body });
      const client: { slug?: string } = JSON.parse(await response.text());
      if (response.status !== 201 || client.slug !== slug)
        throw new Error(`${name} did not create: ${JSON.stringify(client)}`);
      deepStrictEqual(await count(), plusOne(before), `${name} wrote other rows`);
    }
  } finally {
    await connection.end();
  }
}

function plusOne(counts: unknown): unknown {
  return Object.fromEntries(Object.entries(counts as Record<string, number>).map(([table, rows]) => [table, rows + 1]));
}
