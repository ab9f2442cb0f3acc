import type { Caller } from '../auth/credential.ts';
import type { Context, WriteContext } from '../context.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { findOwnApp } from '../oauth/apps.service.ts';

/**
 * Returns a context in which an app of the developer owns the webhook objects. Changes stay in the audit trail of the
 * sandbox, and each app has the quota of a sandbox.
 * @throws {@link ApiError} APP_NOT_FOUND
 */
export async function asApp<C extends Context<Caller>>(ctx: C, appId: string): Promise<C> {
  return { ...ctx, tenantId: (await ownApp(ctx, appId)).id };
}

/** The same for a change, which locks the app. */
export async function changeAsApp<C extends WriteContext<Caller>>(ctx: C, appId: string): Promise<C> {
  return { ...(await asApp(ctx, appId)), reserve: (quota) => ctx.reserve(quota, appId) };
}

/** @throws {@link ApiError} APP_NOT_FOUND */
export function ownApp(
  { db, credential, transaction }: Pick<Context<Caller>, 'db' | 'credential' | 'transaction'>,
  appId: string,
): Promise<AppView> {
  return findOwnApp(db, credential.actor.id, appId, transaction);
}
