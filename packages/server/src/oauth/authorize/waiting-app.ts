import { isId, OAUTH_PATHS } from '@plat/contract';
import type { Database } from '../../db/database.ts';
import type { RequestingApp } from './authorization-request.ts';

/** The app whose authorization request continues after a sign-in. */
export type WaitingApp = Pick<RequestingApp, 'name' | 'verification'>;

/**
 * Returns the app that waits for a sign-in, or null if the sign-in returns to a page without an app.
 * @param returnTo path of this server, with its query
 */
export async function findWaitingApp({ models }: Database, returnTo: string): Promise<WaitingApp | null> {
  const [path, query] = returnTo.split('?', 2);
  const id = new URLSearchParams(query).get('client_id');
  if (path !== OAUTH_PATHS.authorize || !isId('app', id)) return null;
  return models.oauthApp.findByPk(id, { attributes: ['name', 'verification'], raw: true });
}
