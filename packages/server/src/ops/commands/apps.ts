import type { AppVerification, OAuthApp } from '@plat/contract';
import { text } from '@plat/contract/schemas';
import { OPERATOR } from '../../change.ts';
import { selectPage } from '../../db/page.ts';
import { OAUTH_APPS } from '../../db/tables/oauth-apps.ts';
import { changeAppAsOperator, deleteApp, disableApp, enableApp } from '../../oauth/app-state.ts';
import { reviewApp } from '../../oauth/app-verification.ts';
import { APP_VIEW, presentApp } from '../../oauth/apps.present.ts';
import { type Operator, readOption } from './operator.ts';

interface ListOptions {
  readonly verification?: AppVerification;
  readonly limit: number;
  readonly startingAfter?: string;
}

/** Lists the OAuth apps of all developers, newest first. */
export async function listAllApps({ db }: Operator, { verification, limit, startingAfter }: ListOptions) {
  const { rows } = await selectPage(db, {
    table: OAUTH_APPS,
    columns: APP_VIEW,
    kind: 'app',
    tenantId: null,
    params: { limit, ...(startingAfter === undefined ? {} : { starting_after: startingAfter }) },
    filters: { verification },
  });
  return rows.map((row) => ({ developer_id: row.developer_id, ...printable(presentApp(row)) }));
}

/** Records the result of a review. The developer sees the note. */
export async function decideReview(
  { db, now }: Operator,
  appId: string,
  verification: 'verified' | 'rejected',
  reason?: string,
) {
  const note = reason === undefined ? null : readOption('--reason', text(500), reason);
  return printable(await reviewApp(db, { appId, verification, note, actor: OPERATOR, now }));
}

/** Disables an app, so that its developer cannot enable it; or enables an app that the developer or the operator disabled. */
export async function setAppState({ db, now }: Operator, appId: string, state: 'disabled' | 'enabled') {
  const change = state === 'disabled' ? disableApp : enableApp;
  const app = await changeAppAsOperator(db, { appId, actor: OPERATOR, now }, (open, before) =>
    change(open, before, 'operator'),
  );
  return printable(app);
}

/** Deletes an app for its developer. */
export async function removeApp({ db, now }: Operator, appId: string) {
  const { id, deleted } = await changeAppAsOperator(db, { appId, actor: OPERATOR, now }, deleteApp);
  return { id, deleted };
}

function printable({
  id,
  name,
  website,
  verification,
  verification_note,
  disabled_by,
  redirect_uris,
  scopes,
  created_at,
}: OAuthApp) {
  return {
    id,
    name,
    website,
    verification,
    verification_note,
    disabled_by,
    redirect_uris,
    scopes,
    created_at,
  };
}
