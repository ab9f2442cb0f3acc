import type { OAuthApp } from '@plat/contract';
import { parseScopes } from '../auth/scopes.ts';
import { columnsExcept } from '../db/statements.ts';
import { OAUTH_APPS, type OAuthAppRow } from '../db/tables/oauth-apps.ts';
import { isoTime, isoTimeOrNull } from '../kernel/clock.ts';

/** Columns of an app that are presented. Hashes are excluded. */
export const APP_VIEW = columnsExcept(OAUTH_APPS, ['secret_hash', 'previous_secret_hash', 'locks']);
export type AppView = Pick<OAuthAppRow, (typeof APP_VIEW)[number]>;

/** Converts a row to the app that its developer sees. */
export function presentApp(row: AppView): OAuthApp {
  return {
    object: 'app',
    id: row.id,
    name: row.name,
    website: row.website,
    redirect_uris: parseUris(row.redirect_uris),
    scopes: parseScopes(row.scopes),
    verification: row.verification,
    verification_note: row.verification_note,
    disabled_by: row.disabled_by,
    previous_secret_expires_at: isoTimeOrNull(row.previous_secret_expires_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

export function parseUris(text: string): readonly string[] {
  // Only the apps service writes this column.
  return JSON.parse(text) as string[];
}
