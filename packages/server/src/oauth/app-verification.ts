import type { OAuthApp } from '@plat/contract';
import type { Actor, Change } from '../change.ts';
import { changedFields } from '../db/changes.ts';
import type { Database } from '../db/database.ts';
import { ApiError } from '../kernel/api-error.ts';
import { laterThan } from '../kernel/clock.ts';
import { changeAppAsOperator } from './app-state.ts';
import { type AppView, presentApp } from './apps.present.ts';
import { findOwnApp } from './apps.service.ts';
import { isLoopback } from './redirect-uris.ts';

/**
 * Requests the review of an app. An app that is pending or verified does not change.
 * @throws {@link ApiError} APP_NOT_FOUND
 */
export async function requestVerification(change: Change, developerId: string, appId: string): Promise<OAuthApp> {
  const before = await findOwnApp(change.db, developerId, appId, change.transaction);
  if (before.verification === 'pending' || before.verification === 'verified') return presentApp(before);
  return store(change, before, { verification: 'pending', verification_note: null });
}

interface Review {
  readonly appId: string;
  readonly verification: 'verified' | 'rejected';
  /** Message to the developer about the outcome. */
  readonly note: string | null;
  readonly actor: Actor;
  readonly now: number;
}

/**
 * Stores the outcome of a review, in any state of the app. An app that is no longer verified immediately loses access
 * to tenants that are not sandboxes. Consents stay, so its access returns when it is verified again.
 * @throws {@link ApiError} APP_NOT_FOUND, UNPROCESSABLE
 */
export function reviewApp(db: Database, { verification, note, ...operator }: Review): Promise<OAuthApp> {
  return changeAppAsOperator(db, operator, (change, before) => {
    if (verification === 'verified') refuseLoopback(presentApp(before));
    return store(change, before, { verification, verification_note: note });
  });
}

function refuseLoopback({ redirect_uris }: OAuthApp): void {
  const uri = redirect_uris.find(isLoopback);
  if (uri === undefined) return;
  throw new ApiError(
    'UNPROCESSABLE',
    `A verified app may have https redirect URIs only; its developer must remove ${uri}`,
  );
}

async function store(
  change: Change,
  before: AppView,
  outcome: Pick<AppView, 'verification' | 'verification_note'>,
): Promise<OAuthApp> {
  const after: AppView = { ...before, ...outcome, updated_at: laterThan(before.updated_at, change.now) };
  const app = presentApp(after);
  const changes = changedFields(presentApp(before), app);
  if (Object.keys(changes).length === 0) return presentApp(before);
  await change.db.models.oauthApp.update(after, { where: { id: after.id }, transaction: change.transaction });
  const action = ACTIONS[after.verification];
  if (action === 'app.verified' || action === 'app.rejected') {
    await change.emitToApp(after.id, action, app, after.updated_at);
  }
  await change.audit({ action, target: { type: 'app', id: after.id }, changes, at: after.updated_at });
  return app;
}

const ACTIONS = {
  unverified: 'app.updated',
  pending: 'app.verification_requested',
  verified: 'app.verified',
  rejected: 'app.rejected',
} as const satisfies Readonly<Record<AppView['verification'], string>>;
