import { createSecretKey } from 'node:crypto';
import { hashToken, makeRefreshToken, newRefreshSecret, newToken } from '@plat/server/testing';
import { createConnection } from 'mysql2/promise';
import { newId } from '../lib/ids.ts';

/** An app with its secret, and grants with the tokens of each. */
export interface Supply {
  readonly client_id: string;
  readonly client_secret: string;
  readonly tokens: readonly { readonly access: string; readonly refresh: string }[];
}

const SCOPES = '["me:read"]';
const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

/** Registers an app. Resolves to a function that writes grants with tokens for it. */
export async function platSupply(databaseUrl: string, tenantId: string): Promise<(count: number) => Promise<Supply>> {
  const app = { client_id: newId('app'), client_secret: newToken('plat_cs_') };
  const now = Date.now();
  await insert(databaseUrl, 'oauth_apps', [
    {
      id: app.client_id,
      developer_id: newId('dev'),
      name: 'Bench',
      redirect_uris: '["https://app.example/callback"]',
      scopes: SCOPES,
      verification: 'unverified',
      secret_hash: hashToken(app.client_secret),
      created_at: now,
      updated_at: now,
    },
  ]);
  return async (count) => {
    // The current token is found by its hash, so any key works for its MAC.
    const key = createSecretKey(newRefreshSecret());
    const tokens = Array.from({ length: count }, () => {
      const grantId = newId('gra');
      const refresh = makeRefreshToken({ grantId, generation: 1 }, newRefreshSecret(), key);
      return { grantId, access: newToken('plat_at_'), refresh };
    });
    const at = Date.now();
    await insert(
      databaseUrl,
      'oauth_grants',
      tokens.map(({ grantId, access, refresh }) => ({
        id: grantId,
        tenant_id: tenantId,
        app_id: app.client_id,
        granted_by: newId('usr'),
        scopes: SCOPES,
        status: 'active',
        generation: 1,
        refresh_hash: hashToken(refresh),
        access_hash: hashToken(access),
        refreshed_at: at,
        expires_at: at + YEAR,
        created_at: at,
        updated_at: at,
      })),
    );
    await insert(
      databaseUrl,
      'oauth_access_tokens',
      tokens.map(({ grantId, access }) => ({
        token_hash: hashToken(access),
        grant_id: grantId,
        scopes: SCOPES,
        expires_at: at + HOUR,
      })),
    );
    return { ...app, tokens };
  };
}

type Row = Readonly<Record<string, string | number | Buffer>>;

async function insert(databaseUrl: string, table: string, rows: readonly Row[]): Promise<void> {
  const connection = await createConnection({ uri: databaseUrl });
  try {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => columns.map((column) => row[column]));
    await connection.query(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ?`, [values]);
  } finally {
    await connection.end();
  }
}
