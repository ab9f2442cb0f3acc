import type { Transaction } from 'sequelize';
import type { WriteContext } from '../context.ts';
import type { AppView } from '../oauth/apps.present.ts';
import { findOwnApp } from '../oauth/apps.service.ts';
import type { DeveloperContext, DeveloperWriteContext } from './caller.ts';

/**
 * Returns a context in which an app of the developer owns the webhook objects. Changes stay in the audit trail of the
 * sandbox, and each app has the quota of a sandbox.
 * @throws {@link ApiError} APP_NOT_FOUND
 */
export async function asApp(ctx: DeveloperContext, appId: string): Promise<DeveloperContext> {
  return { ...ctx, tenantId: (await ownApp(ctx, appId)).id };
}

/** The same for a change. */
export async function changeAsApp(ctx: DeveloperWriteContext, appId: string): Promise<DeveloperWriteContext> {
  return inNameOf(ctx, (await ownApp(ctx, appId)).id);
}

/** Returns the context of a change in which an app owns the webhook objects. The caller has checked whose app it is. */
export function inNameOf<C extends Pick<WriteContext, 'tenantId' | 'reserve'>>(ctx: C, appId: string): C {
  return { ...ctx, tenantId: appId, reserve: (quota) => ctx.reserve(quota, appId) };
}

/** @throws {@link ApiError} APP_NOT_FOUND */
export function ownApp(
  { db, credential, transaction }: DeveloperContext & { readonly transaction: Transaction | null },
  appId: string,
): Promise<AppView> {
  return findOwnApp(db, credential.actor.id, appId, transaction);
}
