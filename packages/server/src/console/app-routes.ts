import { LIMITS, type QuotaName } from '@plat/contract';
import type { DeveloperSession } from '../accounts/session.ts';
import type { Change } from '../change.ts';
import { deleteApp, disableApp, enableApp } from '../oauth/app-state.ts';
import { requestVerification } from '../oauth/app-verification.ts';
import {
  findNewestApp,
  findOwnApp,
  getApp,
  listApps,
  registerApp,
  revokePreviousSecret,
  rotateAppSecret,
  updateApp,
} from '../oauth/apps.service.ts';
import { lastTokensOf } from '../oauth/installations.ts';
import { EMPTY_APP, postedApp, readApp, refusedApp, typedApp } from './app-form.ts';
import {
  APPS_PATH,
  appPage,
  appsPage,
  editPage,
  endAppPage,
  hasPreviousSecret,
  registerPage,
  revokeSecretPage,
  rotatePage,
  secretPage,
} from './app-pages.ts';
import { refuseResubmission, refuseStale } from './forms.ts';
import { postedOverlap } from './overlap-field.ts';
import type { PageRoute } from './page-route.ts';

const APP_PATH = `${APPS_PATH}/:id`;

/** Pages of the developer's OAuth apps. They apply the rules of the developer API. */
export const appRoutes: readonly PageRoute<'developer'>[] = [
  {
    room: 'apps',
    method: 'GET',
    path: APPS_PATH,
    async handle({ session, base, db, now, query }) {
      const { data: apps } = await listApps(db, session.developerId, { limit: LIMITS.page.max });
      const ids = apps.map(({ id }) => id);
      const lastTokens = await lastTokensOf(db, ids);
      return { page: appsPage({ base, apps, lastTokens, now, done: query['done'] }) };
    },
  },
  {
    room: 'apps',
    method: 'GET',
    path: `${APPS_PATH}/new`,
    async handle({ session, base, db }) {
      const newest = await findNewestApp(db, session.developerId, null);
      return { page: registerPage({ session, base, typed: EMPTY_APP, problems: {}, seen: newest ?? '' }) };
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${APPS_PATH}/new`,
    async handle({ session, base, baseUrl, fields, change, quotas }) {
      const { developerId } = session;
      const { seen = '' } = fields;
      const typed = postedApp(fields);
      try {
        const input = readApp(typed);
        const app = await change(async (open) => {
          refuseResubmission(seen, (await findNewestApp(open.db, developerId, open.transaction)) ?? '');
          const reserve = (quota: QuotaName) => quotas.reserve({ ...open, sandbox: true }, quota);
          return registerApp({ ...open, reserve }, developerId, input);
        });
        // Not a redirect: the server would have to store the secret until the next request.
        return { status: 201, page: secretPage({ base, baseUrl, app, title: `${app.name} is registered` }) };
      } catch (error) {
        const { status, problems } = refusedApp(error);
        return { status, page: registerPage({ session, base, typed, problems, seen }) };
      }
    },
  },
  {
    room: 'apps',
    method: 'GET',
    path: APP_PATH,
    async handle({ session, base, baseUrl, db, now, id, query }) {
      const app = await getApp(db, session.developerId, id);
      const lastTokens = (await lastTokensOf(db, [app.id])).get(app.id);
      return { page: appPage({ session, base, baseUrl, app, lastTokens, now, done: query['done'] }) };
    },
  },
  {
    room: 'apps',
    method: 'GET',
    path: `${APP_PATH}/edit`,
    async handle({ session, base, db, id }) {
      const app = await getApp(db, session.developerId, id);
      return { page: editPage({ session, base, app, typed: typedApp(app), problems: {} }) };
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${APP_PATH}/edit`,
    async handle({ session, base, db, id, fields, change }) {
      const { developerId } = session;
      const typed = postedApp(fields);
      try {
        const input = readApp(typed);
        await change(async (open) => {
          refuseStale(fields['seen'], (await getApp(open.db, developerId, id, open.transaction)).updated_at);
          await updateApp(open, developerId, id, input);
        });
        return { goTo: `${APPS_PATH}/${id}?done=saved` };
      } catch (error) {
        const { status, problems } = refusedApp(error);
        const app = await getApp(db, developerId, id);
        return { status, page: editPage({ session, base, app, typed, problems }) };
      }
    },
  },
  {
    room: 'apps',
    method: 'GET',
    path: `${APP_PATH}/secret`,
    async handle({ session, base, db, now, id }) {
      const app = await getApp(db, session.developerId, id);
      return { page: rotatePage({ session, base, app, now }) };
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${APP_PATH}/secret`,
    async handle({ session, base, baseUrl, id, fields, change }) {
      const { developerId } = session;
      const expiresIn = postedOverlap(fields, LIMITS.app.secretOverlapSeconds);
      const app = await change(async (open) => {
        const before = await getApp(open.db, developerId, id, open.transaction);
        refuseResubmission(fields['seen'], before.updated_at);
        return rotateAppSecret(open, developerId, before.id, { expires_in: expiresIn });
      });
      return { status: 201, page: secretPage({ base, baseUrl, app, title: 'The new secret' }) };
    },
  },
  {
    room: 'apps',
    method: 'GET',
    path: `${APP_PATH}/revoke-previous`,
    async handle({ session, base, db, now, id }) {
      const app = await getApp(db, session.developerId, id);
      // Expired or revoked meanwhile: the page of the app shows it.
      if (!hasPreviousSecret(app, now)) return { goTo: `${APPS_PATH}/${app.id}` };
      return { page: revokeSecretPage({ session, base, app }) };
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${APP_PATH}/revoke-previous`,
    async handle({ session, id, now, fields, change }) {
      const app = await change((open) => revokePreviousSecret(open, session.developerId, id, fields['expires_at']));
      // A rotation since the confirmation has ended the confirmed secret. The page shows the other one.
      return { goTo: `${APPS_PATH}/${app.id}${hasPreviousSecret(app, now) ? '' : '?done=revoked'}` };
    },
  },
  ...(['disable', 'delete'] as const).map(
    (verb): PageRoute<'developer'> => ({
      room: 'apps',
      method: 'GET',
      path: `${APP_PATH}/${verb}`,
      async handle({ session, base, db, id }) {
        const app = await getApp(db, session.developerId, id);
        return { page: endAppPage({ session, base, app, verb }) };
      },
    }),
  ),
  {
    room: 'apps',
    method: 'POST',
    path: `${APP_PATH}/disable`,
    async handle({ session, id, change }) {
      const app = await change(async (open) => disableApp(open, await ownApp(open, session, id), 'developer'));
      return { goTo: `${APPS_PATH}/${app.id}?done=disabled` };
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${APP_PATH}/enable`,
    async handle({ session, id, change }) {
      const app = await change(async (open) => enableApp(open, await ownApp(open, session, id), 'developer'));
      return { goTo: `${APPS_PATH}/${app.id}?done=enabled` };
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${APP_PATH}/delete`,
    async handle({ session, id, change }) {
      await change(async (open) => deleteApp(open, await ownApp(open, session, id)));
      return { goTo: `${APPS_PATH}?done=deleted` };
    },
  },
  {
    room: 'apps',
    method: 'POST',
    path: `${APP_PATH}/verification`,
    async handle({ session, id, change }) {
      const app = await change((open) => requestVerification(open, session.developerId, id));
      return { goTo: `${APPS_PATH}/${app.id}?done=asked` };
    },
  },
];

function ownApp({ db, transaction }: Change, { developerId }: DeveloperSession, id: string) {
  return findOwnApp(db, developerId, id, transaction);
}
