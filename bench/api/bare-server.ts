// The limit: only node:http and mysql2 with callbacks and prepared statements.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPool, type PoolConnection } from 'mysql2';
import { serveParent } from '../lib/child.ts';
import { type ClientRow, type KeyRow, keyHash, newClient, presentList } from './clients.ts';
import { CONNECTIONS, SESSION, SQL } from './sql.ts';

const pool = createPool({ uri: process.argv[2] ?? '', connectionLimit: CONNECTIONS });
pool.on('connection', (connection) => connection.query(SESSION));

const server = createServer((req, res) => {
  pool.execute(SQL.credential, [keyHash(req.headers.authorization)], (error, rows) => {
    const [key] = error ? [] : (rows as unknown as KeyRow[]);
    if (error) answer(res, 500, { code: 'INTERNAL_ERROR', message: error.message });
    else if (!key) answer(res, 401, { code: 'INVALID_TOKEN', message: 'unknown key' });
    else if (req.method === 'POST') create(req, res, key);
    else list(res, key);
  });
});

function list(res: ServerResponse, key: KeyRow): void {
  pool.execute(SQL.firstPage, [key.tenant_id], (error, rows) => {
    if (error) answer(res, 500, { code: 'INTERNAL_ERROR', message: error.message });
    else answer(res, 200, presentList(rows as unknown as ClientRow[]));
  });
}

function create(req: IncomingMessage, res: ServerResponse, key: KeyRow): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const { client, statements } = newClient(key, JSON.parse(Buffer.concat(chunks).toString()));
    pool.getConnection((error, connection) => {
      if (error) return answer(res, 500, { code: 'INTERNAL_ERROR', message: error.message });
      inTransaction(connection, statements, (failure) => {
        connection.release();
        if (failure) answer(res, 500, { code: 'INTERNAL_ERROR', message: failure.message });
        else answer(res, 201, client);
      });
    });
  });
}

type Done = (error: Error | null) => void;

function inTransaction(
  connection: PoolConnection,
  statements: ReturnType<typeof newClient>['statements'],
  done: Done,
): void {
  const next = (at: number): void => {
    const statement = statements[at];
    if (!statement) connection.commit(done);
    else
      connection.execute(statement[0], statement[1], (error) => {
        if (error) connection.rollback(() => done(error));
        else next(at + 1);
      });
  };
  connection.beginTransaction((error) => (error ? done(error) : next(0)));
}

function answer(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent(port, () => port);
});
