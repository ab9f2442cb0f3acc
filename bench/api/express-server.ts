// A typical first implementation: plain Express 5, mysql2's promises, the same statements.
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import { createPool, type RowDataPacket } from 'mysql2/promise';
import { serveParent } from '../lib/child.ts';
import { type ClientRow, type KeyRow, keyHash, newClient, presentList } from './clients.ts';
import { CONNECTIONS, SESSION, SQL } from './sql.ts';

const pool = createPool({ uri: process.argv[2] ?? '', connectionLimit: CONNECTIONS });
pool.on('connection', (connection) => connection.query(SESSION));

const app = express();

app.use('/v1', async (req: Request, res: Response, next: NextFunction) => {
  const [keys] = await pool.execute<(KeyRow & RowDataPacket)[]>(SQL.credential, [keyHash(req.headers.authorization)]);
  const [key] = keys;
  if (key) {
    res.locals['key'] = key;
    next();
  } else res.status(401).json({ code: 'INVALID_TOKEN', message: 'unknown key' });
});

app.get('/v1/clients', async (_req, res) => {
  const key: KeyRow = res.locals['key'];
  const [rows] = await pool.execute<(ClientRow & RowDataPacket)[]>(SQL.firstPage, [key.tenant_id]);
  res.json(presentList(rows));
});

app.post('/v1/clients', express.json(), async (req, res) => {
  // At the end of its time the load generator closes connections, in-flight requests included: no body then.
  if (req.body === undefined) {
    res.status(400).end();
    return;
  }
  const key: KeyRow = res.locals['key'];
  const { client, statements } = newClient(key, req.body);
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    for (const [sql, values] of statements) await connection.execute(sql, values);
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  } finally {
    connection.release();
  }
  res.status(201).json(client);
});

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent(port, () => port);
});
