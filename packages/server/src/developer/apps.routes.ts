import { listRefusals } from '../oauth/app-refusals.ts';
import { deleteApp, disableApp, enableApp } from '../oauth/app-state.ts';
import { requestVerification } from '../oauth/app-verification.ts';
import {
  getApp,
  listApps,
  registerApp,
  revokePreviousSecret,
  rotateAppSecret,
  updateApp,
} from '../oauth/apps.service.ts';
import { getInstallation, listInstallations } from '../oauth/installations.ts';
import { ownApp } from './as-app.ts';
import { type DeveloperRoute, developerRoute } from './developer-route.ts';

/** Operations on the developer's OAuth apps. They apply the rules of the console. */
export const appRoutes: readonly DeveloperRoute[] = [
  developerRoute('apps.list', {
    handle: ({ db, credential }, { query }) => listApps(db, credential.actor.id, query),
  }),
  developerRoute('apps.register', {
    handle: (ctx, { body }) => registerApp(ctx, ctx.credential.actor.id, body),
  }),
  developerRoute('apps.get', {
    handle: ({ db, credential }, { path }) => getApp(db, credential.actor.id, path.app_id),
  }),
  developerRoute('apps.update', {
    handle: (ctx, { path, body }) => updateApp(ctx, ctx.credential.actor.id, path.app_id, body),
  }),
  developerRoute('apps.rotate_secret', {
    handle: (ctx, { path, body }) => rotateAppSecret(ctx, ctx.credential.actor.id, path.app_id, body),
  }),
  developerRoute('apps.revoke_previous_secret', {
    handle: (ctx, { path }) => revokePreviousSecret(ctx, ctx.credential.actor.id, path.app_id),
  }),
  developerRoute('apps.disable', {
    handle: async (ctx, { path }) => disableApp(ctx, await ownApp(ctx, path.app_id), 'developer'),
  }),
  developerRoute('apps.enable', {
    handle: async (ctx, { path }) => enableApp(ctx, await ownApp(ctx, path.app_id), 'developer'),
  }),
  developerRoute('apps.delete', {
    handle: async (ctx, { path }) => deleteApp(ctx, await ownApp(ctx, path.app_id)),
  }),
  developerRoute('apps.request_verification', {
    handle: (ctx, { path }) => requestVerification(ctx, ctx.credential.actor.id, path.app_id),
  }),
  developerRoute('apps.installations.list', {
    async handle(ctx, { path, query }) {
      const { id } = await ownApp(ctx, path.app_id);
      return listInstallations(ctx.db, id, query, ctx.now);
    },
  }),
  developerRoute('apps.installations.get', {
    async handle(ctx, { path }) {
      const { id } = await ownApp(ctx, path.app_id);
      return getInstallation(ctx.db, id, path.installation_id, ctx.now);
    },
  }),
  developerRoute('apps.refusals.list', {
    async handle(ctx, { path, query }) {
      const { id } = await ownApp(ctx, path.app_id);
      return listRefusals(ctx.db, id, query);
    },
  }),
];
