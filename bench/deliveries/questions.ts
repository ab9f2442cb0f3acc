import type { Connection, RowDataPacket } from 'mysql2/promise';

/** Returns how many statements the database got from all other connections. */
export async function questionsOfOthers(connection: Connection): Promise<number> {
  const all = await statusOf(connection, 'GLOBAL');
  return all - (await statusOf(connection, 'SESSION'));
}

async function statusOf(connection: Connection, scope: 'GLOBAL' | 'SESSION'): Promise<number> {
  const [[row]] = await connection.query<RowDataPacket[]>(`SHOW ${scope} STATUS LIKE 'Questions'`);
  return Number(row?.['Value']);
}
