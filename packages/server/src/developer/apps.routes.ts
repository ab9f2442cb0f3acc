import { deleteApp, disableApp, enableApp } from '../oauth/app-state.ts';
import { requestVerification } from '../oauth/app-verification.ts';
import { getApp, listApps, registerApp, rotateAppSecret, updateApp } from '../oauth/apps.service.ts';
import { listInstallations } from '../oauth/installations.ts';
import { ownApp } from './as-app.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

/** Operations on the developer's OAuth apps. They apply the rules of the console. */
export const appRoutes: readonly DeveloperRoute[] = [
  developerRoute('apps.list', {
    handle: ({ db, credential }, { query }) => listApps(db, credential.actor.id, query),
  }),
  developerRoute('apps.register', {
    errors: ['APP_LIMIT'],
    handle: (ctx, { body }) => registerApp(ctx, ctx.credential.actor.id, body),
  }),
  developerRoute('apps.get', {
    errors: ['APP_NOT_FOUND'],
    handle: ({ db, credential }, { path }) => getApp(db, credential.actor.id, path.app_id),
  }),
  developerRoute('apps.update', {
    errors: ['APP_NOT_FOUND', 'APP_NAME_PROTECTED'],
    handle: (ctx, { path, body }) => updateApp(ctx, ctx.credential.actor.id, path.app_id, body),
  }),
  developerRoute('apps.rotate_secret', {
    errors: ['APP_NOT_FOUND'],
    handle: (ctx, { path, body }) => rotateAppSecret(ctx, ctx.credential.actor.id, path.app_id, body),
  }),
  developerRoute('apps.disable', {
    errors: ['APP_NOT_FOUND'],
    handle: async (ctx, { path }) => disableApp(ctx, await ownApp(ctx, path.app_id), 'developer'),
  }),
  developerRoute('apps.enable', {
    errors: ['APP_NOT_FOUND', 'APP_DISABLED'],
    handle: async (ctx, { path }) => enableApp(ctx, await ownApp(ctx, path.app_id), 'developer'),
  }),
  developerRoute('apps.delete', {
    errors: ['APP_NOT_FOUND'],
    handle: async (ctx, { path }) => deleteApp(ctx, await ownApp(ctx, path.app_id)),
  }),
  developerRoute('apps.request_verification', {
    errors: ['APP_NOT_FOUND'],
    handle: (ctx, { path }) => requestVerification(ctx, ctx.credential.actor.id, path.app_id),
  }),
  developerRoute('apps.installations.list', {
    errors: ['APP_NOT_FOUND'],
    async handle(ctx, { path, query }) {
      const { id } = await ownApp(ctx, path.app_id);
      return listInstallations(ctx.db, id, query, ctx.now);
    },
  }),
];
