// The limit: only node:http and mysql2 with callbacks and prepared statements, and the correct transaction.
import { createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeRefreshToken, readRefreshToken } from '@plat/server/testing';
import { createPool, type PoolConnection, type ResultSetHeader } from 'mysql2';
import { serveParent } from '../lib/child.ts';
import { CONNECTIONS, SESSION, SQL } from './sql.ts';

interface AppRow {
  readonly id: string;
  readonly secret_hash: Buffer;
}

/** The columns of grant and tenant are null where the app has no such token. */
interface AppWithToken extends AppRow {
  readonly scopes: string;
  readonly expires_at: number;
  readonly tenant_id: string;
  readonly granted_by: string;
  readonly grant_status: string | null;
  readonly tenant_status: string | null;
}

interface RefreshRow {
  readonly id: string;
  readonly app_id: string;
  readonly scopes: string;
  readonly status: string;
  readonly generation: number;
  readonly expires_at: number;
  readonly refresh_hash: Buffer;
  readonly previous_access_hash: Buffer | null;
  readonly tenant_status: string;
}

const KEY = createSecretKey(randomBytes(32));
const pool = createPool({ uri: process.argv[2] ?? '', connectionLimit: CONNECTIONS });
pool.on('connection', (connection) => connection.query(SESSION));

const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const [id, secret] = [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
    if (req.url === '/oauth/introspect') introspect(res, id, secret, form.get('token') ?? '');
    else refresh(res, id, secret, form.get('refresh_token') ?? '');
  });
});

function introspect(res: ServerResponse, id: string, secret: string, token: string): void {
  find<AppWithToken>(res, SQL.appWithToken, [sha256(token), id], (app) => {
    if (!isSecretOf(app, secret)) return answer(res, 401, { error: 'invalid_client' });
    const { grant_status, tenant_status, expires_at } = app;
    const isLive = grant_status === 'active' && tenant_status === 'active' && expires_at > Date.now();
    if (!isLive) return answer(res, 200, { active: false });
    const { scopes, granted_by: sub, tenant_id } = app;
    const scope = JSON.parse(scopes).join(' ');
    answer(res, 200, { active: true, client_id: id, scope, exp: Math.floor(expires_at / 1000), sub, tenant_id });
  });
}

function refresh(res: ServerResponse, appId: string, secret: string, token: string): void {
  find<AppRow>(res, SQL.app, [appId], (app) => {
    if (!isSecretOf(app, secret)) return answer(res, 401, { error: 'invalid_client' });
    const { grantId = '', generation = 0 } = readRefreshToken(token) ?? {};
    find<RefreshRow>(res, SQL.grant, [grantId], (found) =>
      rotate(
        res,
        appId,
        found?.generation === generation && found.refresh_hash.equals(sha256(token)) ? found : undefined,
      ),
    );
  });
}

function rotate(res: ServerResponse, appId: string, found: RefreshRow | undefined): void {
  const now = Date.now();
  const isUsable =
    found?.app_id === appId && found.status === 'active' && found.tenant_status === 'active' && found.expires_at > now;
  if (!isUsable) {
    answer(res, 400, { error: 'invalid_grant' });
    return;
  }
  const { id, generation, scopes, previous_access_hash: oldest } = found;
  const access_token = newToken('plat_at_');
  const refresh_token = makeRefreshToken({ grantId: id, generation: generation + 1 }, randomBytes(32), KEY);
  const [access, expiresAt] = [sha256(access_token), now + 3_600_000];
  const statements: Statements = [
    [SQL.rotate, [sha256(refresh_token), access, now, now, id, generation]],
    oldest === null
      ? [SQL.insertAccess, [access, id, scopes, expiresAt]]
      : [SQL.moveAccess, [access, scopes, expiresAt, oldest, id]],
  ];
  pool.getConnection((error, connection) => {
    if (error) return answer(res, 500, { error: error.message });
    inTransaction(connection, statements, (failure) => {
      connection.release();
      if (failure) return answer(res, 400, { error: 'invalid_grant' });
      const scope = JSON.parse(scopes).join(' ');
      answer(res, 200, { access_token, refresh_token, token_type: 'Bearer', expires_in: 3600, scope });
    });
  });
}

function find<Row>(
  res: ServerResponse,
  sql: string,
  values: (string | Buffer)[],
  done: (row: Row | undefined) => void,
): void {
  pool.execute(sql, values, (error, rows) => {
    if (error) answer(res, 500, { error: error.message });
    else done((rows as unknown as Row[])[0]);
  });
}

type Statements = readonly (readonly [sql: string, values: (string | number | Buffer)[]])[];

/** Each statement changes one row, or the transaction is rolled back. */
function inTransaction(connection: PoolConnection, statements: Statements, done: (error: Error | null) => void): void {
  const next = (at: number): void => {
    const statement = statements[at];
    if (!statement) connection.commit(done);
    else
      connection.execute<ResultSetHeader>(statement[0], statement[1], (error, header) => {
        if (error || header.affectedRows !== 1) connection.rollback(() => done(error ?? new Error('nothing changed')));
        else next(at + 1);
      });
  };
  connection.beginTransaction((error) => (error ? done(error) : next(0)));
}

function isSecretOf<App extends AppRow>(app: App | undefined, secret: string): app is App {
  return app !== undefined && timingSafeEqual(app.secret_hash, sha256(secret));
}

function newToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function answer(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveParent(port, () => port);
});
