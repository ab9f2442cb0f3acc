import type { Request } from 'express';
import { findAccessToken } from '../auth/access-tokens.ts';
import { findApiKey } from '../auth/api-keys.ts';
import type { Database } from '../db/database.ts';
import { callerInside } from '../http/call-inside.ts';

/** Returns the tenant of a request by its API key, access token or signed-in account; null if it has none of them. */
export async function tenantOf(db: Database, now: number, req: Request): Promise<string | null> {
  const inside = callerInside(req);
  if (inside) return inside.tenantId;
  const token = /^Bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1] ?? '';
  if (token.startsWith('plat_at_')) return (await findAccessToken(db, token, now))?.tenantId ?? null;
  const found = await findApiKey(db, token, now);
  return found === null || found.type === 'vendor_key' ? null : found.tenantId;
}
